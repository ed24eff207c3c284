/** Work by steps, and series of hashrates made of it. */
import type { Absence, Series } from '@pool/shared/api/contract';
import { hashrateOfWork, OFFLINE_AFTER_S, type AlgorithmName } from '@pool/shared/domain';
import { MIN_S, presentSeconds } from '../../../accounts/mined-time/mined-time';
import { raw, sql, type Sql } from '../../../platform/db/querier';
import type { Scope } from './source';

export type Work = { t: number; accepted: number; stale: number; rejected: number; shares: number; buckets: number };

/** The rows by column, null without a row: a JSON object for each row takes longer than reading it. */
export type WorkColumns = { [K in keyof Work]: Work[K][] | null };
const COLUMNS = ['t', 'accepted', 'stale', 'rejected', 'shares', 'buckets'] as const;

/** Sums of difficulty per step in `[start, end)`, without steps that have no row. */
export const workSelect = (
  scope: Scope,
  table: string,
  { start, end, step }: Record<'start' | 'end' | 'step', number>,
): Sql => sql`
  select ${raw(COLUMNS.map((name) => `json_agg(${name}) as ${name}`).join())}
  from (
    select extract(epoch from date_bin(make_interval(secs => ${step}::int), at, to_timestamp(0)))::int as t,
      sum(accepted) as accepted,
      sum(stale) as stale,
      sum(rejected) as rejected,
      sum(shares)::float8 as shares,
      count(distinct at)::int as buckets
    from ${scope.rows(table)} and at >= to_timestamp(${start}::int) and at < to_timestamp(${end}::int)
    group by 1
    order by 1
  ) steps`;
export const workFrom = ([columns]: WorkColumns[]): Work[] =>
  (columns?.t ?? []).map((t, at) => ({
    t,
    accepted: columns?.accepted?.[at] ?? 0,
    stale: columns?.stale?.[at] ?? 0,
    rejected: columns?.rejected?.[at] ?? 0,
    shares: columns?.shares?.[at] ?? 0,
    buckets: columns?.buckets?.[at] ?? 0,
  }));

type Shape = {
  start: number;
  count: number;
  step: number;
  stored: number;
  algorithm: AlgorithmName;
  /** Start of the mining, and times at which the server did not run: not a part of any mean. */
  since?: number | null;
  absences?: readonly Absence[];
};

/** A series of steps. One without a row is null, but 0 in a short silence: a small miner finds few shares. */
export function toSeries(
  rows: readonly Work[],
  { start, count, step, stored, algorithm, since = null, absences = [] }: Shape,
): Series {
  const points = new Array<Work | undefined>(count);
  for (const row of rows) points[(row.t - start) / step] = row;
  const silence = Math.ceil(OFFLINE_AFTER_S / step);
  const zero = new Array<boolean>(count).fill(false);
  let last: number | undefined;
  for (let i = 0; i <= count; i += 1) {
    if (i < count && !points[i]) continue;
    if (last !== undefined && i - last - 1 < silence) zero.fill(true, last + 1, i);
    last = i;
  }
  /** Seconds of each stored step of a point that count, most first: those without any have no row. */
  const present = Array.from({ length: count }, (_, i) => {
    const from = start + i * step;
    const began = since !== null && since > from && since < from + step ? since : from;
    return Array.from({ length: step / stored }, (__, part) => {
      const at = from + part * stored;
      return presentSeconds(Math.max(at, began), at + stored, absences);
    }).sort((a, b) => b - a);
  });
  const rate = (kind: 'accepted' | 'stale' | 'rejected'): (number | null)[] =>
    present.map((parts, i) => {
      const point = points[i];
      if (!point) return zero[i] && (parts[0] ?? 0) > 0 ? 0 : null;
      const measured = parts.slice(0, point.buckets).reduce((sum, seconds) => sum + seconds, 0);
      return hashrateOfWork(algorithm, point[kind], Math.max(MIN_S, measured));
    });
  return { from: start, step, accepted: rate('accepted'), stale: rate('stale'), rejected: rate('rejected') };
}
