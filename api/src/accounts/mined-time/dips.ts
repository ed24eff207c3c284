/** Times at which somebody mined clearly less than usual. Times in Unix seconds. */
import type { Absence, Series } from '@pool/shared/api/contract';

/** `missed`: H/s times seconds. */
export type Shortfall = { at: number; until: number; missed: number };

/** Less than this part of the usual hashrate is a dip. */
const DIP = 0.8;
/** Standard errors that a step may be below by chance. */
const CHANCE = 4;

/**
 * The dips of a series and the server's absences in it, oldest first. The usual hashrate is the middle one of the steps.
 * `shares`: of the whole series: with few of them, a low step is chance.
 */
export function dipsIn(
  { from, step, accepted }: Pick<Series, 'from' | 'step' | 'accepted'>,
  shares: number,
  absences: readonly Absence[],
): Shortfall[] {
  const known = accepted.filter((hs) => hs !== null).sort((a, b) => a - b);
  const usual = known[known.length >> 1] ?? 0;
  const least = usual * Math.min(DIP, 1 - CHANCE / Math.sqrt(shares / known.length));
  if (!(least > 0)) return [];
  const end = from + accepted.length * step;
  const found = absences.flatMap(({ from: since, until }): Shortfall[] => {
    const at = Math.max(from, since);
    return until > at && at < end ? [{ at, until, missed: usual * (until - at) }] : [];
  });
  const isAway = (at: number) => found.some((away) => at < away.until && at + step > away.at);
  let open: Shortfall | undefined;
  // Before the first share nobody mined.
  for (let i = accepted.findIndex((hs) => hs !== null); i < accepted.length; i += 1) {
    const at = from + i * step;
    const hs = accepted[i] ?? 0;
    if (hs >= least || isAway(at)) open = undefined;
    else {
      if (!open) found.push((open = { at, until: at, missed: 0 }));
      open.until = at + step;
      open.missed += (usual - hs) * step;
    }
  }
  return found.sort((a, b) => a.at - b.at);
}
