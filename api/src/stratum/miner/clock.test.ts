/** The machine's clock is changed while miners work: no limit, ban or delay may be affected. */
import { eventually } from '../../testing/eventually';
import { stratumForEach } from '../testing/for-each';
import type { TestProxy } from '../testing/test-proxy';
import type { StubUpstream } from '../testing/upstream';

const { stub, proxyOf, join } = stratumForEach();
let upstream: StubUpstream;
let test: TestProxy;
afterEach(async () => {
  jest.restoreAllMocks();
});

it.each([
  ['back by a minute', -60_000],
  ['ahead by a day', 86_400_000],
])('set %s: upstreams stay, miners stay, shares count', async (_, step) => {
  upstream = await stub();
  test = await proxyOf([upstream.target]);
  const c = await join(test.port);
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
