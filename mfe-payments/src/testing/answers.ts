/** API responses for tests, typed by the contract. The arguments override single fields. */
import type { Answer, Earning, Payment } from '@pool/shared';
import type { FakeAnswers } from '@pool/shared/testing';
import { closedSums } from '../pages/payments/earnings/ledger';

const TODAY = '2026-11-20';

export const earning = (facts: Partial<Earning> = {}): Earning => ({
  day: TODAY,
  account: 'northfield',
  algorithm: 'SHA256_ASICBOOST',
  meanHashrate: 21.36e15,
  priceBtc: 0.00049,
  grossSat: 1_046_699,
  feeSat: 15_700,
  referralSat: 0,
  netSat: 1_030_998,
  btcPriceUsd: 97_240,
  status: 'estimated',
  ...facts,
});

export const months = (sats = 39_100_000): Answer<'GET /earnings/monthly'> =>
  Array.from({ length: 12 }, (_, i) => ({
    month: new Date(Date.UTC(2025, 11 + i, 1)).toISOString().slice(0, 7),
    netSat: sats,
  }));

export const history =
  (
    earnings: Earning[],
    payouts: Payment[] = [],
    total?: number,
    nextCursor: string | null = null,
    explorer: string | null = null,
  ): NonNullable<FakeAnswers['GET /paymentsHistory/']> =>
  ({ query }) =>
    query?.kind === 'payouts'
      ? { kind: 'payouts', rows: payouts, total: total ?? payouts.length, nextCursor, explorer }
      : { kind: 'earnings', rows: earnings, total: total ?? earnings.length, sums: closedSums(earnings), nextCursor };

/** 21.36 PH/s for a day, as the server answers. */
export const earningChanges: Answer<'GET /earnings/{day}/changes'> = {
  day: '2026-11-19',
  netSat: 990_000,
  against: [
    {
      days: 1,
      beforeSat: 1_000_000,
      lines: [
        { cause: 'hashrate', sats: -15_000 },
        { cause: 'price', sats: 5_000 },
      ],
    },
    { days: 7, beforeSat: 980_000, lines: [{ cause: 'uptime', sats: 10_000 }] },
  ],
};

export const earningMath = (
  facts: Partial<Answer<'GET /earnings/{day}/math'>> = {},
): Answer<'GET /earnings/{day}/math'> => ({
  account: 'northfield',
  algorithm: 'SHA256_ASICBOOST',
  day: '2026-11-19',
  status: 'final',
  closedAt: '2026-11-20T00:05:00.000Z',
  from: Date.UTC(2026, 10, 19) / 1000,
  seconds: 86_400,
  shares: 27_741,
  work: (21.36e15 * 86_400) / 2 ** 32,
  hashesPerDifficulty: 2 ** 32,
  measuredHashrate: 21.36e15,
  newcomer: null,
  meanHashrate: 21.36e15,
  priceBtc: 0.00049,
  priceUnit: 'PH/s',
  priceUnitHs: 1e15,
  btcPriceUsd: 97_240,
  exactGrossSat: 1_046_640,
  computedGrossSat: 1_046_640,
  grossSat: 1_046_640,
  feePercent: 1.5,
  exactFeeSat: 15_699.6,
  feeSat: 15_700,
  referralPercent: 10,
  exactReferralSat: 1_570,
  referralSat: 1_570,
  poolSat: 14_130,
  netSat: 1_030_940,
  steps: [],
  adjustments: [],
  ...facts,
});
