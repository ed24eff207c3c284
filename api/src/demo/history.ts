/** The demo's history as buckets, finer for late hours only: making fine steps takes most of the first start. */
import { ALGORITHMS } from '@pool/shared/domain';
import type { Bucket } from '../mining/shares/rollup';
import { FLEET, type RigSpec } from './fleet';
import { effort, losses } from './profile';
import { poisson, stream } from './random';

const DAY = 86_400;
const HOUR = 3600;
const HISTORY_DAYS = 90;
/** Older hours are one bucket each, sampled four times. */
const HOURS = { span: HOUR, samples: 4 };
/** Rules for hours that ended less than `ended` seconds ago: buckets of `span` seconds, each sampled `samples` times. */
const GRAINS = [
  // The live view shows two hours by the minute.
  { ended: 3 * HOUR, span: 60, samples: 1 },
  { ended: 9 * DAY, span: 600, samples: 2 },
];

/** What a rig does in a step at `part` of its hashrate; null: no share. */
export function bucketOf(
  rig: RigSpec,
  { subAccountId, at, span }: Pick<Bucket, 'subAccountId' | 'at' | 'span'>,
  part: number,
  random: () => number,
): Bucket | null {
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

/** One chunk a day, oldest first, up to the minute before `start` (Unix seconds). `accounts`: ids by name. */
export function* historyChunks(
  accounts: ReadonlyMap<string, number>,
  start: number,
  days = HISTORY_DAYS,
): Generator<Bucket[]> {
  const random = stream(20_260_101);
  const today = start - (start % DAY);
  const end = start - (start % 60);
  for (let ago = days; ago >= 0; ago -= 1) {
    const day = today - ago * DAY;
    const buckets: Bucket[] = [];
    for (const rig of FLEET) {
      const subAccountId = accounts.get(rig.account);
      if (subAccountId === undefined) continue;
      for (let hour = day; hour < Math.min(day + DAY, end); hour += HOUR) {
        // No step of the accounting mixes two grains: an hour has one.
        const { span, samples } = GRAINS.find(({ ended }) => start - hour - HOUR < ended) ?? HOURS;
        for (let at = hour; at + span <= Math.min(hour + HOUR, end); at += span) {
          let part = 0;
          for (let sample = 0; sample < samples; sample += 1)
            part += effort(rig, at + ((sample + 0.5) * span) / samples, start) / samples;
          const bucket = bucketOf(rig, { subAccountId, at, span }, part, random);
          if (bucket) buckets.push(bucket);
        }
      }
    }
    yield buckets;
  }
}
