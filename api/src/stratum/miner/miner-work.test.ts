/** What a miner asks of its work before it has any, what it is sent, and which upstream it works for. */
import type { Upstreams } from '../failover/upstreams';
import type { Seat } from '../upstream/shared-connection';
import type { SharedJob } from '../upstream/shared-job';
import { ROLLING_MASK } from '../wire/version-rolling';
import type { Wire } from '../wire/wire';
import { Layouts } from './layouts';
import { MinerWork } from './miner-work';

const told: number[] = [];
const onDifficulty = (difficulty: number) => told.push(difficulty);
let sent: unknown[];
beforeEach(() => {
  told.splice(0);
  sent = [];
  // The number of a job is from one on.
  jest.spyOn(Math, 'random').mockReturnValue(0);
});

const wire = {
  open: true,
  send: (line: string) => sent.push(JSON.parse(line).params),
  notify: (...line: unknown[]) => sent.push(line),
};
function workOf(usual?: { extranonce: { size: number }; versionMask: number }, route?: object, open = true): MinerWork {
  const upstreams = { usual: () => usual, take: () => route } as unknown as Upstreams;
  const deps = { algorithm: 'SHA256_ASICBOOST', upstreams, layouts: new Layouts() } as const;
  const end = (why: string) => sent.push(why);
  return new MinerWork('192.0.2.1', deps, { ...wire, open } as unknown as Wire, { onDifficulty, end });
}

/** A place with room for so many bytes of a job's number, and a job of it. */
function placeOf(numberBytes: number, versionMask = 0, nominal?: object) {
  const connection = { versionMask: ROLLING_MASK, target: { nominal } };
  const shared: { connection: object; job?: SharedJob } = { connection };
  const seat = { slot: { lane: '01', own: '00', numberBytes, single: false }, shared, leave: () => sent.push('left') };
  const common = { prevHash: '', coinb1: 'c1', coinb2: '', branches: [], nbits: '', ntime: '65000000' };
  const extranonce = { extranonce1: 'ab', size: 8 };
  const job = { connection, extranonce, sent: common, version: 0x20000000, versionMask, work: 'w', lowest: 1e9 };
  return { connection, shared, seat: seat as unknown as Seat, job: job as unknown as SharedJob };
}

test.each<[asks: [difficulty: number, ofPassword?: boolean][], expected: number]>([
  [[[5]], 5],
  // Firmware repeats itself, with other figures too.
  [[[5], [7]], 5],
  [[[5], [7, true]], 7],
  [[[7, true], [5]], 7],
  [
    [
      [5, true],
      [7, true],
    ],
    7,
  ],
  [[[1e-8]], 1e-7],
  [[[1e13]], 1e12],
  [[[1e-8, true]], 1e-7],
])('of difficulties that a miner asks for, %j, it has %d', (asks, expected) => {
  const work = workOf();
  for (const [difficulty, ofPassword] of asks) work.askDifficulty(difficulty, ofPassword);
  expect(work.asked).toBe(expected);
});

test.each([
  [undefined, 0xffffffff, ROLLING_MASK, 4],
  [undefined, 0x4000, 0x4000, 4],
  [{ extranonce: { size: 8 }, versionMask: 0x6000 }, 0xc000, 0x4000, 4],
  [{ extranonce: { size: 3 }, versionMask: 0 }, ROLLING_MASK, 0, 3],
])('with the usual upstream %j, of the bits %d a miner has %d, and rolls %d bytes', (usual, wanted, mask, bytes) => {
  const work = workOf(usual);
  work.requestMask(wanted);
  expect(work.mask).toBe(mask);
  const layout = work.subscribe('test/1');
  expect(layout.extranonce2Size).toBe(bytes);
  expect(work.subscribe('other/1')).toBe(layout);
  expect([work.started, work.subAccountId, work.names, work.wanted]).toEqual([false, 0, {}, 0]);
  // Nothing is there yet that it could leave.
  work.tick();
  work.stop();
  expect(work.subscribed).toBe(true);
});

