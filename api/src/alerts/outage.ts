/**
 * Whether the trouble is the pool's own. A restart, a dead upstream or a network that is cut silences every worker at
 * once; telling each miner of it would be thousands of messages about one fault that is not theirs. So while the pool
 * has trouble nothing is judged, and after it every worker has the full ten minutes to come back. Told by:
 * - a gap in the engine's own runs (the server was not there) or
 * - no upstream that works (nobody can have a share accepted) or
 * - most miners falling silent together: fewer than a quarter of at least five. Below five that may be chance: two farms
 *   of one town are told. It ends when they are back, or after two hours: then it is how things are.
 */
import type { AlgorithmName } from '@pool/shared/domain';

/** A run every minute; so long without one, the server was not there. */
export const GAP_S = 150;
export const RECENT_S = 300;
export const BEFORE_S = 1200;
const ENOUGH_USERS = 5;
const QUARTER = 4;
const LONGEST_S = 2 * 3600;

/** Of one algorithm, since when (Unix seconds), and how many miners there were before. */
export type Outage = { since: number; users: number };
/** Miners with a share in the last twenty and the last five minutes. */
export type Users = { before: number; recent: number };

export function outageNow(
  known: Outage | undefined,
  healthy: boolean,
  { before, recent }: Users,
  now: number,
): Outage | undefined {
  if (!healthy) return { since: now, users: Math.max(known?.users ?? 0, before) };
  const outage = known ?? { since: now, users: before };
  return outage.users >= ENOUGH_USERS && recent * QUARTER < outage.users && now - outage.since < LONGEST_S
    ? outage
    : undefined;
}

/** Since when the pool can be relied on, per algorithm: silence counts from there. */
export type PoolState = {
  ranAt: number;
  up: Partial<Record<AlgorithmName, number>>;
  outages: Partial<Record<AlgorithmName, Outage>>;
  digestOf?: string;
};
