/** What happens by itself: days are closed shortly after midnight UTC, partitions made and dropped. */
import type { Pool } from 'pg';
import type { Bus } from '../bus';
import type { Logger } from '../log';
import { closeDays, type ClosingTerms } from '../accounting/earnings';
import { notify } from '../accounts/notifications';
import { openPayments, type Opened } from '../payouts/open-payments';
import { keepWithinTime } from '../shares/retention';
import { tellUncounted, type Uncounted } from '../shares/uncounted';
import { dayOf } from '../days';

/** Shares of the last minute, and of a proxy that was away a moment, have arrived by then. */
export const CLOSE_AFTER_S = 600;
const TRY_AGAIN_S = 300;

export async function announcePayments(pool: Pool, bus: Bus, opened: readonly Opened[]): Promise<void> {
  for (const { account, userId } of opened) {
    await notify(pool, bus, userId, 'payment_opened', { account });
    bus.publish({ type: 'payment', data: { account }, userId });
  }
}

/** Closes what is finished and opens payments. Safe to run at any time, anywhere, at once. */
export async function runDaily(
  pool: Pool,
  bus: Bus,
  terms: ClosingTerms,
  now: number,
): Promise<{ days: number; payments: number }> {
  const { days } = await closeDays(pool, terms, now);
  const opened = await openPayments(pool, now);
  await announcePayments(pool, bus, opened);
  return { days, payments: opened.length };
}

export type Jobs = { stop(): Promise<void> };

export type JobsOptions = {
  pool: Pool;
  bus: Bus;
  terms: ClosingTerms;
  log: Logger;
  /** Work that is not counted yet, or refused: what is closed without it is not paid. */
  uncounted?: () => Promise<Uncounted[]>;
  now?: () => number;
};

/** Runs the daily work at once (a day may have ended while nobody ran) and then each day at 00:10 UTC. */
export function startJobs({
  pool,
  bus,
  terms,
  log,
  uncounted = async () => [],
  now = () => Date.now() / 1000,
}: JobsOptions): Jobs {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let running: Promise<void> = Promise.resolve();

  const run = async (): Promise<void> => {
    let wait = Math.floor(now() / 86_400) * 86_400 + 86_400 + CLOSE_AFTER_S - now();
    try {
      await keepWithinTime(pool, now());
      const missing = (await uncounted()).filter(({ day }) => day < dayOf(now()));
      if (missing.length)
        throw new Error(`days are closed after their shares: ${missing.map(tellUncounted).join('; ')}`);
      const done = await runDaily(pool, bus, terms, now());
      if (done.days || done.payments) log.info(done, 'days closed');
    } catch (error) {
      log.error({ err: error }, 'the daily work failed; it is tried again');
      wait = TRY_AGAIN_S;
    }
    if (!stopped) timer = setTimeout(start, wait * 1000).unref();
  };
  const start = (): void => {
    running = run();
  };
  start();
  return {
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
