/** Closes days for the daily job, the API and the command line: only finished days whose shares are all counted. */
import type { Pool } from 'pg';
import {
  closeAllIn,
  closeDays,
  closedThrough,
  DayNotClosed,
  type Closed,
  type ClosingTerms,
  type DaySums,
} from '../accounting/earnings';
import { notify } from '../accounts/notifications';
import type { Bus } from '../bus';
import { dayOf, startOfDay } from '../days';
import { databaseNow } from '../db/clock';
import { rolledBack } from '../db/transaction';
import { openPayments, openPaymentsIn } from '../payouts/open-payments';
import { describeUncounted, type Uncounted } from '../shares/uncounted';

/** Wait this long after midnight UTC: the last shares of the day may still be on their way to the database. */
export const CLOSE_AFTER_S = 600;

export type DayCloserOptions = {
  pool: Pool;
  bus: Bus;
  terms: ClosingTerms;
  /** Work that is not in the database yet, by day. A day closed without it would not pay it. */
  uncounted: () => Promise<Uncounted[]>;
  /** Puts back what the database has lost of payments that were handed over (payouts/restore-marks.ts). */
  restorePayments?: () => Promise<unknown>;
  /** The database's clock, Unix seconds. */
  now?: () => Promise<number>;
};

type ClosingPreview = {
  days: DaySums[];
  payments: { count: number; totalSat: number };
  /** Work that is not counted yet: its day stays open. */
  uncounted: Uncounted[];
};

/**
 * Closes one day, or all open days up to the first with uncounted work, and opens payments. Throws `DayNotClosed` when
 * a finished day stays open. Safe to run at any time, also in several processes at once.
 */
export type CloseDays = (day?: string) => Promise<Closed & { payments: number }>;
/**
 * `preview`: what closing all days now would book and open, done by the same code and rolled back. `uncounted`: work
 * that is not in the database yet.
 */
export type DayCloser = CloseDays & { preview(): Promise<ClosingPreview>; uncounted(): Promise<Uncounted[]> };

export function dayCloser({
  pool,
  bus,
  terms,
  uncounted,
  restorePayments,
  now = () => databaseNow(pool),
}: DayCloserOptions): DayCloser {
  /** Uncounted work of finished days that are open, or of `day`. `ended`: days before its day are finished. */
  const missingWork = async (ended: number, day?: string): Promise<Uncounted[]> => {
    const closed = (await closedThrough(pool)) ?? '';
    return (await uncounted()).filter(
      (entry) => entry.day < dayOf(ended) && (day === undefined ? entry.day > closed : entry.day === day),
    );
  };
  const close: CloseDays = async (day) => {
    const at = await now();
    const ended = at - CLOSE_AFTER_S;
    const missing = await missingWork(ended, day);
    const notCounted = new DayNotClosed(
      'day_not_counted',
      `A day is closed after all its shares are counted: ${missing.map(describeUncounted).join('; ')}.`,
    );
    const [first] = missing;
    if (first && day !== undefined) throw notCounted;
    const done = await closeDays(pool, terms, first ? startOfDay(first.day) : ended, day);
    await restorePayments?.();
    const opened = await openPayments(pool, at);
    for (const { account, userId } of opened) {
      await notify(pool, bus, userId, 'payment_opened', { account });
      bus.publish({ type: 'payment', data: { account }, userId });
    }
    if (first) throw notCounted;
    return { ...done, payments: opened.length };
  };
  const preview = async (): Promise<ClosingPreview> => {
    const at = await now();
    const ended = at - CLOSE_AFTER_S;
    const missing = await missingWork(ended);
    return rolledBack(pool, async (client) => {
      const days = await closeAllIn(client, terms, missing[0] ? startOfDay(missing[0].day) : ended);
      const opened = await openPaymentsIn(client, at);
      const {
        rows: [sum],
      } = await client.query<{ sats: number }>(
        'select coalesce(sum(amount_sat), 0) as sats from payment where id = any($1::int[])',
        [opened.map(({ id }) => id)],
      );
      return { days, payments: { count: opened.length, totalSat: sum?.sats ?? 0 }, uncounted: missing };
    });
  };
  return Object.assign(close, { preview, uncounted });
}
