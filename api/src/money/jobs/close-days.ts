/** Closes finished days whose shares are all counted and whose figures are plausible. */
import type { Pool } from 'pg';
import type { Registry } from 'prom-client';
import type { WaitingDay } from '@pool/shared/api/contract';
import {
  closeAllIn,
  closeDays,
  closedThrough,
  DayNotClosed,
  type Closed,
  type ClosingTerms,
  type DaySums,
} from '../accounting/earnings';
import { writeAdminNotes, writeNotes } from '../../messages/notifications';
import type { Bus } from '../../platform/bus';
import { ClocksDisagree, clocksOf, PoolClock } from '../../platform/clock';
import { dayOf, startOfDay } from '../../platform/days';
import { FOLDER_OWNER, type Owner } from '../../platform/db/server-lock';
import { moneyTransaction, rolledBack } from '../../platform/db/transaction';
import { openPaymentsIn } from '../payouts/open-payments';
import { describeUncounted, type Uncounted } from '../../mining/shares/uncounted';
import { DayWaits, type Decision, gateWith } from './closing-gate';
import { oneValue } from '../../platform/db/querier';
import { gauge } from '../../platform/metrics';

/** Wait this long after midnight UTC: the last shares of the day may still be on their way to the database. */
export const CLOSE_AFTER_S = 600;

export type DayCloserOptions = {
  pool: Pool;
  bus: Bus;
  /** Nothing is closed while this process does not own the database. */
  owner?: Owner;
  terms: ClosingTerms;
  /** Work that is not in the database yet, by day. A day closed without it would not pay it. */
  uncounted: () => Promise<Uncounted[]>;
  /** Puts back what the database has lost of payments that were handed over (payouts/restore-marks.ts). */
  restorePayments?: () => Promise<unknown>;
  /** The database's clock, Unix seconds. Throws `ClocksDisagree`: then no day is closed. */
  now?: () => Promise<number>;
  /** Days without a price of their last two days wait for an admin: everywhere but in the demo. */
  needsPrices?: () => Promise<boolean>;
  metrics?: Registry;
};

type ClosingPreview = {
  days: DaySums[];
  payments: { count: number; totalSat: number };
  /** Work that is not counted yet: its day stays open. */
  uncounted: Uncounted[];
  /** The day that stays open for an admin's decision. */
  waiting: WaitingDay | null;
};

/**
 * Closes one day, or all open days up to the first with uncounted work or figures that are not plausible, and opens
 * payments. Throws `DayNotClosed` when a finished day stays open, `DayWaits` when an admin has to decide about it.
 * `decision`: an admin's. Safe to run at any time, also in several processes at once.
 */
export type CloseDays = (day?: string, decision?: Decision) => Promise<Closed & { payments: number }>;
/**
 * `preview`: what closing all days now would book and open, done by the same code and rolled back. `uncounted`: work
 * that is not in the database yet. `waiting`: the day that an admin has to decide about, by the last try to close it.
 */
export type DayCloser = CloseDays & {
  preview(): Promise<ClosingPreview>;
  uncounted(): Promise<Uncounted[]>;
  waiting(): WaitingDay | null;
};

export function dayCloser({
  pool,
  bus,
  owner = FOLDER_OWNER,
  terms,
  uncounted,
  restorePayments,
  now = () => new PoolClock(clocksOf(pool)).check(),
  needsPrices = async () => true,
  metrics,
}: DayCloserOptions): DayCloser {
  let waiting: WaitingDay | null = null;
  const findings = 'Why the figures of the day that waits for an admin are not plausible; 0: no day waits';
  if (metrics) gauge(metrics, 'closing_findings', findings, () => waiting?.findings.length ?? 0);
  /** Uncounted work of finished days that are open, or of `day`. `ended`: days before its day are finished. */
  const missingWork = async (ended: number, day?: string): Promise<Uncounted[]> => {
    const closed = (await closedThrough(pool)) ?? '';
    const found = (await uncounted()).filter((entry) => {
      if (entry.day >= dayOf(ended)) return false;
      // It keeps the days after that one open as well.
      if (entry.why === 'node') return day === undefined || entry.day <= day;
      return day === undefined ? entry.day > closed : entry.day === day;
    });
    return found.sort((a, b) => (a.day < b.day ? -1 : 1));
  };
  const closingTime = (): Promise<number> =>
    now().catch((error: unknown) => {
      throw error instanceof ClocksDisagree ? new DayNotClosed('clocks_disagree', error.message) : error;
    });
  const close: CloseDays = async (day, decision) => {
    await owner.check(pool);
    const at = await closingTime();
    const ended = at - CLOSE_AFTER_S;
    const missing = await missingWork(ended, day);
    const notCounted = new DayNotClosed(
      'day_not_counted',
      `A day is closed after all its shares are counted: ${missing.map(describeUncounted).join('; ')}.`,
    );
    const [first] = missing;
    if (first && day !== undefined) throw notCounted;
    const until = first ? startOfDay(first.day) : ended;
    const done = await closeDays(pool, terms, until, day, gateWith(await needsPrices(), decision)).catch(
      (error: unknown) => {
        if (error instanceof DayWaits) return error;
        throw error;
      },
    );
    await restorePayments?.();
    const opened = await moneyTransaction(pool, async (client) => {
      const made = await openPaymentsIn(client, at);
      const notes = made.map(({ account, userId }) => ({ userId, kind: 'payment_opened', values: { account } }));
      await writeNotes(client, notes, at);
      return made;
    });
    for (const { account, userId } of opened) bus.publish({ type: 'payment', data: { account }, userId });
    if (done instanceof DayWaits) {
      waiting = done.waiting;
      const { day: held } = waiting;
      await writeAdminNotes(pool, { kind: 'day_waiting', values: { day: held }, once: `day_waiting ${held}` }, at);
      throw done;
    }
    if (day === undefined || day === waiting?.day) waiting = null;
    if (first) throw notCounted;
    return { ...done, payments: opened.length };
  };
  const preview = async (): Promise<ClosingPreview> => {
    const at = await closingTime();
    const ended = at - CLOSE_AFTER_S;
    const missing = await missingWork(ended);
    return rolledBack(pool, async (client) => {
      const until = missing[0] ? startOfDay(missing[0].day) : ended;
      const { days, stopped } = await closeAllIn(client, terms, until, gateWith(await needsPrices()));
      const opened = await openPaymentsIn(client, at);
      const totalSat = await oneValue<number>(client)`
        select coalesce(sum(amount_sat), 0) from payment where id = any(${opened.map(({ id }) => id)}::int[])`;
      return {
        days,
        payments: { count: opened.length, totalSat },
        uncounted: missing,
        waiting: stopped instanceof DayWaits ? stopped.waiting : null,
      };
    });
  };
  return Object.assign(close, { preview, uncounted, waiting: () => waiting });
}
