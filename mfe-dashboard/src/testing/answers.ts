/** API responses for tests, typed by the contract. The arguments override single fields. */
import type { Answer, Series } from '@pool/shared';
import { balance, connection, type FakeAnswers, subAccounts, upstream } from '@pool/shared/testing';

const NOW = 1_795_185_120; // 2026-11-20T14:32:00Z

export const series = (facts: Partial<Series> = {}): Series => {
  const accepted =
    facts.accepted ??
    Array.from({ length: 143 }, (_, i) => (i === 77 || i === 78 ? null : 21.3e15 + (i % 5) * 0.05e15));
  const part = (share: number) => accepted.map((hs) => (hs === null ? null : hs * share));
  return { from: NOW - 143 * 600, step: 600, accepted, stale: part(0.0038), rejected: part(0.0021), ...facts };
};

export const live = (facts: Partial<Answer<'GET /proxyLiveHashchart/'>> = {}): Answer<'GET /proxyLiveHashchart/'> => ({
  series: series({ from: NOW - 120 * 60, step: 60, accepted: Array.from({ length: 120 }, () => 21.4e15) }),
  current: { m5: 21.43e15, m15: 21.4e15, h1: 21.38e15, h24: 21.31e15 },
  quality24h: { accepted: 9941, stale: 38, rejected: 21, shares: 160_000 },
  at: NOW,
  ...facts,
});

export const counts = (facts: Partial<Answer<'GET /getWorkerCount/'>> = {}): Answer<'GET /getWorkerCount/'> => ({
  online: 201,
  low: 6,
  offline: 5,
  inactive: 9,
  total: 212,
  ...facts,
});

const connections: Answer<'GET /connectionInfo/'> = [
  connection(),
  connection({ algorithm: 'SCRYPT', host: 'ltc.pool.example', port: 3312 }),
];

const upstreams = (connections = 212): Answer<'GET /upstreams'> => [
  upstream({
    name: 'Northern primary',
    url: 'stratum+tcp://eu1.upstream.example:443',
    of: 4,
    latencyMs: 23,
    lastSwitchAt: NOW - 1500,
    lastSwitchWhy: 'restored',
    connections,
  }),
  upstream({
    algorithm: 'SCRYPT',
    name: 'LTC backup',
    url: 'stratum+tcp://ltc2.backup.example:443',
    state: 'down',
    priority: 2,
    of: 2,
    latencyMs: null,
    connections: 0,
  }),
];

/** One miner is connected, or none. */
export const arrivals = (connected = 0, refused: Answer<'GET /arrivals'>['refused'] = []): Answer<'GET /arrivals'> => ({
  nameless: [],
  connected: Array.from({ length: connected }, (_, i) => ({
    worker: `rig-0${i + 1}`,
    algorithm: 'SHA256_ASICBOOST' as const,
    software: null,
    since: Math.floor(Date.now() / 1000),
    difficulty: 65_536,
    hashrate: null,
    refusedShares: 0,
    lowDifficulty: false,
  })),
  mining: {},
  refused,
});

/** All that the page asks for. */
export const answers = (more: FakeAnswers = {}): FakeAnswers => ({
  'GET /proxyLiveHashchart/': live(),
  'GET /proxyHashchart/': series(),
  'GET /getWorkerCount/': counts(),
  'GET /payment/': balance(),
  'GET /homePrice/': { price: 97_240, at: null, stale: false },
  'GET /upstreams': upstreams(),
  'GET /connectionInfo/': connections,
  'GET /timeline': { rows: [], nextCursor: null },
  'GET /workerGroups/': [],
  'GET /subAccounts/': subAccounts,
  'GET /getPoolStatistics': [],
  ...more,
});
