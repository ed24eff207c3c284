/** The pool day by day, for the charts of the admins' first page. */
import type { Pool } from 'pg';
import type { z } from 'zod';
import type { Contract } from '@pool/shared/api/contract';
import { ALGORITHM_NAMES, hashrateOfWork, type AlgorithmName } from '@pool/shared/domain';
import { dayOf } from '../platform/days';
import { oneValue, raw, rowsOf } from '../platform/db/querier';

export type OverviewDays = z.input<Contract['GET /admin/overview/days']['response']>;

const DAYS = 30;
const DAY_S = 86_400;
/** Accounts with a series of their own; the others are one series, so that colours stay distinguishable. */
const TOP_ACCOUNTS = 4;

type Sums = { day: string; owed: number; paid: number; users: number };
type Mined = { algorithm: AlgorithmName; name: string | null; day: string; accepted: number };

/** The last 30 finished UTC days at `now` (Unix seconds), the oldest first. */
export async function overviewDays(pool: Pool, now: number): Promise<OverviewDays> {
  const today = Math.floor(now / DAY_S) * DAY_S;
  const first = today - DAYS * DAY_S;
  const days = Array.from({ length: DAYS }, (_, i) => dayOf(first + i * DAY_S));
  const byDay = <Value extends { day: string }>(rows: readonly Value[], value: (row: Value) => number): number[] => {
    const values = new Map(rows.map((row) => [row.day, value(row)]));
    return days.map((day) => values.get(day) ?? 0);
  };

  const mined = await rowsOf<Mined>(pool)`
    with mined as (
      select sub_account_id, algorithm, at, accepted
      from account_1d
      where at >= to_timestamp(${first}::float8) and at < to_timestamp(${today}::float8) and accepted > 0
    ), top as (
      select sub_account_id, algorithm, row_number() over (partition by algorithm order by sum(accepted) desc) as place
      from mined
      group by 1, 2
    )
    select m.algorithm, s.name, to_char(m.at at time zone 'UTC', 'YYYY-MM-DD') as day, sum(m.accepted) as accepted
    from mined m
    join top t using (sub_account_id, algorithm)
    left join sub_account s on s.id = m.sub_account_id and t.place <= ${raw(TOP_ACCOUNTS)}
    group by m.algorithm, s.name, m.at, least(t.place, ${raw(TOP_ACCOUNTS)} + 1)
    order by least(t.place, ${raw(TOP_ACCOUNTS)} + 1)`;
  // An earning is owed from the end of its day, which its ref names, though it is booked when the day is closed.
  const money = await rowsOf<Sums>(pool)`
    select case
        when kind in ('earning', 'earning_reversal') then substring(ref from '[0-9]{4}-[0-9]{2}-[0-9]{2}')
        else to_char(at at time zone 'UTC', 'YYYY-MM-DD')
      end as day,
      sum(amount_sat) as owed,
      coalesce(-sum(amount_sat) filter (where kind in ('payout', 'payout_reversal')), 0) as paid
    from ledger
    where party in ('account', 'referrer') and at >= to_timestamp(${first}::float8)
    group by 1`;
  const users = await rowsOf<{ day: string; users: number }>(pool)`
    select to_char(created_at at time zone 'UTC', 'YYYY-MM-DD') as day, count(*) as users
    from app_user
    where created_at >= to_timestamp(${first}::float8)
    group by 1`;
  const balance = await oneValue<number>(pool)`select coalesce(sum(owed_sat), 0) from balance`;

  // The balance now, less what the ledger has of later days.
  let owed = balance - money.filter(({ day }) => day >= dayOf(today)).reduce((sum, row) => sum + row.owed, 0);
  const changes = byDay(money, (row) => row.owed);
  const owedSat = days
    .map((_, i) => {
      const before = owed;
      owed -= changes[DAYS - 1 - i] ?? 0;
      return before;
    })
    .reverse();

  return {
    days,
    hashrates: ALGORITHM_NAMES.map((algorithm) => {
      const rows = mined.filter((row) => row.algorithm === algorithm);
      return {
        algorithm,
        accounts: [...new Set(rows.map(({ name }) => name))].map((name) => ({
          name,
          hashrates: byDay(
            rows.filter((row) => row.name === name),
            ({ accepted }) => hashrateOfWork(algorithm, accepted, DAY_S),
          ),
        })),
      };
    }),
    owedSat,
    paidSat: byDay(money, (row) => row.paid),
    newUsers: byDay(users, (row) => row.users),
  };
}
