/** API responses for tests. */
import { payout } from '@pool/shared/testing';

export const ADDRESS = 'bc1qggn2kq0y8c5q4hvkz3y8x4z7h0p9d3j2hd2ld3';

export const accrual = {
  day: '2026-11-19',
  name: 'ho***',
  algorithm: 'SHA256_ASICBOOST',
  baseFeeSat: 15_700,
  ratePercent: 10,
  amountSat: 1_570,
  status: 'payable',
} as const;

export const payment = payout({
  amountSat: 200_000,
  txid: 'aa'.repeat(32),
  status: 'confirmed',
  trigger: 'referral',
});
