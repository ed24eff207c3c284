/** Sends a fault after ten minutes and its end after five, to a worker at most one alert an hour; a later one waits. */
import { raw, sql, type Sql } from '../platform/db/querier';

export const ALERT_KINDS = ['offline', 'low', 'rejects'] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

const FIRE_AFTER_S = 600;
/** An alert waits so long for others that are about to come with it. */
export const WAIT_S = 180;
const CLEAR_AFTER_S = 300;
export const AGAIN_AFTER_S = 3600;

/** What is kept between runs about one fault of one worker. Times are Unix seconds. */
export type Watch = {
  since: number | null;
  clearSince: number | null;
  active: boolean;
  told: boolean;
  toldAt: number | null;
};
export const NOTHING: Watch = { since: null, clearSince: null, active: false, told: false, toldAt: null };

/** SQL: the columns of the watch in the row `row`. */
export const watchIn = (row: string): Sql =>
  raw(`${row}.active, ${row}.told, extract(epoch from ${row}.since)::float8 as since,
    extract(epoch from ${row}.clear_since)::float8 as clear_since, extract(epoch from ${row}.told_at)::float8 as told_at`);
/** SQL: sets these columns. */
export const watchSet = ({ since, clearSince, active, told, toldAt }: Watch): Sql => sql`
  since = to_timestamp(${since}::float8), clear_since = to_timestamp(${clearSince}::float8), active = ${active},
  told = ${told}, told_at = to_timestamp(${toldAt}::float8)`;

/** What a run found. `unclear`: the watch stays as it is. `since`: start of the fault, where known. */
export type Seen = { state: 'trouble'; since?: number } | { state: 'fine' } | { state: 'unclear' };
export type Say = 'alert' | 'recovered' | null;

/** The next state of a watch. A muted worker is watched too, so that unmuting it sends nothing by itself. */
export function advance(
  watch: Watch,
  seen: Seen,
  now: number,
  { muted, lastAlertAt, wait = 0 }: { muted: boolean; lastAlertAt: number | null; wait?: number },
): { watch: Watch; say: Say } {
  if (seen.state === 'unclear') return { watch, say: null };
  if (seen.state === 'fine') {
    if (!watch.active) return { watch: watch.since === null ? watch : { ...watch, since: null }, say: null };
    const clearSince = watch.clearSince ?? now;
    if (now - clearSince < CLEAR_AFTER_S) return { watch: { ...watch, clearSince }, say: null };
    return { watch: { ...NOTHING, toldAt: watch.toldAt }, say: watch.told && !muted ? 'recovered' : null };
  }
  if (watch.active) return { watch: watch.clearSince === null ? watch : { ...watch, clearSince: null }, say: null };
  const since = watch.since ?? seen.since ?? now;
  const going = watch.since === null ? { ...watch, since } : watch;
  if (now - since < FIRE_AFTER_S + wait) return { watch: going, say: null };
  if (muted) return { watch: { ...going, active: true, told: false }, say: null };
  if (lastAlertAt !== null && now - lastAlertAt < AGAIN_AFTER_S) return { watch: going, say: null };
  return { watch: { ...going, active: true, told: true, toldAt: now }, say: 'alert' };
}

/** Whether the watch can be deleted: no fault, and no alert within the last hour. */
export const isOver = ({ since, active, toldAt }: Watch, now: number): boolean =>
  since === null && !active && (toldAt === null || now - toldAt >= AGAIN_AFTER_S);
