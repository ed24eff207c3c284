/** What a miner asks of its work before it has any. */
import type { Upstreams } from '../failover/upstreams';
import { ROLLING_MASK } from '../wire/version-rolling';
import type { Wire } from '../wire/wire';
import { Layouts } from './layouts';
import { MinerWork } from './miner-work';

function workOf(usual?: { extranonce: { size: number }; versionMask: number }): MinerWork {
  const upstreams = { usual: () => usual } as unknown as Upstreams;
  const deps = { algorithm: 'SHA256_ASICBOOST', upstreams, layouts: new Layouts() } as const;
  return new MinerWork('192.0.2.1', deps, {} as Wire, { onDifficulty: () => undefined, end: () => undefined });
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
