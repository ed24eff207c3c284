/** The figures and formulas of one earning, so that its owner can check the computation. */
import type { z } from 'zod';
import type { Contract } from '@pool/shared/api/contract';
import { ALGORITHMS, SATS_PER_BTC, type AlgorithmName } from '@pool/shared/domain';
import { DAY_S } from './pay-per-share';
import { startOfDay } from '../../platform/days';
import { rowsOf, type Querier, isoTime } from '../../platform/db/querier';
import type { NewcomerUse } from './terms';

export type EarningMath = z.input<Contract['GET /earnings/{day}/math']['response']>;
type Row = Pick<
  EarningMath,
  | 'work'
  | 'shares'
  | 'meanHashrate'
  | 'priceBtc'
  | 'btcPriceUsd'
  | 'feePercent'
  | 'referralPercent'
  | 'grossSat'
  | 'feeSat'
  | 'netSat'
  | 'referralSat'
  | 'status'
  | 'closedAt'
> & { newcomer: NewcomerUse | null };

/** Null when the day is not closed, or has no earning. */
export async function mathOf(
  db: Querier,
  { id, name }: { id: number; name: string },
  algorithm: AlgorithmName,
  day: string,
): Promise<EarningMath | null> {
  const key = [id, algorithm, day];
  const where = 'where sub_account_id = $1 and algorithm = $2 and day = $3::date';
  const [row] = await rowsOf<Row>(
    db,
    `select work, shares, mean_hashrate, price_btc, btc_price_usd, fee_percent, referral_percent, gross_sat, fee_sat,
       net_sat, referral_sat, status, newcomer, ${isoTime('closed_at')} as closed_at
     from earning ${where}`,
    key,
  );
  if (!row) return null;
  const adjustments = await rowsOf<EarningMath['adjustments'][number]>(
    db,
    `select ${isoTime('created_at')} as at, gross_sat_before, gross_sat, note from earning_adjustment ${where}
     order by id`,
    key,
  );
  const { hashesPerDifficulty, priceUnit, priceUnitHs } = ALGORITHMS[algorithm];
  return {
    ...row,
    account: name,
    algorithm,
    day,
    from: startOfDay(day),
    seconds: DAY_S,
    hashesPerDifficulty,
    measuredHashrate: (row.work * hashesPerDifficulty) / DAY_S,
    priceUnit,
    priceUnitHs,
    exactGrossSat: (row.meanHashrate / priceUnitHs) * row.priceBtc * SATS_PER_BTC,
    computedGrossSat: adjustments[0]?.grossSatBefore ?? row.grossSat,
    exactFeeSat: (row.grossSat * row.feePercent) / 100,
    exactReferralSat: (row.feeSat * row.referralPercent) / 100,
    poolSat: row.feeSat - row.referralSat,
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
    adjustments,
  };
}
