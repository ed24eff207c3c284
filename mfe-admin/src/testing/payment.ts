import { payout } from '@pool/shared/testing';
import type { AdminPayment } from '../api/payments';

export const payment = (facts: Partial<AdminPayment> = {}): AdminPayment => ({
  ...payout({
    id: 1,
    periodFrom: '2026-11-01',
    networkFeeSat: 0,
    address: '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2',
    status: 'pending',
    reason: 'review',
    createdAt: '2026-11-16T08:00:00.000Z',
  }),
  userName: 'northfield',
  note: null,
  version: 3,
  key: '0b8f9a52-6a35-4d4e-9c1e-0a5f1f1d2c3b',
  approvedBy: null,
  heldUntil: null,
  ...facts,
});
