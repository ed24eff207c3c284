/** The daily job: closes days shortly after midnight UTC, creates and drops partitions, checks balances. */
import type { Pool } from 'pg';
import type { z } from 'zod';
import type { Contract } from '@pool/shared/api/contract';
import type { Registry } from 'prom-client';
import type { Logger } from '../../platform/log';
import { gauge } from '../../platform/metrics';
import { clocksOf, PoolClock } from '../../platform/clock';
import { wrongBalances } from '../ledger/ledger';
import { auditHead } from '../../platform/audit-chain';
import { keepWithinTime } from '../../mining/shares/retention';
import { CLOSE_AFTER_S, type CloseDays } from './close-days';

const DAY_S = 86_400;
const RETRY_DELAY_S = 300;

/** Seconds from `now` to the next 00:10 UTC. */
const untilNextClosing = (now: number): number => DAY_S - ((now - CLOSE_AFTER_S) % DAY_S);

/** The last run of the daily job. Times are Unix seconds. */
export type JobRun = Omit<NonNullable<z.input<Contract['GET /admin/system']['response']>['job']>, `${string}At`> & {
  startedAt: number;
  /** Null while it runs. */
  endedAt: number | null;
  nextAt: number | null;
};
export type Jobs = { stop(): Promise<void>; lastRun(): JobRun | null };

export type JobsOptions = {
  pool: Pool;
  log: Logger;
  closeDays: CloseDays;
  metrics?: Registry;
  /** Clock as for closing days: one that may be wrong deletes nothing either. */
  now?: () => Promise<number>;
};

/** Runs the daily job at once (a day may have ended while the server was down) and then each day at 00:10 UTC. */
export function startJobs({
  pool,
  log,
  closeDays,
  metrics,
  now: readNow = () => new PoolClock(clocksOf(pool)).check(),
}: JobsOptions): Jobs {
  let wrong = 0;
  const differ = 'Stored balances that differ from the sum of the ledger, at the last daily job';
  if (metrics) gauge(metrics, 'ledger_wrong_balances', differ, () => wrong);
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let running: Promise<void> = Promise.resolve();
  let last: JobRun | null = null;

  const checkBalances = async (): Promise<number> => {
    wrong = await wrongBalances(pool);
    if (wrong)
      log.error({ differing: wrong }, 'balances differ from the sum of the ledger (docs/monitoring.md#balanceswrong)');
    return wrong;
  };
  const runOnce = async (): Promise<void> => {
    let wait = RETRY_DELAY_S;
    const run: JobRun = {
      startedAt: Date.now() / 1000,
      endedAt: null,
      nextAt: null,
      failed: [],
      daysClosed: 0,
      paymentsOpened: 0,
      wrongBalances: null,
    };
    last = run;
    const failed =
      (step: string) =>
      (error: unknown): null => {
        run.failed.push(step);
        log.error({ err: error, step }, 'the daily job failed; it will be retried');
        return null;
      };
    // Each step runs even if another fails: shares that are not counted yet need their partitions.
    const now = await readNow()
      .then((at) => keepWithinTime(pool, at).then(() => at))
      .catch(failed('partitions'));
    run.wrongBalances = await checkBalances().catch(failed('balances'));
    await auditHead(pool)
      .then((head) => log.info(head, 'head of the audit log'))
      .catch(failed('audit'));
    const done = await closeDays().catch(failed('closing'));
    if (done?.days || done?.payments) log.info(done, 'days closed');
    if (now !== null && done) wait = untilNextClosing(now);
    Object.assign(run, {
      endedAt: Date.now() / 1000,
      nextAt: Date.now() / 1000 + wait,
      daysClosed: done?.days ?? 0,
      paymentsOpened: done?.payments ?? 0,
    });
    if (!stopped) timer = setTimeout(start, wait * 1000).unref();
  };
  const start = (): void => {
    running = runOnce();
  };
  start();
  return {
    lastRun: () => last,
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await running;
      // Another process may do the jobs now, or this one later.
      metrics?.removeSingleMetric('ledger_wrong_balances');
    },
  };
}
