/** Earnings of accounts as lists: per day, and of the last months. Money in satoshis. */
import type { Earning } from '@pool/shared/api/contract';
import { ALGORITHM_NAMES } from '@pool/shared/domain';
import { addDays, dayOf } from '../../platform/days';
import { rowsOf, type Querier } from '../../platform/db/querier';
import { estimateOpenDays, type Account } from './balance';

type Sums = Pick<Earning, 'grossSat' | 'feeSat' | 'referralSat' | 'netSat'> & { days: number; netUsd: number };

/** Earnings per UTC day, newest first; open days are estimates. `sums`: all closed days of the range. */
export async function earningsOf(
  db: Querier,
  accounts: readonly Account[],
  { from, to }: { from?: string; to?: string },
  { limit, offset }: { limit: number; offset: number },
  now: number,
): Promise<{ rows: Earning[]; total: number; sums: Sums }> {
  const mayBeOpen = to === undefined || to >= addDays(dayOf(now), -1);
  const where = `
    where e.sub_account_id = any($1::int[])
      and ($2::date is null or e.day >= $2::date)
      and ($3::date is null or e.day <= $3::date)`;
  const values = [accounts.map((account) => account.id), from ?? null, to ?? null];
  const read = (most: number, skipped: number): Promise<Earning[]> =>
    rowsOf<Earning>(
      db,
      `select e.day, s.name as account, e.algorithm, e.mean_hashrate, e.price_btc, e.gross_sat, e.fee_sat,
         e.referral_sat, e.net_sat, e.btc_price_usd, e.status
       from earning e
       join sub_account s on s.id = e.sub_account_id
       ${where}
       order by e.day desc, s.id, e.algorithm desc
       limit $4 offset $5`,
      [...values, most, skipped],
      'earnings',
    );
  // The first page needs the open days only to know how many rows are left for the others: all are asked for at once.
  const [estimates, first, [of]] = await Promise.all([
    mayBeOpen ? estimateOpenDays(db, accounts, now) : [],
    offset === 0 ? read(limit, 0) : null,
    rowsOf<Sums & { total: number }>(
      db,
      `select count(*) as total, count(distinct e.day) as days, coalesce(sum(e.gross_sat), 0) as gross_sat,
         coalesce(sum(e.fee_sat), 0) as fee_sat, coalesce(sum(e.referral_sat), 0) as referral_sat,
         coalesce(sum(e.net_sat), 0) as net_sat, coalesce(sum(e.net_sat * e.btc_price_usd), 0) / 1e8 as net_usd
       from earning e ${where}`,
      values,
      'earnings-sums',
    ),
  ]);
  const { total, ...sums } = of!;
  const open = estimates.filter(
    ({ day, meanHashrate }) =>
      meanHashrate > 0 && (from === undefined || from <= day) && (to === undefined || to >= day),
  );
  const [most, skipped] = [Math.max(0, limit - Math.max(0, open.length - offset)), Math.max(0, offset - open.length)];
  const finals = first?.slice(0, most) ?? (await read(most, skipped));
  return { rows: [...open.slice(offset, offset + limit), ...finals], total: open.length + total, sums };
}

/** Net earnings of 12 months, and payouts of them sent then, the current month last. Months without any are zero. */
export async function monthlyOf(
  db: Querier,
  subAccountIds: number[],
  now: number,
): Promise<{ month: string; netSat: number; paidSat: number }[]> {
  const date = new Date(now * 1000);
  const months = Array.from({ length: 12 }, (_, i) =>
    new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - 11 + i, 1)).toISOString().slice(0, 7),
  );
  // The condition on the algorithm is there for the index, which has the algorithm before the day.
  const rows = await rowsOf<{ month: string; net: number }>(
    db,
    `select to_char(day, 'YYYY-MM') as month, sum(net_sat) as net
     from earning
     where sub_account_id = any($1::int[]) and algorithm = any($2::text[]) and day >= $3::date
     group by 1`,
    [subAccountIds, ALGORITHM_NAMES, `${months[0]}-01`],
    'months',
  );
  const paid = await rowsOf<{ month: string; sum: number }>(db)`
    select to_char(sent_at at time zone 'UTC', 'YYYY-MM') as month, sum(amount_sat) as sum
    from payment
    where sub_account_id = any(${subAccountIds}::int[]) and trigger <> 'referral' and status in ('sent', 'confirmed')
      and sent_at >= ${`${months[0]}-01`}::date::timestamp at time zone 'UTC'
    group by 1`;
  return months.map((month) => ({
    month,
    netSat: rows.find((row) => row.month === month)?.net ?? 0,
    paidSat: paid.find((row) => row.month === month)?.sum ?? 0,
  }));
}
