/** Work counted after its day was closed: charts show it, but it is not paid unless an admin decides so. */
import type { Pool } from 'pg';
import type { z } from 'zod';
import type { Contract } from '@pool/shared/api/contract';
import { isAlgorithm, type AlgorithmName } from '@pool/shared/domain';
import { grossOf, meanHashrateOf } from '../money/accounting/pay-per-share';
import { pricesOf } from '../money/accounting/prices';
import { newcomerUse, termsOf, type NewcomerUse, type UserTerms } from '../money/accounting/terms';
import { rowsOf } from '../platform/db/querier';

export type LateWork = z.input<Contract['GET /admin/lateWork']['response']>[number];

/** Days back from today by the database's clock, when no day is given. */
const DAYS = 31;
type Row = Pick<LateWork, 'day' | 'account' | 'work'> & {
  userId: number;
  algorithm: string;
  paidWork: number;
  gross: number | null;
  price: number | null;
  newcomer: NewcomerUse | null;
};

/** What earnings that are not there yet would be by: the price of their day, and the newcomer rule. */
async function rulesOf(pool: Pool, rows: readonly Pick<Row, 'day' | 'userId'>[]) {
  const days = new Map<string, { prices: Awaited<ReturnType<typeof pricesOf>>; terms: Map<number, UserTerms> }>();
  for (const day of new Set(rows.map((row) => row.day))) {
    const users = rows.filter((row) => row.day === day).map(({ userId }) => userId);
    days.set(day, { prices: await pricesOf(pool, day), terms: await termsOf(pool, day, users, 0) });
  }
  return (day: string, userId: number, algorithm: AlgorithmName) => {
    const { prices, terms } = days.get(day)!;
    return newcomerUse(terms.get(userId)?.newcomer ?? null, algorithm, prices[algorithm].priceBtc);
  };
}

/** Late work of one closed day, or of the last 31: satoshis gross as booked, and with all counted work. */
export async function lateWork(pool: Pool, day?: string): Promise<LateWork[]> {
  const rows = await rowsOf<Row>(pool)`
    with counted as (
      select (a.at at time zone 'UTC')::date as day, a.sub_account_id, a.algorithm,
        sum(a.accepted order by a.at) as work
      from account_1h a
      where a.at >= coalesce(${day ?? null}::date,
        (now() at time zone 'UTC')::date - ${DAYS}::int)::timestamp at time zone 'UTC'
        and (${day ?? null}::date is null or a.at < (${day ?? null}::date + 1)::timestamp at time zone 'UTC')
      group by 1, 2, 3
    ), paid as (
      select e.*, coalesce((
        select j.work from earning_adjustment j
        where j.sub_account_id = e.sub_account_id and j.algorithm = e.algorithm and j.day = e.day
        order by j.id desc
        limit 1
      ), e.work) as paid_work
      from earning e
    )
    select c.day, s.name as account, s.user_id, c.algorithm, c.work, coalesce(p.paid_work, 0) as paid_work,
      p.gross_sat as gross, p.price_btc as price, p.newcomer
    from counted c
    join sub_account s on s.id = c.sub_account_id
    left join paid p on p.sub_account_id = c.sub_account_id and p.algorithm = c.algorithm and p.day = c.day
    where c.day <= (select (value #>> '{}')::date from setting where name = 'accounting.closed_through')
      and c.work > coalesce(p.paid_work, 0) * (1 + 1e-9)
    order by 1, 2, 3`;
  const rules = await rulesOf(
    pool,
    rows.filter(({ price }) => price === null),
  );
  const late: LateWork[] = [];
  for (const { day: of, account, userId, algorithm, work, paidWork, gross, price, newcomer } of rows) {
    if (!isAlgorithm(algorithm)) continue;
    const { use, priceBtc } = price === null ? rules(of, userId, algorithm) : { use: newcomer, priceBtc: price };
    const grossFor = (sum: number): number =>
      grossOf(algorithm, meanHashrateOf(algorithm, sum, use?.adjustPercent), priceBtc);
    const grossSat = gross ?? 0;
    const rightSat = grossSat + grossFor(work) - grossFor(paidWork);
    late.push({ day: of, account, algorithm, grossSat, rightSat, work });
  }
  return late;
}
