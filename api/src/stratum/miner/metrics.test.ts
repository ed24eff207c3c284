import { Registry } from 'prom-client';
import { RawClient, testProxy } from '../testing/test-proxy';
import { StubUpstream } from '../testing/upstream';

it('a share that could not be recorded is refused, and is no accepted one in the metrics', async () => {
  const upstream = await new StubUpstream().start();
  const metrics = new Registry();
  const { proxy, sink, port } = await testProxy([upstream.target], { metrics });
  const miner = new RawClient(port);
  try {
    await miner.call('mining.subscribe', []);
    await miner.call('mining.authorize', ['alice.rig', 'x']);
    const job = (await miner.notification('mining.notify')).params?.[0];
    const submit = (nonce: string) =>
      miner.call('mining.submit', ['alice.rig', job, '00000001', '65000000', nonce]).then(({ error }) => error);
    expect(await submit('00000001')).toBeNull();
    sink.full = true;
    expect(await submit('00000002')).toEqual([20, 'The pool cannot record shares now', null]);
    const counts = (await metrics.metrics()).split('\n').filter((line) => line.startsWith('stratum_shares_total'));
    expect(counts.sort()).toEqual([
      'stratum_shares_total{algorithm="SCRYPT",outcome="unrecorded"} 0',
      'stratum_shares_total{algorithm="SHA256_ASICBOOST",outcome="accepted"} 1',
      'stratum_shares_total{algorithm="SHA256_ASICBOOST",outcome="unrecorded"} 1',
    ]);
  } finally {
    miner.destroy();
    await proxy.stop();
    await upstream.kill();
  }
});
