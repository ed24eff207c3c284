/** What another value of a term would have meant for the last closed days, by the functions that close a day. */
import type { Pool } from 'pg';
import { isAlgorithm } from '@pool/shared/domain';
import { addDays } from '../../platform/days';
import { closedThrough } from './earnings';
import { grossOf, meanHashrateOf, partsOf } from './pay-per-share';
import { isNewcomer, newcomerUse, type NewcomerUse, type PoolTerm } from './terms';
import { raw, sql } from '../../platform/db/querier';

const DAYS = 30;
type Sums = { grossSat: number; feeSat: number; netSat: number };
export type TermsPreview = { from: string | null; to: string | null; users: number; before: Sums; after: Sums };

type Row = {
  user_id: number;
  day: string;
  algorithm: string;
  work: number;
  price_btc: number;
  fee_percent: number;
  referral_percent: number;
  gross_sat: number;
  fee_sat: number;
  net_sat: number;
  newcomer: NewcomerUse | null;
  created_at: Date;
  own_fee: boolean;
};

/** The earning with the term at `value`; null: it does not depend on it. */
function changed(row: Row, name: PoolTerm, value: number): Sums | null {
  if (name === 'pool_fee') return row.own_fee ? null : partsOf(row.gross_sat, value, row.referral_percent);
  if (!isNewcomer(row.created_at, row.day) || !isAlgorithm(row.algorithm)) return null;
  // The rule of that day, with this one term changed.
  const poolPriceBtc = row.newcomer?.poolPriceBtc ?? row.price_btc;
  const then = {
    costBtc: row.newcomer?.poolPriceBtc == null ? 0 : row.price_btc,
    adjustPercent: row.newcomer?.adjustPercent ?? 0,
  };
  const rule = name === 'newbee_cost' ? { ...then, costBtc: value } : { ...then, adjustPercent: value };
  const { use, priceBtc } = newcomerUse(rule, row.algorithm, poolPriceBtc);
  const hashrate = meanHashrateOf(row.algorithm, row.work, use?.adjustPercent);
  return partsOf(grossOf(row.algorithm, hashrate, priceBtc), row.fee_percent, row.referral_percent);
}

const add = (sums: Sums, { grossSat, feeSat, netSat }: Sums): void => {
  sums.grossSat += grossSat;
  sums.feeSat += feeSat;
  sums.netSat += netSat;
};

/** Corrected earnings stay as they are: an admin has decided them. */
export async function previewTerm(pool: Pool, name: PoolTerm, value: number): Promise<TermsPreview> {
  const to = await closedThrough(pool);
  const before: Sums = { grossSat: 0, feeSat: 0, netSat: 0 };
  const after: Sums = { ...before };
  if (to === null) return { from: null, to, users: 0, before, after };
  const from = addDays(to, 1 - DAYS);
  const { rows } = await pool.query<Row>(sql`
    select s.user_id, e.day, e.algorithm, e.work, e.price_btc, e.fee_percent, e.referral_percent,
      e.gross_sat, e.fee_sat, e.net_sat, e.newcomer, u.created_at,
      u.fee_percent is not null or exists (select from term t where t.name = 'user_fee' and t.user_id = u.id) as own_fee
    from earning e
    join sub_account s on s.id = e.sub_account_id
    join app_user u on u.id = s.user_id
    where e.day >= ${from}::date and e.status = 'final'
      and (${name} = 'pool_fee' or (u.created_at at time zone 'UTC')::date > ${from}::date - ${raw(DAYS)}::int)`);
  const users = new Set<number>();
  for (const row of rows) {
    const was = { grossSat: row.gross_sat, feeSat: row.fee_sat, netSat: row.net_sat };
    const would = changed(row, name, value) ?? was;
    if (would.netSat !== was.netSat) users.add(row.user_id);
    add(before, was);
    add(after, would);
  }
  return { from, to, users: users.size, before, after };
}
