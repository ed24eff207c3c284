/** The machine's clock is changed while miners work: no limit, ban or delay may be affected. */
import { eventually } from '../../testing/eventually';
import { RawClient, testProxy, type TestProxy } from '../testing/test-proxy';
import { StubUpstream } from '../testing/upstream';

const clients: RawClient[] = [];
let upstream: StubUpstream;
let test: TestProxy;
afterEach(async () => {
  jest.restoreAllMocks();
  for (const c of clients.splice(0)) c.destroy();
  await test.proxy.stop();
  await upstream.kill();
});

it.each([
  ['back by a minute', -60_000],
  ['ahead by a day', 86_400_000],
])('set %s: upstreams stay, miners stay, shares count', async (_, step) => {
  upstream = await new StubUpstream().start();
  test = await testProxy([upstream.target]);
  const c = new RawClient(test.port);
  clients.push(c);
  await c.call('mining.subscribe', []);
  await c.call('mining.authorize', ['alice.rig', 'x']);
  await c.notification('mining.notify');
  await eventually(() => test.proxy.upstreams()[0]?.connections === 1, 'at work');
  const connects = upstream.connects;
  const real = Date.now;
  jest.spyOn(Date, 'now').mockImplementation(() => real() + step);
  for (let i = 0; i < 20; i += 1) upstream.notify(false);
  await eventually(() => c.lines.filter((line) => line.method === 'mining.notify').length > 20, 'all the work');
  const job = c.lines.filter((line) => line.method === 'mining.notify').at(-1)?.params?.[0];
  for (let nonce = 1; nonce <= 10; nonce += 1) {
    const share = ['alice.rig', job, '00000001', '65000000', nonce.toString(16).padStart(8, '0')];
    expect((await c.call('mining.submit', share)).result).toBe(true);
  }
  expect([c.closed, upstream.connects, test.sink.count('accepted')]).toEqual([false, connects, 10]);
});
