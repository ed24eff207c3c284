/** The work of a UTC day that is paid for. */
import { isAlgorithm, type AlgorithmName } from '@pool/shared/domain';
import { startOfDay } from '../../platform/days';
import { type Querier, rowsOf } from '../../platform/db/querier';
import { DAY_S } from './pay-per-share';

/** `work`: sum of difficulties. */
export type DayWork = { subAccountId: number; userId: number; algorithm: AlgorithmName; work: number; shares: number };

/** Work of a day by sub-account and algorithm, in their order. */
export async function workOf(client: Querier, day: string): Promise<DayWork[]> {
  const start = startOfDay(day);
  // Sum in a fixed order, hour by hour: the last bit of a floating-point sum depends on the order.
  const rows = await rowsOf<Omit<DayWork, 'algorithm'> & { algorithm: string }>(client)`
    select a.sub_account_id, s.user_id, a.algorithm,
      sum(a.accepted order by a.at) as work,
      sum(a.shares)::int as shares
    from account_1h a
    join sub_account s on s.id = a.sub_account_id
    where a.at >= to_timestamp(${start}::float8) and a.at < to_timestamp(${start + DAY_S}::float8)
    group by 1, 2, 3
    order by 1, 3`;
  return rows.flatMap(({ algorithm, ...row }) => (isAlgorithm(algorithm) ? [{ ...row, algorithm }] : []));
}