test.each<[asked: number | null, from: number | null, isFixed: boolean]>([
  [8, 8, true],
  [8, 9, false],
  [8, null, false],
  [null, 8, false],
])('of a miner that asks for %j, work that is scaled from %j on fixes the difficulty: %j', (asked, from, isFixed) => {
  const work = workOf();
  work.requestMask(ROLLING_MASK);
  const { connection, shared, seat, job } = placeOf(2, 0, from === null ? undefined : { from, scale: 2 });
  work.seated(seat);
  // There is no job yet that could be sent at that difficulty.
  if (asked !== null) work.askDifficulty(asked);
  expect(sent).toEqual([]);
  shared.job = job;
  work.onJob(shared.job, true);
  for (let share = 0; share < 8; share += 1) work.found(told[0]!);
  expect(told.length === 1).toBe(isFixed);
  if (asked !== null) expect(told[0]).toBe(asked);
  connection.versionMask = 0x4000;
  work.onVersionMask();
  expect(sent.at(-1)).toEqual(['mining.set_version_mask', ['00004000']]);
});

test.each<[bytes: number, spare: number, then: number, found: boolean, isTold: boolean, worth: number, ntime: string]>([
  [0, 0, 2000, false, false, 1000, '65000000'],
  [0, 0, 7999, false, false, 1000, '65000000'],
  [0, 0, 8000, false, true, 1000, '65000001'],
  [0, 0, 500, false, true, 500, '65000001'],
  [0, 0, 500, true, false, 1000, '65000000'],
  [0, ROLLING_MASK, 2000, true, true, 2000, '65000001'],
  [1, 0, 2000, true, true, 2000, '65000000'],
])(
  'with %d bytes of a number and the spare bits %d, asked for 1000 and then %d (a share before: %j): told %j, worth %d, at %s',
  (bytes, spare, then, found, isTold, worth, ntime) => {
    const work = workOf();
    const { shared, seat, job } = placeOf(bytes, spare);
    work.subscribe('test/1');
    work.onJob(job, false);
    work.seated(seat);
    work.askDifficulty(1000);
    expect(sent).toEqual([]);
    shared.job = job;
    work.onJob(job, false);
    expect(sent).toEqual([[1000], expect.arrayContaining(['20000000', '65000000', true])]);
    if (found) work.jobs.get(work.jobs.last!.id)!.seen.set('share', 1);
    work.askDifficulty(then, true);
    expect(told).toEqual(isTold ? [1000, then] : [1000]);
    expect(sent).toHaveLength(2 * told.length);
    const [id, , coinb1, , , version, , sentAt, isClean] = sent.at(-1) as string[];
    const last = work.jobs.last!;
    expect([id, last.worth.most, sentAt, isClean]).toEqual([last.id, worth, ntime, true]);
    expect(last.coinbaseHead).toBe(`${coinb1}00`);
    expect(coinb1).toMatch(bytes ? /^c1ab01..$/ : /^c1ab01$/);
    expect(version !== '20000000').toBe(spare > 0);
    expect(last.work).toMatch(new RegExp(`^w 01.*00 ${parseInt(String(version), 16)}$`));
    // Other jobs at the same difficulty, and not the first of their place.
    for (const other of ['x', 'y']) work.onJob({ ...job, work: other }, false);
    const other = expect.arrayContaining(['20000000', '65000000', false]);
    expect(sent.slice(-2)).toEqual([other, other]);
  },
);

test.each<[bytes: number, spare: number, isHeld: boolean]>([
  [0, 0, true],
  [0, ROLLING_MASK, false],
  [1, 0, false],
  [1, ROLLING_MASK, false],
])('with %d bytes of a number and the spare bits %d a change of the difficulty waits for other work: %j', (...row) => {
  const [bytes, spare, isHeld] = row;
  jest.useFakeTimers();
  const work = workOf();
  const { shared, seat, job } = placeOf(bytes, spare);
  work.seated(seat);
  jest.advanceTimersByTime(60_000);
  shared.job = job;
  work.tick();
  expect(sent).toEqual([]);
  work.seated(seat);
  work.onJob(job, true);
  const [start = 0] = told;
  for (let share = 0; share < 8; share += 1) {
    jest.advanceTimersByTime(200);
    work.found(start);
  }
  work.onJob(job, false);
  expect(work.wanted / start).toBeCloseTo(isHeld ? 1 : 4);
  work.onJob({ ...job, work: 'x' }, false);
  expect(work.wanted / start).toBeCloseTo(4);
  shared.job = { ...job, work: 'y' };
  jest.advanceTimersByTime(600_000);
  work.tick();
  expect(told.length).toBe(isHeld ? 2 : 3);
  jest.useRealTimers();
});

