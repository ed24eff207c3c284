/**
 * Detects faults of the pool itself. A restart, a dead upstream or a cut network silences every worker at once;
 * alerting each miner would send thousands of messages about a fault that is not theirs. During an outage no worker is
 * judged, and after it every worker has the full ten minutes to come back. An outage is one of:
 * - a gap in the engine's own runs (the server was down);
 * - no working upstream (no share can be accepted);
 * - fewer than a quarter of at least five users still mine. With fewer than five users this may be chance, so they are
 *   alerted. This outage ends when they are back, or after two hours, when the new number is taken as normal.
 */
import type { OutageReason } from '@pool/shared/api/contract';
import type { AlgorithmName } from '@pool/shared/domain';

/** Runs come every minute; after this long without one the server was down. */
export const GAP_S = 150;
/** A start is an absence already after this long: no late run explains it. */
export const START_GAP_S = 75;
export const RECENT_S = 300;
export const BEFORE_S = 1200;
const MIN_USERS = 5;
const MIN_ACTIVE_PART = 1 / 4;
const MAX_OUTAGE_S = 2 * 3600;

/** `since`: Unix seconds, moves on while no upstream works. `users`: how many mined before. */
export type Outage = { since: number; users: number; why?: Exclude<OutageReason, 'server'> };
/** Users with a share in the last twenty (`before`) and the last five minutes (`recent`). */
export type Users = { before: number; recent: number };

export function outageNow(
  known: Outage | undefined,
  healthy: boolean,
  { before, recent }: Users,
  now: number,
): Outage | undefined {
  if (!healthy) return { since: now, users: Math.max(known?.users ?? 0, before), why: known?.why ?? 'upstream' };
  const outage: Outage = known ?? { since: now, users: before, why: 'miners' };
  return outage.users >= MIN_USERS && recent < outage.users * MIN_ACTIVE_PART && now - outage.since < MAX_OUTAGE_S
    ? outage
    : undefined;
}

/** What is kept between runs. `up`: end of an algorithm's last outage (Unix seconds); silence counts from there. */
export type PoolState = {
  ranAt: number;
  up: Partial<Record<AlgorithmName, number>>;
  outages: Partial<Record<AlgorithmName, Outage>>;
  digestOf?: string;
};
