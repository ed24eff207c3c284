/** Answers of public-pool's API that its page of a miner asks for: ten workers that mine for themselves. */
const WORKERS = 10;
const STEP_MS = 600_000;
/** Of a day. */
const STEPS = 144;
const MINUTE_MS = 60_000;
const MODE = 'solo';

const ago = (ms: number): string => new Date(Date.now() - ms).toISOString();
const hashrate = (i: number): number => Math.round(1.1e12 + 2e11 * Math.sin(i / 7) + 5e10 * Math.sin(i * 2.3));

const workers = () =>
  Array.from({ length: WORKERS }, (_, i) => ({
    sessionId: (0x5e551000 + i * 7919).toString(16),
    name: `rig${i + 1}`,
    bestDifficulty: 1.3e9 * (i + 1),
    hashRate: hashrate(i),
    startTime: ago((i + 1) * 71 * MINUTE_MS),
    lastSeen: ago((i % 4) * MINUTE_MS),
    payoutMode: MODE,
  }));

const miner = () => ({
  bestDifficulty: 13_000_000_000,
  workersCount: WORKERS,
  workers: workers(),
  accounting: {
    totalCreditedDifficulty: 221_000_000,
    creditedDifficultyLast10Minutes: 1_536_000,
    creditedDifficultyLastHour: 9_216_000,
    hashRateLast10Minutes: 1.1e13,
    hashRateLastHour: 1.1e13,
    bestSubmissionDifficulty: 13_000_000_000,
  },
});

const chart = () =>
  Array.from({ length: STEPS }, (_, i) => ({
    label: ago((STEPS - i) * STEP_MS),
    data: hashrate(i) * WORKERS,
    shares: 1_536_000,
    payoutMode: MODE,
  }));

const network = () => ({
  blocks: 975_000,
  currentblockweight: 3_993_000,
  difficulty: 155_970_000_000_000,
  networkhashps: 9.8e20,
  pooledtx: 4_120,
  chain: 'main',
});

/** The answer to `pathname`; undefined for what that page does not ask for. */
export function peerAnswer(pathname: string): unknown {
  if (pathname === '/api/network') return network();
  if (!pathname.startsWith('/api/client/')) return undefined;
  return pathname.includes('/chart') ? chart() : miner();
}
