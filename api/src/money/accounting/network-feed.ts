/**
 * The Bitcoin network's difficulty and the estimate of its next change, from the operator's feed (NETWORK_FEED_URL), a
 * server with the REST API of mempool. What it said last stays, with its time; nothing is shown that cannot be.
 */
import type { NetworkDifficulty } from '@pool/shared/api/contract';
import { z } from 'zod';
import { every } from '../../platform/every';
import { type FeedOptions, jsonOf } from './price-source';
import { noteRead } from './unread';

const READ_INTERVAL_MS = 600_000;
const DAY_MS = 86_400_000;
/** Blocks from one change of the difficulty to the next, and how long they may take at the most. */
const EPOCH = 2016;
const LONGEST_MS = 60 * DAY_MS;

const adjustment = z.object({
  /** Percent; one change is by a factor of four at the most. */
  difficultyChange: z.number().min(-75).max(300),
  /** Unix milliseconds. */
  estimatedRetargetDate: z.number(),
  remainingBlocks: z.int().min(0).max(EPOCH),
});
const difficulty = z.number().min(1).max(1e30);
const hashrate = z.object({ currentDifficulty: difficulty });
const blocks = z.array(z.object({ difficulty })).min(1);

type Difficulty = Pick<NetworkDifficulty, 'difficulty'>;
type Change = Omit<NetworkDifficulty, 'difficulty' | 'at'>;
type Read = (path: string) => Promise<unknown>;

/** A server without an index of hashrates says the difficulty with its blocks only. */
async function readDifficulty(read: Read): Promise<Difficulty> {
  try {
    return { difficulty: hashrate.parse(await read('/api/v1/mining/hashrate/3d')).currentDifficulty };
  } catch {
    return { difficulty: blocks.parse(await read('/api/v1/blocks'))[0]?.difficulty ?? 0 };
  }
}

async function readChange(read: Read, now: number): Promise<Change> {
  const said = adjustment.parse(await read('/api/v1/difficulty-adjustment'));
  const ahead = said.estimatedRetargetDate - now * 1000;
  if (ahead < -DAY_MS || ahead > LONGEST_MS)
    throw new Error('the network feed says an impossible time of the next change');
  return {
    changePercent: said.difficultyChange,
    changeAt: new Date(said.estimatedRetargetDate).toISOString(),
    remainingBlocks: said.remainingBlocks,
  };
}

/** Each of the two stands for itself. `now`: Unix seconds. */
export async function readNetwork(url: string, now: number, timeoutMs?: number) {
  const base = url.replace(/\/$/, '');
  const read: Read = (path) => jsonOf(`${base}${path}`, timeoutMs);
  const [difficulty, change] = await Promise.allSettled([readDifficulty(read), readChange(read, now)]);
  return { difficulty, change };
}

export type NetworkFeed = { last(): NetworkDifficulty | null; stop(): Promise<void> };

/** Reads the feed now and every ten minutes. */
export function startNetworkFeed({ pool, url, log, now }: FeedOptions): NetworkFeed {
  /** Figures that were read last, and when (Unix seconds). */
  const known: { difficulty?: Difficulty & { at: number }; change?: Change & { at: number } } = {};
  const read = async (): Promise<void> => {
    const { difficulty, change } = await readNetwork(url, now());
    for (const [entry, said] of Object.entries({ difficulty, change }))
      if (said.status === 'rejected')
        log.warn({ err: said.reason as unknown, entry }, 'the network feed cannot be read; what it said last stays');
    if (difficulty.status === 'fulfilled') known.difficulty = { ...difficulty.value, at: now() };
    if (change.status === 'fulfilled') known.change = { ...change.value, at: now() };
    const found = { difficulty: difficulty.status === 'fulfilled', change: change.status === 'fulfilled' };
    await noteRead(pool, 'network', found, now());
  };
  return {
    ...every(READ_INTERVAL_MS, read, log, 'what the network feed lacks is not recorded'),
    last: () => {
      const { difficulty, change } = known;
      if (!difficulty || !change) return null;
      return { ...difficulty, ...change, at: new Date(Math.min(difficulty.at, change.at) * 1000).toISOString() };
    },
  };
}
