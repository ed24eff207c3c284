/** Closes days for the daily job, the API and the command line: only finished days whose shares are all counted. */
import type { Pool } from 'pg';
import { closeDays, closedThrough, DayNotClosed, type Closed, type ClosingTerms } from '../accounting/earnings';
import { notify } from '../accounts/notifications';
import type { Bus } from '../bus';
import { dayOf, startOfDay } from '../days';
import { databaseNow } from '../db/clock';
import { openPayments } from '../payouts/open-payments';
import { describeUncounted, type Uncounted } from '../shares/uncounted';

/** Wait this long after midnight UTC: the last shares of the day may still be on their way to the database. */
export const CLOSE_AFTER_S = 600;

export type DayCloserOptions = {
  pool: Pool;
  bus: Bus;
  terms: ClosingTerms;
  /** Work that is not in the database yet, by day. A day closed without it would not pay it. */
  uncounted: () => Promise<Uncounted[]>;
  /** The database's clock, Unix seconds. */
  now?: () => Promise<number>;
};

/**
 * Closes one day, or all open days up to the first with uncounted work, and opens payments. Throws `DayNotClosed` when
 * a finished day stays open. Safe to run at any time, also in several processes at once.
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
      `A day is closed after all its shares are counted: ${missing.map(describeUncounted).join('; ')}.`,
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
