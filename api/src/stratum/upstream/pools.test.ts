/**
 * Real pools, as scripts of what they answer to what the proxy sends: an independent miner mines at each through the
 * proxy, and each judges the shares by hashes of its own.
 */
import { hashHeader, hashNumber, headerOf, HASHES_PER_DIFFICULTY, jobOf } from '../../../../e2e/miner/work';
import { Miner } from '../../../../e2e/miner/miner';
import { startBuiltinPool } from '../builtin-pool';
import { eventually } from '../../testing/eventually';
import { testProxy } from '../testing/test-proxy';
import { StubUpstream, type StubOptions } from '../testing/upstream';

const HASHRATE = 5000;
const DIFFICULTY = HASHRATE / 20 / 2 ** 32;

const POOLS: [name: string, script: StubOptions][] = [
  [
    'public-pool 0.0.1 of April 2025',
    { mask: 'ffffffff', extranonceSize: 4, unknown: { 'mining.suggest_difficulty': 'refuses' } },
  ],
  [
    'node-stratum-pool 0.1.9 behind a guard that ends unknown calls',
    { extranonceSize: 4, greets: 'subscribed', unknown: { 'mining.configure': 'closes' } },
  ],
];

/** The pool's verdict on a share, from the header that it makes of it. */
function judge(pool: StubUpstream, params: unknown[], extranonce1: string): { result: unknown; error: unknown } {
  const [, , extranonce2, ntime, nonce, bits = '0'] = params.map(String);
  const refused = (code: number, why: string) => ({ result: null, error: [code, why, null] });
  const sent = pool.jobs.get(params[1]);
  if (!sent) return refused(21, 'job not found');
  if (extranonce2?.length !== 2 * (pool.options.extranonceSize ?? 8))
    return refused(20, 'incorrect size of extranonce2');
  const job = jobOf(sent, 'sha256', DIFFICULTY);
  const header = headerOf(job, Buffer.from(extranonce1, 'hex'), Buffer.from(extranonce2, 'hex'));
  header.writeUInt32LE((job.version | parseInt(bits, 16)) >>> 0, 0);
  header.writeUInt32LE(parseInt(ntime ?? '', 16), 68);
  header.writeUInt32LE(parseInt(nonce ?? '', 16), 76);
  return hashNumber(hashHeader.sha256(header)) <= job.target
    ? { result: true, error: null }
    : refused(23, 'low difficulty share');
}

test.each(POOLS)(
  '%s: shares at once, on one connection, none refused, and as many credited as it counts',
  async (_, script) => {
    const verdicts: unknown[] = [];
    const pool: StubUpstream = await new StubUpstream({
      difficulty: DIFFICULTY,
      submit: (params, extranonce1) => {
        const verdict = judge(pool, params, extranonce1);
        verdicts.push(verdict.error);
        return verdict;
      },
      ...script,
    }).start();
    // A call that counts as an unanswered share would end the connection.
    const { proxy, sink, port } = await testProxy([pool.target], { limits: { submitMs: 1000 } });
    await eventually(() => proxy.upstreams()[0]?.state === 'active', 'the probe');
    const { connects } = pool;
    const begun = performance.now();
    const miner = new Miner({
      host: '127.0.0.1',
      port,
      user: 'alice.rig',
      algorithm: 'sha256',
      hashrate: HASHRATE,
    }).start();
    await eventually(() => miner.accepted > 0, 'the first share');
    expect(performance.now() - begun).toBeLessThan(30_000);
    const before = verdicts.length;
    pool.notify(true);
    await eventually(() => verdicts.length > before + 10, 'shares of the next block');
    await eventually(() => performance.now() - begun > 1500, 'longer than a share may wait');
    await miner.finish();
    const counted = verdicts.filter((error) => error === null).length;
    expect([pool.connects, counted]).toEqual([connects + 1, verdicts.length]);
    expect(sink.shares.filter(({ outcome }) => outcome === 'accepted').map(({ difficulty }) => difficulty)).toEqual(
      Array(counted).fill(DIFFICULTY),
    );
    await proxy.stop();
    await pool.kill();
  },
);

test('the built-in pool counts the work of a SCRYPT miner within the statistical error, and that of the next block', async () => {
  const pool = await startBuiltinPool({ algorithm: 'SCRYPT' });
  const { proxy, sink, port } = await testProxy([pool.target]);
  const miner = new Miner({
    host: '127.0.0.1',
    port,
    user: 'alice.rig-1',
    algorithm: 'scrypt',
    hashrate: 400,
    rate: 30,
  }).start();
  await eventually(() => miner.accepted >= 60, 'shares');
  expect([miner.rejected, miner.mask]).toEqual([0, 0]);
  const counted = sink.shares.filter((share) => share.outcome === 'accepted');
  expect(new Set(counted.map((share) => share.worker))).toEqual(new Set(['rig-1']));
  const done = counted.reduce((sum, share) => sum + share.difficulty, 0) * HASHES_PER_DIFFICULTY.scrypt;
  // Five standard deviations of 1/sqrt(n).
  expect(Math.abs(done / miner.hashes - 1)).toBeLessThan(5 / Math.sqrt(counted.length));
  const before = miner.accepted;
  pool.nextBlock();
  await eventually(() => miner.accepted > before + 10, 'shares of the new block');
  miner.stop();
  await proxy.stop();
  await pool.stop();
});
