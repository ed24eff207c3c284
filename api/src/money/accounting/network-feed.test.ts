/** The network's difficulty comes from a server that may lie, hang or talk without end. */
import type { RequestListener } from 'node:http';
import type { Pool } from 'pg';
import { createLog } from '../../platform/log';
import { eventually } from '../../testing/eventually';
import { startHttp } from '../../testing/http-server';
import { readNetwork, startNetworkFeed } from './network-feed';

const NOW = Date.parse('2026-11-25T12:00:00Z') / 1000;
const CHANGE = { difficultyChange: -3.25, estimatedRetargetDate: (NOW + 86_400) * 1000, remainingBlocks: 150 };
const HASHRATE = { currentDifficulty: 1.5e14, currentHashrate: 1e21, hashrates: [], difficulty: [] };

let url: string;
let close: () => void;
let answer: RequestListener;
const json = (change: object, hashrate: object | undefined = HASHRATE, blocks?: object): RequestListener => {
  const bodies: Record<string, object | undefined> = {
    '/api/v1/difficulty-adjustment': change,
    '/api/v1/mining/hashrate/3d': blocks ? undefined : hashrate,
    '/api/v1/blocks': blocks,
  };
  return ({ url: path = '' }, response) => {
    const body = bodies[path];
    response.writeHead(body ? 200 : 404).end(JSON.stringify(body ?? {}));
  };
};
beforeAll(async () => {
  ({ url, close } = await startHttp((request, response) => answer(request, response)));
});
beforeEach(() => {
  answer = json(CHANGE);
});
afterAll(() => close());

const NOTHING: [what: string, answer: RequestListener][] = [
  ['no JSON', (_, response) => response.end('<html>')],
  ['nothing', () => undefined],
  ['words without end', (_, response) => void response.write(' '.repeat(100_000))],
];
const read = (value: object) => ({ status: 'fulfilled', value });
const DIFFICULTY = read({ difficulty: 1.5e14 });
const NEXT = read({ changePercent: -3.25, changeAt: '2026-11-26T12:00:00.000Z', remainingBlocks: 150 });

it('says the difficulty and the estimate of its next change', async () => {
  expect(await readNetwork(`${url}/`, NOW)).toEqual({ difficulty: DIFFICULTY, change: NEXT });
});

it('mempool without its index of hashrates says the difficulty with its blocks', async () => {
  answer = json(CHANGE, undefined, [{ difficulty: 1.5e14 }, { difficulty: 1.4e14 }]);
  expect(await readNetwork(url, NOW)).toEqual({ difficulty: DIFFICULTY, change: NEXT });
});

const NONE = expect.objectContaining({ status: 'rejected' }) as object;
it.each<[what: string, answer: RequestListener, said: object]>([
  ['a change that cannot be', json({ ...CHANGE, difficultyChange: 9000 }), { difficulty: DIFFICULTY, change: NONE }],
  ['a difficulty that is no number', json(CHANGE, { currentDifficulty: 'x' }), { difficulty: NONE, change: NEXT }],
  ...NOTHING.map(
    ([what, next]) => [what, next, { difficulty: NONE, change: NONE }] as [string, RequestListener, object],
  ),
])('takes only what can be from a feed that says %s', async (_, next, said) => {
  answer = next;
  expect(await readNetwork(url, NOW, 100)).toEqual(said);
});

it('keeps what it said last, with its time', async () => {
  const pool = { connect: async () => Promise.reject(new Error('away')) } as unknown as Pool;
  const feed = startNetworkFeed({ pool, url, log: createLog('silent'), now: () => NOW });
  expect((await eventually(() => feed.last() ?? undefined, 'the first answer')).at).toBe('2026-11-25T12:00:00.000Z');
  await feed.stop();
});
