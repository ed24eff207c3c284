import type { Answer } from '../api/client';
import type { Connection, Payment } from '../api/schemas';

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

/** A payout that waits; `facts` overrides fields. */
export const payout = (facts: Partial<Payment> = {}): Payment => ({
  id: 48131,
  account: 'northfield',
  subAccountId: 7,
  periodFrom: '2026-10-01',
  periodTo: '2026-11-18',
  amountSat: 5_474_000,
  networkFeeSat: 310,
  address: 'bc1qggn2kq0y8c5q4hvkz3y8x4z7h0p9d3j2hd2ld3',
  txid: null,
  status: 'queued',
  reason: null,
  trigger: 'auto',
  createdAt: '2026-11-19T00:30:00.000Z',
  queuedAt: null,
  sentAt: null,
  confirmedAt: null,
  usdAtSend: null,
  ...facts,
});

/** The upstream pool that is mined at; `facts` overrides fields. */
export const upstream = (facts: Partial<Answer<'GET /upstreams'>[number]> = {}): Answer<'GET /upstreams'>[number] => ({
  algorithm: 'SHA256_ASICBOOST',
  name: 'North',
  url: 'stratum+tcp://north.example:3333',
  state: 'active',
  priority: 1,
  of: 3,
  latencyMs: 38,
  lastSwitchAt: null,
  lastSwitchWhy: null,
  connections: 212,
  ...facts,
});

type Entry = Answer<'GET /audit'>['rows'][number];
/** An entry of the audit log; `facts` overrides fields. */
export const auditEntry = (facts: Partial<Entry> = {}): Entry => ({
  id: 1,
  at: '2026-11-20T10:00:00.000Z',
  userName: 'boss',
  action: 'user.update',
  subject: 'kestrel',
  before: null,
  after: null,
  ip: '10.0.0.1',
  ...facts,
});

type Statistics = Answer<'GET /getPoolStatistics'>[number];
/** The pool's figures of SHA256; `facts` overrides fields. */
export const poolStatistics = (facts: Partial<Statistics> = {}): Statistics => ({
  algo: 'SHA256_ASICBOOST',
  hashrate: 8e15,
  dailyRevenueBtc: 0.004,
  priceBtc: 0.0005,
  priceSet: true,
  feePercent: 2,
  workersOnline: 1,
  minersOnline: 1,
  ...facts,
});

/** The balance of an account that reaches its threshold on 21 November 2026; `facts` overrides fields. */
export const balance = (facts: Partial<Answer<'GET /payment/'>> = {}): Answer<'GET /payment/'> => ({
  unpaidSat: 3_412_000,
  thresholdSat: 5_000_000,
  nextPayout: { at: '2026-11-22T00:30:00.000Z', reason: 'below_threshold', sooner: null },
  yesterdaySat: 1_027_000,
  yesterdayEstimated: false,
  yesterdayBtcPriceUsd: 96_241,
  todayEstimateSat: 1_031_000,
  todayBtcPriceUsd: 97_240,
  paceSat: 1_027_000,
  paidTotalSat: 409_274_000,
  payouts: 81,
  lastDaysSat: Array.from({ length: 14 }, (_, i) => 1_020_000 + i * 500),
  last: null,
  ...facts,
});

/** Where miners of `northfield` connect; `facts` overrides fields. */
export const connection = (facts: Partial<Connection> = {}): Connection => ({
  algorithm: 'SHA256_ASICBOOST',
  host: 'sha.pool.example',
  port: 3311,
  tlsPort: null,
  exampleUser: 'northfield.rig-01',
  dedicated: false,
  passwordSet: false,
  upstream: true,
  ...facts,
});

/** What a fetch gets from the server. */
export const jsonResponse = (body: unknown): Response =>
  ({
    ok: true,
    status: 200,
    headers: new Headers({ 'content-type': 'application/json' }),
    json: async () => body,
    text: async () => JSON.stringify(body),
  }) as Response;
