/** What another value of a term would have meant for the last closed days, by the functions that close a day. */
import type { Pool } from 'pg';
import type { z } from 'zod';
import type { Contract } from '@pool/shared/api/contract';
import { isAlgorithm } from '@pool/shared/domain';
import { addDays } from '../../platform/days';
import { closedThrough } from './earnings';
import { type Earned, grossOf, meanHashrateOf, partsOf } from './pay-per-share';
import { isNewcomer, newcomerUse, type NewcomerUse, type PoolTerm } from './terms';
import { raw, rowsOf } from '../../platform/db/querier';

const DAYS = 30;
export type TermsPreview = z.input<Contract['GET /admin/terms/preview']['response']>;

type Row = Earned & {
  userId: number;
  day: string;
  algorithm: string;
  work: number;
  priceBtc: number;
  feePercent: number;
  referralPercent: number;
  newcomer: NewcomerUse | null;
  createdAt: Date;
  ownFee: boolean;
};

/** The earning with the term at `value`; null: it does not depend on it. */
function changed(row: Row, name: PoolTerm, value: number): Earned | null {
  if (name === 'pool_fee') return row.ownFee ? null : partsOf(row.grossSat, value, row.referralPercent);
  if (!isNewcomer(row.createdAt, row.day) || !isAlgorithm(row.algorithm)) return null;
  // The rule of that day, with this one term changed.
  const poolPriceBtc = row.newcomer?.poolPriceBtc ?? row.priceBtc;
  const then = {
    costBtc: row.newcomer?.poolPriceBtc == null ? 0 : row.priceBtc,
    adjustPercent: row.newcomer?.adjustPercent ?? 0,
  };
  const rule = name === 'newbee_cost' ? { ...then, costBtc: value } : { ...then, adjustPercent: value };
  const { use, priceBtc } = newcomerUse(rule, row.algorithm, poolPriceBtc);
  const hashrate = meanHashrateOf(row.algorithm, row.work, use?.adjustPercent);
  return partsOf(grossOf(row.algorithm, hashrate, priceBtc), row.feePercent, row.referralPercent);
}

const add = (sums: Earned, { grossSat, feeSat, netSat }: Earned): void => {
  sums.grossSat += grossSat;
  sums.feeSat += feeSat;
  sums.netSat += netSat;
};

/** Corrected earnings stay as they are: an admin has decided them. */
export async function previewTerm(pool: Pool, name: PoolTerm, value: number): Promise<TermsPreview> {
  const to = await closedThrough(pool);
  const before: Earned = { grossSat: 0, feeSat: 0, netSat: 0 };
  const after = { ...before };
  if (to === null) return { from: null, to, users: 0, before, after };
  const from = addDays(to, 1 - DAYS);
  const rows = await rowsOf<Row>(pool)`
    select s.user_id, e.day, e.algorithm, e.work, e.price_btc, e.fee_percent, e.referral_percent,
      e.gross_sat, e.fee_sat, e.net_sat, e.newcomer, u.created_at,
      u.fee_percent is not null or exists (select from term t where t.name = 'user_fee' and t.user_id = u.id) as own_fee
    from earning e
    join sub_account s on s.id = e.sub_account_id
    join app_user u on u.id = s.user_id
    where e.day >= ${from}::date and e.status = 'final'
      and (${name} = 'pool_fee' or (u.created_at at time zone 'UTC')::date > ${from}::date - ${raw(DAYS)}::int)`;
  const users = new Set<number>();
  for (const row of rows) {
    const would = changed(row, name, value) ?? row;
    if (would.netSat !== row.netSat) users.add(row.userId);
    add(before, row);
    add(after, would);
  }
  return { from, to, users: users.size, before, after };
}
