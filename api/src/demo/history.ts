/**
 * The demo's past, as buckets for the accounting: minutes for the last days, then coarser. The fine steps do not reach
 * back as far as the pool keeps them: no chart shows them that old, and the first start is twice as fast.
 */
import { ALGORITHMS } from '@pool/shared/domain';
import type { Bucket } from '../shares/rollup';
import { FLEET, type RigSpec } from './fleet';
import { effort, losses } from './profile';
import { poisson, stream } from './random';

const DAY = 86_400;
const HISTORY_DAYS = 90;
/** Younger than so many days: in steps of so many seconds, looked at so often within a step. */
const GRAINS = [
  { days: 2, span: 60, looks: 1 },
  { days: 10, span: 600, looks: 2 },
  { days: HISTORY_DAYS, span: 3600, looks: 4 },
] as const;

function bucketOf(
  rig: RigSpec,
  subAccountId: number,
  at: number,
  span: number,
  looks: number,
  start: number,
  random: () => number,
): Bucket | null {
  let part = 0;
  for (let look = 0; look < looks; look += 1) part += effort(rig, at + ((look + 0.5) * span) / looks, start) / looks;
  if (part === 0) return null;
  const mean = (part * rig.hashrate * span) / (rig.difficulty * ALGORITHMS[rig.algorithm].hashesPerDifficulty);
  const loss = losses(rig);
  const shares = poisson(mean * (1 - loss.stale - loss.rejected), random);
  const stale = poisson(mean * loss.stale, random);
  const rejected = poisson(mean * loss.rejected, random);
  if (shares + stale + rejected === 0) return null;
  return {
    subAccountId,
    algorithm: rig.algorithm,
    worker: rig.worker,
    at,
    span,
    shares,
    accepted: shares * rig.difficulty,
    stale: stale * rig.difficulty,
    rejected: rejected * rig.difficulty,
    lastShareAt: shares > 0 ? Math.floor(at + span * (0.7 + 0.3 * random())) : null,
  };
}

/** Chunks of a day, oldest first, up to the minute before `start`. `accounts`: id of each account's name. */
export function* historyChunks(accounts: ReadonlyMap<string, number>, start: number): Generator<Bucket[]> {
  const random = stream(20_260_101);
  const today = start - (start % DAY);
  const end = start - (start % 60);
  for (let ago = HISTORY_DAYS; ago >= 0; ago -= 1) {
    const day = today - ago * DAY;
    // Whole days have one grain: a step never mixes two.
    const grain = GRAINS.find(({ days }) => ago < days) ?? GRAINS[GRAINS.length - 1];
    if (!grain) return;
    const buckets: Bucket[] = [];
    for (const rig of FLEET) {
      const subAccountId = accounts.get(rig.account);
      if (subAccountId === undefined) continue;
      for (let at = day; at + grain.span <= Math.min(day + DAY, end); at += grain.span) {
        const bucket = bucketOf(rig, subAccountId, at, grain.span, grain.looks, start, random);
        if (bucket) buckets.push(bucket);
      }
    }
    yield buckets;
  }
}
