import { earningMath } from '../../../testing/answers';
import { differences, recompute } from './recompute';

test('every figure of an earning follows from its work, price and terms', () => {
  const math = earningMath();
  expect(recompute(math)).toMatchObject({
    measuredHashrate: 21.36e15,
    meanHashrate: 21.36e15,
    computedGrossSat: 1_046_640,
    grossSat: 1_046_640,
    feeSat: 15_700,
    netSat: 1_030_940,
    referralSat: 1_570,
    poolSat: 14_130,
  });
  expect(differences(math)).toEqual([]);
});

test("a newcomer's hashrate is adjusted; an admin's correction replaces the computed amount", () => {
  const newcomer = earningMath({ newcomer: { adjustPercent: 10, poolPriceBtc: 0.0004 } });
  expect(recompute(newcomer).meanHashrate).toBeCloseTo(23.496e15, -3);
  const note = 'clock was wrong';
  const adjustments = [{ at: '2026-11-21T08:00:00.000Z', grossSatBefore: 1_046_640, grossSat: 900_000, note }];
  const adjusted = earningMath({ adjustments, grossSat: 900_000, feeSat: 13_500, netSat: 886_500, referralSat: 1_350 });
  expect(recompute(adjusted)).toMatchObject({ computedGrossSat: 1_046_640, grossSat: 900_000, netSat: 886_500 });
  expect(differences({ ...adjusted, poolSat: 12_150 })).toEqual([]);
});

test('a satoshi more or less is a difference', () => {
  expect(differences(earningMath({ netSat: 1_030_941 }))).toEqual(['netSat']);
  expect(differences(earningMath({ work: 1 }))).toEqual([
    'measuredHashrate',
    'meanHashrate',
    'exactGrossSat',
    'computedGrossSat',
    'grossSat',
    'feeSat',
    'netSat',
    'referralSat',
    'poolSat',
  ]);
});

test.each([
  [1, 50, 1],
  [3, 50, 2],
  [199, 0.5, 1],
  [100, 0.4, 0],
])('of %d sat a fee of %d %% is %d sat', (gross, percent, fee) => {
  const note = 'as in the test';
  const adjustments = [{ at: '2026-11-21T08:00:00.000Z', grossSatBefore: 1, grossSat: gross, note }];
  expect(recompute(earningMath({ adjustments, feePercent: percent })).feeSat).toBe(fee);
});
