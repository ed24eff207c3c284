/**
 * When an alert is due: trouble that lasts ten minutes is told once, its end once it has held for five. One alert an hour
 * per worker, whatever its trouble; what comes within the hour waits, and is told if it is still there. Pure.
 */
export const ALERT_KINDS = ['offline', 'low', 'rejects'] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

export const FIRE_AFTER_S = 600;
export const CLEAR_AFTER_S = 300;
export const AGAIN_AFTER_S = 3600;

/** What is remembered of one kind of trouble of one worker. Unix seconds. */
export type Watch = {
  since: number | null;
  clearSince: number | null;
  active: boolean;
  told: boolean;
  toldAt: number | null;
};
export const NOTHING: Watch = { since: null, clearSince: null, active: false, told: false, toldAt: null };

/** `unclear`: nothing can be said at this moment; everything stays as it is. `since`: where the trouble's start is known. */
export type Seen = { state: 'trouble'; since?: number } | { state: 'fine' } | { state: 'unclear' };
export type Say = 'alert' | 'recovered' | null;

/** `lastAlertAt`: of the worker, of any kind. A muted worker is watched in silence, so that unmuting it is no transition. */
export function advance(
  watch: Watch,
  seen: Seen,
  now: number,
  { muted, lastAlertAt }: { muted: boolean; lastAlertAt: number | null },
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
  if (now - since < FIRE_AFTER_S) return { watch: going, say: null };
  if (muted) return { watch: { ...going, active: true, told: false }, say: null };
  if (lastAlertAt !== null && now - lastAlertAt < AGAIN_AFTER_S) return { watch: going, say: null };
  return { watch: { ...going, active: true, told: true, toldAt: now }, say: 'alert' };
}

/** Whether there is nothing left to remember: not even when an alert was told, for the hour after it. */
export const isOver = ({ since, active, toldAt }: Watch, now: number): boolean =>
  since === null && !active && (toldAt === null || now - toldAt >= AGAIN_AFTER_S);
