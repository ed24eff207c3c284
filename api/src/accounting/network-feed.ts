/**
 * The Bitcoin network's difficulty and the estimate of its next change, from the operator's feed (NETWORK_FEED_URL), a
 * server with the REST API of mempool. What it said last stays, with its time; nothing is shown that cannot be.
 */
import type { NetworkDifficulty } from '@pool/shared/api/contract';
import { z } from 'zod';
import type { Logger } from '../log';
import { textOf } from './price-source';

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
const hashrate = z.object({ currentDifficulty: z.number().min(1).max(1e30) });

/** Throws without a possible answer. `now`: Unix seconds. */
export async function readNetwork(url: string, now: number, timeoutMs?: number): Promise<NetworkDifficulty> {
  const base = url.replace(/\/$/, '');
  const read = async (path: string): Promise<unknown> => JSON.parse(await textOf(`${base}${path}`, timeoutMs));
  const { currentDifficulty } = hashrate.parse(await read('/api/v1/mining/hashrate/3d'));
  const { difficultyChange, estimatedRetargetDate, remainingBlocks } = adjustment.parse(
    await read('/api/v1/difficulty-adjustment'),
  );
  const ahead = estimatedRetargetDate - now * 1000;
  if (ahead < -DAY_MS || ahead > LONGEST_MS)
    throw new Error('the network feed says an impossible time of the next change');
  return {
    difficulty: currentDifficulty,
    changePercent: difficultyChange,
    changeAt: new Date(estimatedRetargetDate).toISOString(),
    remainingBlocks,
    at: new Date(now * 1000).toISOString(),
  };
}

export type NetworkFeed = { last(): NetworkDifficulty | null; stop(): Promise<void> };

/** Reads the feed now and every ten minutes. */
export function startNetworkFeed({ url, log, now }: { url: string; log: Logger; now: () => number }): NetworkFeed {
  let last: NetworkDifficulty | null = null;
  let running: Promise<void> = Promise.resolve();
  const run = (): void => {
    running = readNetwork(url, now()).then(
      (read) => void (last = read),
      (error: unknown) => log.warn({ err: error }, 'the network feed cannot be read; what it said last stays'),
    );
  };
  run();
  const timer = setInterval(run, READ_INTERVAL_MS).unref();
  return {
    last: () => last,
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
}
