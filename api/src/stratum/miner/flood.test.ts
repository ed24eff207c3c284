/** A client that sends too fast is read at the allowed rate: none of its lines is free, and nobody waits for it. */
import { RawClient, testProxy, type TestProxy } from '../testing/test-proxy';
import { StubUpstream } from '../testing/upstream';

const LINES_PER_SECOND = 100;
const call = (method: string, ...params: unknown[]): string => JSON.stringify({ id: 1, method, params });
const KINDS: [name: string, line: string][] = [
  ['mining.ping', call('mining.ping')],
  ['mining.configure', call('mining.configure', ['version-rolling'], { 'version-rolling.mask': 'ffffffff' })],
  ['mining.subscribe', call('mining.subscribe', 'flood/1')],
  ['mining.suggest_difficulty', call('mining.suggest_difficulty', 4)],
  ['mining.extranonce.subscribe', call('mining.extranonce.subscribe')],
  ['mining.submit', call('mining.submit', 'alice.rig', '1', '00000001', '65000000', '00000001')],
  ['unknown calls', call('mining.nothing')],
  ['answers nobody asked for', '{"id":7,"result":true,"error":null}'],
  ['empty lines', ''],
];

let upstream: StubUpstream;
let test: TestProxy;
const clients: RawClient[] = [];
const client = (): RawClient => {
  const c = new RawClient(test.port);
  clients.push(c);
  return c;
};
const flood = (c: RawClient, line: string, lines: number): void => c.send(`${line}\n`.repeat(lines));

beforeEach(async () => {
  upstream = await new StubUpstream().start();
});
afterEach(async () => {
  for (const c of clients.splice(0)) c.destroy();
  await test.proxy.stop();
  await upstream.kill();
});

it.each(KINDS)('%s: every line counts towards the rate, and others are answered meanwhile', async (_, line) => {
  test = await testProxy([upstream.target], { limits: { linesPerSecond: LINES_PER_SECOND } });
  const [flooder, honest] = [client(), client()];
  const since = performance.now();
  flood(flooder, line, LINES_PER_SECOND * 2);
  const last = flooder.call('mining.ping', []);
  let lastAnswered = false;
  void last.then(() => {
    lastAnswered = true;
  });
  await honest.call('mining.subscribe', []);
  expect((await honest.call('mining.authorize', ['bob.rig', 'x'])).result).toBe(true);
  expect(lastAnswered).toBe(false);
  expect((await last).result).toBe('pong');
  // The first bucket takes no time, the rest does.
  expect(performance.now() - since).toBeGreaterThan(950);
});

it('the sockets of one address share its rate', async () => {
  test = await testProxy([upstream.target], { limits: { addressLinesPerSecond: 50 } });
  const since = performance.now();
  const flooders = [client(), client()];
  for (const flooder of flooders) flood(flooder, call('mining.ping'), 50);
  await Promise.all(flooders.map((flooder) => flooder.call('mining.ping', [])));
  expect(performance.now() - since).toBeGreaterThan(950);
});
