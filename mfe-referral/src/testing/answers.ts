/** API responses for tests. */
import type { Payment } from '@pool/shared';

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

export const payment: Payment = {
  id: 7,
  account: 'northfield',
  subAccountId: 1,
  periodFrom: '2026-10-01',
  periodTo: '2026-11-18',
  amountSat: 200_000,
  networkFeeSat: 310,
  address: ADDRESS,
  txid: 'aa'.repeat(32),
  status: 'confirmed',
  reason: null,
  trigger: 'referral',
  createdAt: '2026-11-19T00:30:00.000Z',
  queuedAt: null,
  sentAt: null,
  confirmedAt: null,
  usdAtSend: null,
};
