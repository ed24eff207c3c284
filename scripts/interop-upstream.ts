/** The independent miner at a real pool, through the proxy: what `npm run interop -- --upstream <url>` runs. */
import { connect, createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { pipeline } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import type { AlgorithmName } from '../shared/src/domain';
import { Minerd } from '../e2e/interop/minerd';
import { testProxy } from '../api/src/stratum/testing/test-proxy';
import { parseUpstream } from '../api/src/stratum/upstream/upstream-target';

/** What a newcomer waits for, where the pool's own difficulty allows it. */
const FIRST_SHARE_S = 30;
const MOST_REFUSED = 0.01;

/** `credited`: sum of the difficulties that the miner was credited with, to compare with what the pool counted. */
export async function mineThrough(
  url: string,
  algorithm: { own: 'sha256' | 'scrypt'; name: AlgorithmName },
  seconds: number,
  program: string,
): Promise<{ passed: number; failed: number }> {
  const target = parseUpstream(algorithm.name, url);
  let connections = 0;
  const counter = createServer((near) => {
    connections += 1;
    const far = connect(target.port, target.host);
    pipeline(near, far, near, () => undefined);
  }).listen(0, '127.0.0.1');
  await once(counter, 'listening');
  const { port } = counter.address() as AddressInfo;
  const counted = { ...target, tls: false, host: '127.0.0.1', port, url: `stratum+tcp://127.0.0.1:${port}` };
  const { proxy, sink, port: own } = await testProxy([counted], { vardiff: {} });
  while (proxy.upstreams()[0]?.state !== 'active') await setTimeout(100);
  const looks = connections;
  const miner = new Minerd(program, algorithm.own, own, 'alice.cpu');
  try {
    await setTimeout(seconds * 1000);
    const { firstShare, accepted, refused, reasons, disconnects } = miner.done;
    const mined = connections - looks;
    const taken = sink.shares.filter(({ outcome }) => outcome === 'accepted');
    const credited = taken.reduce((sum, { difficulty }) => sum + difficulty, 0);
    const checks = [
      firstShare !== null && firstShare <= FIRST_SHARE_S,
      mined <= 1 && disconnects <= 1,
      accepted > 0 && refused <= Math.max(1, MOST_REFUSED * (accepted + refused)),
    ];
    process.stdout.write(
      `${checks.every(Boolean) ? 'ok  ' : 'FAIL'} ${target.host}:${target.port} ${algorithm.own} ${seconds} s: ` +
        `first share ${firstShare?.toFixed(1) ?? 'never'} s · connections ${mined} after the look · ` +
        `refused ${refused} of ${accepted + refused} ${reasons.join(', ')}· credited ${credited} of ${taken.length} shares\n`,
    );
    const passed = checks.filter(Boolean).length;
    if (passed < checks.length) process.stdout.write(`${miner.output.slice(-30).join('\n')}\n`);
    return { passed, failed: checks.length - passed };
  } finally {
    await miner.stop();
    await proxy.stop();
    counter.close();
  }
}
