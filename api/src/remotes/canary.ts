/**
 * Decides about canaries by how they do in browsers, beside the current version in the same time: one that is clearly
 * worse is taken back, one that is as good is promoted when that was asked for. Missing data decides nothing.
 */
import { p95 as percentile95, type ClientReport } from './figures';
import type { Pointer } from './pointers';

/** Mounts of each version below which nothing is decided. */
export const LEAST_MOUNTS = 30;
/** Mounts of one user that count: nobody decides alone. */
const OF_A_USER = LEAST_MOUNTS / 3;
/** Standard errors between two shares that are no chance: one canary in about 700 that is as good looks worse. */
const CLEARLY = 3;
const AS_GOOD = 1;
const SLOWER_MS = 1_000;
const MINUTE_MS = 60_000;

type Side = { mounts: number; faulty: number; times: number[]; users: Map<number, number> };
const emptySide = (): Side => ({ mounts: 0, faulty: 0, times: [], users: new Map() });

/** How many standard errors the share of `a` is above that of `b`; shares as [part, whole]. */
function above([partA, a]: [number, number], [partB, b]: [number, number]): number {
  const pooled = (partA + partB) / (a + b);
  const error = Math.sqrt(pooled * (1 - pooled) * (1 / a + 1 / b));
  return error === 0 ? 0 : (partA / a - partB / b) / error;
}

const p95 = (times: readonly number[]): number => percentile95(times) ?? 0;
const percent = (part: number, whole: number): string => `${Math.round((part / whole) * 100)} %`;

export type Verdict = { what: 'rollback' | 'promote'; why: string };

/** The mounts of a remote's canary and of its current version since the canary began. */
export class Comparison {
  private readonly current = emptySide();
  private readonly canary = emptySide();

  /** `since`: ms of the canary's beginning. */
  constructor(
    readonly pointer: Required<Pick<Pointer, 'version' | 'canary'>>,
    private readonly since: number,
  ) {}

  /** `version`: which the server gives to this user; reports of another count for nothing. */
  take(userId: number, name: string, version: string, { mounts, errors }: ClientReport): void {
    const side = version === this.pointer.canary.version ? this.canary : this.current;
    const isOwn = (about: { remote: string | null; version: string | null }) =>
      about.remote === name && about.version === version;
    for (const { ms } of mounts.filter(isOwn)) {
      const before = side.users.get(userId) ?? 0;
      side.users.set(userId, before + 1);
      if (before >= OF_A_USER) continue;
      side.mounts += 1;
      if (ms !== null) side.times.push(ms);
    }
    const isCounted = (side.users.get(userId) ?? 0) <= OF_A_USER;
    if (isCounted) for (const { faultyMounts } of errors.filter(isOwn)) side.faulty += faultyMounts;
    side.faulty = Math.min(side.faulty, side.mounts);
  }

  /** Null: not yet, or never without more data. `now`: ms. */
  verdict(now: number): Verdict | null {
    const { current, canary } = this;
    if (Math.min(current.mounts, canary.mounts) < LEAST_MOUNTS) return null;
    const errors = above([canary.faulty, canary.mounts], [current.faulty, current.mounts]);
    const sample = `of ${canary.mounts} mounts; ${this.pointer.version}:`;
    if (errors > CLEARLY)
      return {
        what: 'rollback',
        why: `errors in ${percent(canary.faulty, canary.mounts)} ${sample} ${percent(current.faulty, current.mounts)} of ${current.mounts}`,
      };
    const isTimed = Math.min(current.times.length, canary.times.length) >= LEAST_MOUNTS;
    const slow = Math.max(p95(current.times) * 2, p95(current.times) + SLOWER_MS);
    const isSlow = (ms: number): boolean => ms > slow;
    const slower = isTimed
      ? above(
          [canary.times.filter(isSlow).length, canary.times.length],
          [current.times.filter(isSlow).length, current.times.length],
        )
      : 0;
    if (slower > CLEARLY)
      return {
        what: 'rollback',
        why: `95 % mounted within ${p95(canary.times)} ms ${sample} ${p95(current.times)} ms of ${current.mounts}`,
      };
    const { auto } = this.pointer.canary;
    const isOver = auto !== undefined && now >= this.since + auto * MINUTE_MS;
    if (!isOver || !isTimed || errors > AS_GOOD || slower > AS_GOOD) return null;
    return { what: 'promote', why: `as good as ${this.pointer.version} after ${auto} min and ${canary.mounts} mounts` };
  }
}
