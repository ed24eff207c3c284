/** A client that sends too fast is read at the allowed rate: none of its lines is free, and nobody waits for it. */
import { stratumForEach } from '../testing/for-each';
import type { RawClient, TestProxy } from '../testing/test-proxy';
import type { StubUpstream } from '../testing/upstream';

const { stub, proxyOf, connect } = stratumForEach();
const LINES_PER_SECOND = 100;
const call = (method: string, ...params: unknown[]): string => JSON.stringify({ id: 1, method, params });
const KINDS: string[] = [
  call('mining.ping'),
  call('mining.configure', ['version-rolling'], { 'version-rolling.mask': 'ffffffff' }),
  call('mining.subscribe', 'flood/1'),
  call('mining.suggest_difficulty', 4),
  call('mining.extranonce.subscribe'),
  call('mining.submit', 'alice.rig', '1', '00000001', '65000000', '00000001'),
  call('mining.nothing'),
  '{"id":7,"result":true,"error":null}',
  '',
];

let upstream: StubUpstream;
let test: TestProxy;
const client = (): RawClient => connect(test.port);
const flood = (c: RawClient, line: string, lines: number): void => c.send(`${line}\n`.repeat(lines));

beforeEach(async () => {
  upstream = await stub();
});
it('every line of any kind counts towards the rate, and others are answered meanwhile', async () => {
  test = await proxyOf([upstream.target], {
    limits: { linesPerSecond: LINES_PER_SECOND, addressLinesPerSecond: 1e6 },
  });
  const honest = client();
  const since = performance.now();
  const answered = new Map<string, number>();
  const last = KINDS.map(async (line) => {
    const flooder = client();
    flood(flooder, line, LINES_PER_SECOND * 2);
    expect((await flooder.call('mining.ping', [])).result).toBe('pong');
    answered.set(line, performance.now() - since);
  });
  await honest.call('mining.subscribe', []);
  expect((await honest.call('mining.authorize', ['bob.rig', 'x'])).result).toBe(true);
  expect(answered.size).toBe(0);
  await Promise.all(last);
  // The first bucket takes no time, the rest does.
  expect([...answered].filter(([, ms]) => ms < 950)).toEqual([]);
});

it('the sockets of one address share its rate', async () => {
  test = await proxyOf([upstream.target], { limits: { addressLinesPerSecond: 50 } });
  const since = performance.now();
  const flooders = [client(), client()];
  for (const flooder of flooders) flood(flooder, call('mining.ping'), 50);
  await Promise.all(flooders.map((flooder) => flooder.call('mining.ping', [])));
  expect(performance.now() - since).toBeGreaterThan(950);
});
