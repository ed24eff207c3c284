/** Upstream pools for tests: a list of three for SHA256, one for SCRYPT. */
import type { Answer, PoolConfig, SubAccountPoolConfig } from '@pool/shared';

export const listed = (id: number, name: string, facts: Partial<SubAccountPoolConfig> = {}): SubAccountPoolConfig => ({
  id,
  subAccountId: 7,
  poolConfigId: id + 100,
  algo: 'SHA256_ASICBOOST',
  name,
  url: `stratum+tcp://${name.toLowerCase()}.example:3333`,
  priority: id,
  enabled: true,
  state: 'standby',
  latencyMs: 38,
  lastError: null,
  lastSwitchAt: null,
  rejectRate: 0.0018,
  ...facts,
});

export const lists = [
  listed(1, 'North', { state: 'active', lastSwitchAt: 1_795_180_000 }),
  listed(2, 'Lake', { state: 'auth_failed', latencyMs: null, rejectRate: null }),
  listed(3, 'Solo', { enabled: false, state: 'disabled', latencyMs: null, rejectRate: null }),
  listed(4, 'Litecoin', { algo: 'SCRYPT', priority: 1, state: 'down', latencyMs: null }),
];

const saved = (id: number, name: string, facts: Partial<PoolConfig> = {}): PoolConfig => ({
  id,
  name,
  algorithm: 'SHA256_ASICBOOST',
  url: `stratum+tcp://${name.toLowerCase()}.example:3333`,
  user: 'wallet.rig',
  passwordSet: true,
  uses: 1,
  ...facts,
});
export const savedPools = [saved(101, 'North'), saved(109, 'Spare', { uses: 0, passwordSet: false })];

export const hold = (facts: Partial<Answer<'GET /poolHold'>> = {}): Answer<'GET /poolHold'> => ({
  on: true,
  hours: 72,
  offAt: null,
  until: null,
  inForce: [],
  ...facts,
});

const switched = { kind: 'switch', algorithm: 'SHA256_ASICBOOST' } as const;
export const switches: Answer<'GET /timeline'> = {
  rows: [
    { ...switched, id: 'switch-2', at: 1_795_184_940, from: 'Lake', to: 'North', why: 'returned' },
    { ...switched, id: 'switch-1', at: 1_795_183_000, from: 'North', to: null, why: 'auth_failed', sat: -1200 },
  ],
  nextCursor: null,
};

export const hashrates: Answer<'GET /getLiveHashrates/'> = {
  m5: 21.38e15,
  m15: 21.38e15,
  h1: 21.38e15,
  h24: 21.3e15,
  shares24h: 160_000,
  at: 1_795_185_120,
};
