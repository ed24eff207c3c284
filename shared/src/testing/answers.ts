import type { Answer } from '../api/client';

export const payoutSettings: Answer<'GET /payoutSettings'> = {
  account: 'northfield',
  thresholdSat: 500_000,
  paused: false,
  leastSat: 10_000,
  mostSat: 10_000_000_000,
};

/** A user with one sub-account. */
export const subAccounts: Answer<'GET /subAccounts/'> = {
  user: {
    id: 1,
    userName: 'northfield',
    email: null,
    role: 'miner',
    isLegacyUser: false,
    createdAt: '2026-01-01T00:00:00Z',
  },
  subAccounts: [{ id: 7, name: 'northfield', ports: {}, proxyPort: null }],
};
