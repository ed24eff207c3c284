/** What a miner asks of its work before it has any, and what work that the demo scales does to its difficulty. */
import type { Upstreams } from '../failover/upstreams';
import type { Seat } from '../upstream/shared-connection';
import type { SharedJob } from '../upstream/shared-job';
import { ROLLING_MASK } from '../wire/version-rolling';
import type { Wire } from '../wire/wire';
import { Layouts } from './layouts';
import { MinerWork } from './miner-work';

const told: number[] = [];
const onDifficulty = (difficulty: number) => told.push(difficulty);
beforeEach(() => told.splice(0));

function workOf(usual?: { extranonce: { size: number }; versionMask: number }, wire: object = {}): MinerWork {
  const upstreams = { usual: () => usual } as unknown as Upstreams;
  const deps = { algorithm: 'SHA256_ASICBOOST', upstreams, layouts: new Layouts() } as const;
  return new MinerWork('192.0.2.1', deps, wire as Wire, { onDifficulty, end: () => undefined });
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
  const sent: unknown[] = [];
  const wire = { send: (line: string) => sent.push(line), notify: (...line: unknown[]) => sent.push(line) };
  const work = workOf(undefined, wire);
  work.requestMask(ROLLING_MASK);
  const connection = { versionMask: ROLLING_MASK, target: { nominal: from === null ? undefined : { from, scale: 2 } } };
  const shared: { connection: object; job?: SharedJob } = { connection };
  work.seated({ slot: { lane: '01', own: '00', numberBytes: 2, single: false }, shared } as unknown as Seat);
  // There is no job yet that could be sent at that difficulty.
  if (asked !== null) work.askDifficulty(asked);
  expect(sent).toEqual([]);
  const common = { prevHash: '', coinb1: '', coinb2: '', branches: [], nbits: '', ntime: '65000000' };
  const extranonce = { extranonce1: 'ab', size: 8 };
  const job = { connection, extranonce, sent: common, version: 0, versionMask: 0, work: 'w', lowest: 1e9 };
  shared.job = job as unknown as SharedJob;
  work.onJob(shared.job, true);
  for (let share = 0; share < 8; share += 1) work.found(told[0]!);
  expect(told.length === 1).toBe(isFixed);
  if (asked !== null) expect(told[0]).toBe(asked);
  connection.versionMask = 0x4000;
  work.onVersionMask();
  expect(sent.at(-1)).toEqual(['mining.set_version_mask', ['00004000']]);
});
