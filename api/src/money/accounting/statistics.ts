/** Figures of the whole pool, equal for every user. */
import type { Pool } from 'pg';
import type { z } from 'zod';
import type { Contract, Series } from '@pool/shared/api/contract';
import { ALGORITHM_NAMES, ALGORITHMS, OFFLINE_AFTER_S, type AlgorithmName } from '@pool/shared/domain';
import { history } from '../../mining/shares/charts/charts';
import { absencesOf, sinceWhen, windowMean, windowStart } from '../../accounts/mined-time/mined-time';
import { dayOf } from '../../platform/days';
import { closedThrough } from './earnings';
import { grossOf, partsOf } from './pay-per-share';
import { pricesOf, setOn } from './prices';
import { isSilent } from '../../platform/offline';
import { rowsOf } from '../../platform/db/querier';

export type PoolStatistics = Omit<z.input<Contract['GET /getPoolStatistics']['response']>[number], 'feePercent'>[];

export async function poolStatistics(pool: Pool, now: number): Promise<PoolStatistics> {
  const absences = await absencesOf(pool, now);
  const work = await rowsOf<{ algorithm: string; accepted: number }>(pool)`
    select algorithm, sum(accepted) as accepted from account_10m
    where at >= to_timestamp(${windowStart('h1', now)}::float8) group by 1`;
  const online = await rowsOf<{ algorithm: string; workers: number; miners: number }>(
    pool,
    `select w.algorithm, count(*) as workers, count(distinct s.user_id) as miners
     from worker_live l
     join worker w on w.sub_account_id = l.sub_account_id and w.id = l.worker_id
     join sub_account s on s.id = w.sub_account_id
     where not ${isSilent('$1::float8')}
     group by 1`,
    [sinceWhen(OFFLINE_AFTER_S, now, absences)],
  );
  const prices = await pricesOf(pool, dayOf(now));
  return ALGORITHM_NAMES.map((algo) => {
    const accepted = work.find((r) => r.algorithm === algo)?.accepted ?? 0;
    const hashrate = windowMean(algo, accepted, 'h1', { since: null, absences }, now);
    const { priceBtc } = prices[algo];
    const live = online.find((r) => r.algorithm === algo);
    return {
      algo,
      hashrate,
      dailyRevenueBtc: (hashrate / ALGORITHMS[algo].priceUnitHs) * priceBtc,
      priceBtc,
      priceSet: setOn(prices[algo]) !== null,
      workersOnline: live?.workers ?? 0,
      minersOnline: live?.miners ?? 0,
    };
  });
}

export const poolHistory = (pool: Pool, algorithm: AlgorithmName, now: number): Promise<Series> =>
  history(pool, { of: 'pool', algorithm }, 'd30', now);

export type PoolDay = z.input<Contract['GET /poolDay']['response']>;

/** What one unit of hashrate earned on the last closed day, by the formula of every earning. */
export async function poolDay(pool: Pool, feeOn: (day: string) => Promise<number>): Promise<PoolDay> {
  const day = await closedThrough(pool);
  if (day === null) return [];
  const [prices, feePercent] = [await pricesOf(pool, day), await feeOn(day)];
  return ALGORITHM_NAMES.filter((algorithm) => setOn(prices[algorithm]) !== null).map((algorithm) => {
    const { priceBtc, btcPriceUsd } = prices[algorithm];
    const meanHashrate = ALGORITHMS[algorithm].priceUnitHs;
    const { grossSat, feeSat, netSat } = partsOf(grossOf(algorithm, meanHashrate, priceBtc), feePercent, 0);
    return { day, algorithm, meanHashrate, priceBtc, btcPriceUsd, feePercent, grossSat, feeSat, netSat };
  });
}
