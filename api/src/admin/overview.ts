/** The figures of the admins' first page, and what needs a person now. */
import type { Pool } from 'pg';
import type { z } from 'zod';
import type { Contract, WaitingDay } from '@pool/shared/api/contract';
import { bitcoinPrice } from '../money/accounting/prices';
import { poolStatistics } from '../money/accounting/statistics';
import { unreadEntries } from '../money/accounting/unread';
import type { JobRun } from '../money/jobs/jobs';
import { lateWork } from '../ops/late-work';
import { withheldLately } from '../mining/upstreams/withheld-work';
import type { Uncounted } from '../mining/shares/uncounted';
import type { UpstreamStatus } from '../stratum/failover/upstreams';
import { oneRow, rowsOf } from '../platform/db/querier';

export type Overview = z.input<Contract['GET /admin/overview']['response']>;
type Facts = {
  uncounted: readonly Uncounted[];
  waiting: WaitingDay | null;
  job: JobRun | null;
  upstreams: readonly UpstreamStatus[];
  clocksAgree: boolean;
  setup: Overview['setup'];
};

export async function overviewOf(
  pool: Pool,
  { uncounted, waiting, job, upstreams, clocksAgree, setup }: Facts,
  now: number,
): Promise<Overview> {
  const statistics = await poolStatistics(pool, now);
  const sums = await oneRow<{ users: number; unpaid: number; bonus: number; oldest: Date | null }>(pool)`
    select (select count(*) from app_user where not disabled) as users,
    (select coalesce(sum(owed_sat), 0) from balance) as unpaid,
    (select count(*) from bonus_request where status = 'new') as bonus,
    (select created_at from payment where status = 'pending' order by id limit 1) as oldest`;
  const payments = await rowsOf<Overview['payments'][number]>(pool)`
    select status, count(*) as count, sum(amount_sat) as total_sat
    from payment
    where status in ('pending', 'queued', 'unknown', 'sent', 'failed')
    group by 1`;
  const paymentsIn = (status: string): number => payments.find((sum) => sum.status === status)?.count ?? 0;
  const down = new Set(
    upstreams
      .map(({ algorithm }) => algorithm)
      .filter((name) => !upstreams.some((each) => each.algorithm === name && each.state === 'active')),
  );
  const price = await bitcoinPrice(pool, now);
  const refused = uncounted.filter(({ why }) => why === 'refused');
  const tasks: Overview['tasks'] = [
    { task: 'balances_wrong', count: job?.wrongBalances ?? 0 },
    { task: 'day_waiting', count: waiting?.findings.length ?? 0 },
    { task: 'clocks_disagree', count: clocksAgree ? 0 : 1 },
    { task: 'upstream_down', count: down.size },
    { task: 'job_failed', count: job?.failed.length ?? 0 },
    { task: 'payments_unknown', count: paymentsIn('unknown') },
    { task: 'payments_failed', count: paymentsIn('failed') },
    { task: 'payments_pending', count: paymentsIn('pending') },
    { task: 'shares_refused', count: refused.reduce((sum, { lines }) => sum + lines, 0) },
    { task: 'late_work', count: (await lateWork(pool)).length },
    { task: 'bonus_new', count: sums.bonus },
    // One that was never set is in `setup`.
    { task: 'price_stale', count: price.stale && price.at !== null ? 1 : 0 },
  ];
  return {
    algorithms: statistics.map(({ algo: algorithm, hashrate, workersOnline, minersOnline }) => {
      return { algorithm, hashrate, workersOnline, minersOnline };
    }),
    users: sums.users,
    unpaidSat: sums.unpaid,
    payments,
    oldestPendingAt: sums.oldest?.toISOString() ?? null,
    tasks: tasks.filter(({ count }) => count > 0),
    withheld: await withheldLately(pool),
    unread: await unreadEntries(pool, now),
    setup,
  };
}
