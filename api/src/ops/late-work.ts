/** Work that came after its day was closed: charts show it, nobody is paid for it until somebody decides so. */
import type { Pool } from 'pg';
import { isAlgorithm, type AlgorithmName } from '@pool/shared/domain';
import { grossOf, meanHashrateOf } from '../accounting/earnings';
import { addDays, dayOf } from '../days';
import { pricesOf } from '../accounting/prices';
import type { NewcomerUse } from '../accounting/terms';

export type LateWork = { day: string; account: string; algorithm: AlgorithmName; grossSat: number; rightSat: number };

const DAYS = 31;
type Row = {
  day: string;
  account: string;
  algorithm: string;
  work: number;
  gross: number | null;
  price: number | null;
  newcomer: NewcomerUse | null;
};

/** Of one closed day, or of the last 31; satoshis gross as booked, and as they would be with all work that is counted. */
export async function lateWork(pool: Pool, now: number, day?: string): Promise<LateWork[]> {
  const { rows } = await pool.query<Row>(
    `with counted as (
       select (a.at at time zone 'UTC')::date as day, a.sub_account_id, a.algorithm, sum(a.accepted order by a.at) as work from account_1h a
       where a.at >= $1::date::timestamp at time zone 'UTC' and a.at < ($2::date + 1)::timestamp at time zone 'UTC' group by 1, 2, 3)
     select c.day, s.name as account, c.algorithm, c.work, e.gross_sat as gross, e.price_btc as price, e.newcomer
     from counted c join sub_account s on s.id = c.sub_account_id left join earning e on e.sub_account_id = c.sub_account_id and e.algorithm = c.algorithm and e.day = c.day
     where c.day <= (select (value #>> '{}')::date from setting where name = 'accounting.closed_through') and c.work > coalesce(e.work, 0) * (1 + 1e-9)
       and not exists (select 1 from earning_adjustment j where j.sub_account_id = c.sub_account_id and j.algorithm = c.algorithm and j.day = c.day)
     order by 1, 2, 3`,
    [day ?? addDays(dayOf(now), -DAYS), day ?? dayOf(now)],
  );
  const late: LateWork[] = [];
  for (const { algorithm, work, gross, price, newcomer, ...row } of rows) {
    if (!isAlgorithm(algorithm)) continue;
    const priceBtc = price ?? (await pricesOf(pool, row.day))[algorithm].priceBtc;
    late.push({
      ...row,
      algorithm,
      grossSat: gross ?? 0,
      rightSat: grossOf(algorithm, meanHashrateOf(algorithm, work, newcomer?.adjustPercent), priceBtc),
    });
  }
  return late;
}
