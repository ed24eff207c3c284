/** The one way to close days, for the daily work, the API and the command line: only what is over and wholly counted. */
import type { Pool } from 'pg';
import { closeDays, closedThrough, DayNotClosed, type Closed, type ClosingTerms } from '../accounting/earnings';
import { notify } from '../accounts/notifications';
import type { Bus } from '../bus';
import { dayOf, startOfDay } from '../days';
import { databaseNow } from '../db/clock';
import { openPayments } from '../payouts/open-payments';
import { tellUncounted, type Uncounted } from '../shares/uncounted';

/** Shares of a day's last minute, and of a proxy that was away a moment, have arrived by then. */
export const CLOSE_AFTER_S = 600;

export type DayCloserOptions = {
  pool: Pool;
  bus: Bus;
  terms: ClosingTerms;
  /** Work that is not in the database, by day: what is closed without it is not paid. */
  uncounted: () => Promise<Uncounted[]>;
  /** Unix seconds; the database's clock. */
  now?: () => Promise<number>;
};

/**
 * Closes one day, or all that are not closed yet up to the first with uncounted work; then opens payments. Throws
 * `DayNotClosed` when that day, or any day that is over, stays open. Safe to run at any time, anywhere, at once.
 */
export type CloseDays = (day?: string) => Promise<Closed & { payments: number }>;

export function dayCloser({ pool, bus, terms, uncounted, now = () => databaseNow(pool) }: DayCloserOptions): CloseDays {
  return async (day) => {
    const at = await now();
    const ended = at - CLOSE_AFTER_S;
    const closed = (await closedThrough(pool)) ?? '';
    const missing = (await uncounted()).filter(
      (entry) => entry.day < dayOf(ended) && (day === undefined ? entry.day > closed : entry.day === day),
    );
    const notCounted = new DayNotClosed(
      'day_not_counted',
      `Days are closed after their shares: ${missing.map(tellUncounted).join('; ')}.`,
    );
    const [first] = missing;
    if (first && day !== undefined) throw notCounted;
    const done = await closeDays(pool, terms, first ? startOfDay(first.day) : ended, day);
    const opened = await openPayments(pool, at);
    for (const { account, userId } of opened) {
      await notify(pool, bus, userId, 'payment_opened', { account });
      bus.publish({ type: 'payment', data: { account }, userId });
    }
    if (first) throw notCounted;
    return { ...done, payments: opened.length };
  };
}