const account = { subAccountId: 1, userId: 1, account: 'alice', worker: 'rig' };
test.each<[software: string | null, blocked: string | null, isOpen: boolean, isShown: boolean]>([
  ['cgminer/4.12', 'no pools', true, true],
  ['cgminer/4.12', null, true, false],
  ['cgminer/4.12', 'no pools', false, false],
  ['test/1', 'no pools', true, false],
  [null, 'no pools', true, false],
])('%s on a route with the trouble %j is told of it while it is there (%j): %j', async (...row) => {
  const [software, blocked, isOpen, isShown] = row;
  const route = { current: null, ready: Promise.resolve(), blocked, subscribe: () => sent.push('follows') };
  const work = workOf(undefined, route, isOpen);
  await work.start(account, software);
  const shown = isShown ? [['client.show_message', ['no pools']]] : [];
  expect(sent).toEqual([...shown, ...(isOpen ? ['follows'] : [])]);
  work.requestMask(0xffffffff);
  expect([work.started, work.mask]).toEqual([true, ROLLING_MASK]);
});

test('it follows its route, and keeps its place until there is another', async () => {
  const upstream = (name: string, state = 'connected') => ({
    state,
    connectionsFor: () => ({ join: () => sent.push(`join ${name}`), leave: () => sent.push(`leave ${name}`) }),
  });
  const [a, b, unreadable] = [upstream('a'), upstream('b'), upstream('c', 'unreadable')];
  let changed = (): unknown => undefined;
  const subscribe = (listener: () => void) => ((changed = listener), () => sent.push('unsubscribed'));
  const release = () => sent.push('released');
  const route = {
    current: null as object | null,
    states: [a],
    ready: Promise.resolve(),
    blocked: null,
    subscribe,
    release,
  };
  const work = workOf(undefined, route);
  const seats = [placeOf(2), placeOf(2)].map(({ seat, shared }, nth) => {
    Object.assign(shared, { upstream: [a, b][nth] });
    return seat;
  }) as [Seat, Seat];
  const says = (what: () => unknown, ...expected: string[]) => {
    sent = [];
    what();
    expect(sent).toEqual(expected);
  };
  const turn = (to: object | null) => () => {
    route.current = to;
    changed();
  };
  says(() => work.failed());
  says(() => work.lost(null));
  await work.start(account, null);
  says(() => work.failed());
  says(turn(a), 'join a');
  says(turn(a), 'leave a', 'join a');
  says(() => work.seated(seats[0]));
  says(() => work.lost(null));
  says(turn(a));
  says(turn(b), 'join b');
  says(() => work.lost(seats[1]));
  says(turn(a), 'leave b');
  says(() => work.lost(seats[0]), 'join a');
  says(() => work.lost(null), 'leave a', 'join a');
  says(() => work.seated(seats[0]));
  route.states = [b, a];
  says(() => work.failed());
  says(turn(b), 'join b');
  says(() => work.seated(seats[1]), 'left');
  route.states = [a];
  says(() => work.failed(), 'left');
  says(() => work.seated(seats[1]));
  says(turn(unreadable), 'left');
  says(turn(a), 'join a');
  says(turn(null), 'leave a');
  says(turn(a), 'join a');
  says(() => work.stop(), 'unsubscribed', 'leave a', 'released');
  says(() => work.lost(null));
});

test.each([true, false])('a miner that takes another extranonce (%j) gets it, another comes again for it', (takes) => {
  const work = workOf();
  work.subscribe('test/1');
  if (takes) work.takesExtranonce = true;
  work.relayout({ extranonce1: '0a', extranonce2Size: 3 });
  expect(sent).toEqual([takes ? ['mining.set_extranonce', ['0a', 3]] : 'other extranonce']);
});
