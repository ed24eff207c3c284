import type { ChartEvent } from '@pool/shared';
import { clustersOf, outageBars, type Times } from './clusters';
import { comparedOf, earlierPoints, meansOf } from './compared';

const times: Times = { x: (at) => at - 1000, from: 1000, to: 1800, toEnd: true };
const payout = (at: number): ChartEvent => ({ kind: 'payout', at, amountSat: 1 });

test('events nearer than a target share a mark; those outside are left out', () => {
  const clusters = clustersOf([payout(900), payout(1100), payout(1110), payout(1200), payout(1900)], times);
  expect(clusters.map(({ x, events }) => [x, events.length])).toEqual([
    [100, 2],
    [200, 1],
    // A time after the last whole step is at the end.
    [800, 1],
  ]);
  expect(clustersOf([payout(1900)], { ...times, toEnd: false })).toEqual([]);
});

test('an outage is a part of the axis, also one that began earlier or lasts', () => {
  const out = (at: number, until: number | null): ChartEvent => ({ kind: 'outage', at, until, why: 'server' });
  expect(outageBars([out(500, 1100), out(1300, 1500), out(1700, null), out(500, 900)], times)).toEqual([
    { x: 0, width: 100 },
    { x: 300, width: 200 },
    { x: 700, width: 100 },
  ]);
});

test('an earlier time step by step, and the means of what both have', () => {
  const series = (from: number, accepted: (number | null)[]) => ({
    from,
    step: 600,
    accepted,
    stale: [],
    rejected: [],
  });
  const now = series(86_400, [1, null, 3, 4]);
  expect(earlierPoints(now, series(0, [5, 6, null, 8]), 1)).toEqual([5, 6, null, 8]);
  // Asked for a step later.
  expect(earlierPoints(now, series(600, [5, 6, 7, 8]), 1)).toEqual([null, 5, 6, 7]);
  expect(meansOf(now.accepted, [5, 6, null, 8])).toEqual({ now: 2.5, before: 6.5 });
  expect(meansOf([null], [1])).toBeNull();
});

test('a timeframe is compared with a time that is not part of it', () => {
  expect(comparedOf('day', 'd1')).toBe('day');
  expect(comparedOf('day', 'd7')).toBeUndefined();
  expect(comparedOf('month', 'd1')).toBeUndefined();
});
