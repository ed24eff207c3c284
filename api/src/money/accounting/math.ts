/** The figures and formulas of one earning, so that its owner can check the computation. */
import type { z } from 'zod';
import type { Contract } from '@pool/shared/api/contract';
import { ALGORITHMS, SATS_PER_BTC, type AlgorithmName } from '@pool/shared/domain';
import { DAY_S } from './pay-per-share';
import { startOfDay } from '../../platform/days';
import { firstRow, type Querier } from '../../platform/db/querier';
import type { NewcomerUse } from './terms';

export type EarningMath = z.input<Contract['GET /earnings/{day}/math']['response']>;
type Row = {
  work: number;
  shares: number;
  mean_hashrate: number;
  price_btc: number;
  btc_price_usd: number;
  fee_percent: number;
  referral_percent: number;
  newcomer: NewcomerUse | null;
  gross_sat: number;
  fee_sat: number;
  net_sat: number;
  referral_sat: number;
  status: EarningMath['status'];
  closed_at: Date;
};

/** Null when the day is not closed, or has no earning. */
export async function mathOf(
  db: Querier,
  { id, name }: { id: number; name: string },
  algorithm: AlgorithmName,
  day: string,
): Promise<EarningMath | null> {
  const key = [id, algorithm, day];
  const row = await firstRow<Row>(
    db,
    'select * from earning where sub_account_id = $1 and algorithm = $2 and day = $3::date',
    key,
  );
  if (!row) return null;
  const { rows: changes } = await db.query<{
    created_at: Date;
    gross_sat_before: number;
    gross_sat: number;
    note: string;
  }>(
    `select created_at, gross_sat_before, gross_sat, note
     from earning_adjustment
     where sub_account_id = $1 and algorithm = $2 and day = $3::date
     order by id`,
    key,
  );
  const { hashesPerDifficulty, priceUnit, priceUnitHs } = ALGORITHMS[algorithm];
  const measured = (row.work * hashesPerDifficulty) / DAY_S;
  const exactGrossSat = (row.mean_hashrate / priceUnitHs) * row.price_btc * SATS_PER_BTC;
  const computedGrossSat = changes[0]?.gross_sat_before ?? row.gross_sat;
  return {
    account: name,
    algorithm,
    day,
    status: row.status,
    closedAt: row.closed_at.toISOString(),
    from: startOfDay(day),
    seconds: DAY_S,
    shares: row.shares,
    work: row.work,
    hashesPerDifficulty,
    measuredHashrate: measured,
    newcomer: row.newcomer,
    meanHashrate: row.mean_hashrate,
    priceBtc: row.price_btc,
    priceUnit,
    priceUnitHs,
    btcPriceUsd: row.btc_price_usd,
    exactGrossSat,
    computedGrossSat,
    grossSat: row.gross_sat,
    feePercent: row.fee_percent,
    exactFeeSat: (row.gross_sat * row.fee_percent) / 100,
    feeSat: row.fee_sat,
    referralPercent: row.referral_percent,
    exactReferralSat: (row.fee_sat * row.referral_percent) / 100,
    referralSat: row.referral_sat,
    poolSat: row.fee_sat - row.referral_sat,
    netSat: row.net_sat,
    steps: [
      'measuredHashrate = work * hashesPerDifficulty / seconds',
      'meanHashrate = measuredHashrate * ((100 + newcomer.adjustPercent) / 100), ' +
        'or measuredHashrate without a newcomer rule',
      'exactGrossSat = meanHashrate / priceUnitHs * priceBtc * 100000000',
      'computedGrossSat = floor(exactGrossSat * (1 + 1e-12)); grossSat is the same unless adjusted',
      'feeSat and netSat: grossSat divided by feePercent and 100 - feePercent, each rounded down; ' +
        'a satoshi left over goes to the larger remainder, to the fee when equal',
      'referralSat: feeSat divided by referralPercent in the same way; ' +
        'it is part of the fee, poolSat is the rest of the fee',
    ],
    adjustments: changes.map((change) => ({
      at: change.created_at.toISOString(),
      grossSatBefore: change.gross_sat_before,
      grossSat: change.gross_sat,
      note: change.note,
    })),
  };
}
