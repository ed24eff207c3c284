/**
 * What the pool's own upstreams say that they counted (UPSTREAM_COUNTED_…), for the closing check: ckpool's file of a
 * user has a total, public-pool's charts have the mean hashrate of each ten minutes. A day is recorded when it was read
 * from its beginning to its end; for any other the check compares with the estimate.
 */
import type { Pool } from 'pg';
import { z } from 'zod';
import { ALGORITHMS, type AlgorithmName } from '@pool/shared/domain';
import { addDays, dayOf, startOfDay } from '../../platform/days';
import { every } from '../../platform/every';
import type { Logger } from '../../platform/log';
import { jsonOf } from './price-source';
import { sql, valueOf } from '../../platform/db/querier';

const READ_INTERVAL_MS = 60_000;
/** Public-pool's slots, and how long after its end all shares of a slot are in it. */
const SLOT_S = 600;
const SETTLED_S = 120;
/** A longer silence breaks the count: public-pool's chart goes back for a day. */
const LONGEST_GAP_S = 12 * 3600;

const user = z.object({ shares: z.number().min(0) });
const chart = z.array(z.object({ label: z.iso.datetime(), data: z.number().min(0) }));
const answer = z.union([user, chart, z.object({ chartData: chart }).transform(({ chartData }) => chartData)]);

/** `upstream`: as its days are recorded. `url`: the operator's. */
type CountedSource = { algorithm: AlgorithmName; upstream: string; url: string };
/**
 * How far an upstream was read. `from`, `until`: of what was read without a gap, Unix seconds. `work`: of the day of
 * `until`, a sum of difficulties. `total`: all that ckpool has ever counted.
 */
type Read = Pick<CountedSource, 'upstream' | 'url'> & {
  from: number;
  until: number;
  work: number;
  total: number | null;
};

/** What is known with an answer, and the day that ended meanwhile if all of it was read. */
function advance(
  before: Read | undefined,
  { algorithm, upstream, url }: CountedSource,
  said: z.output<typeof answer>,
  now: number,
): { read: Read; ended?: { day: string; work: number } } {
  const total = 'shares' in said ? said.shares : null;
  const until = total === null ? Math.floor((now - SETTLED_S) / SLOT_S) * SLOT_S : Math.floor(now);
  const follows =
    before?.upstream === upstream &&
    before.url === url &&
    until - before.until <= LONGEST_GAP_S &&
    (total === null ? before.total === null : before.total !== null && total >= before.total);
  if (!follows) return { read: { upstream, url, from: until, until, work: 0, total } };
  const workBetween = (from: number, to: number): number => {
    // A total grows evenly from one answer to the next.
    if ('shares' in said)
      return ((said.shares - (before.total ?? 0)) * (to - from)) / Math.max(1, until - before.until);
    const slots = said.filter(({ label }) => Date.parse(label) >= from * 1000 && Date.parse(label) < to * 1000);
    return slots.reduce((sum, { data }) => sum + (data * SLOT_S) / ALGORITHMS[algorithm].hashesPerDifficulty, 0);
  };
  const day = dayOf(before.until);
  const read = { ...before, until, total };
  if (dayOf(until) === day) return { read: { ...read, work: before.work + workBetween(before.until, until) } };
  const midnight = startOfDay(addDays(day, 1));
  return {
    read: { ...read, work: workBetween(midnight, until) },
    ...(before.from <= startOfDay(day) && {
      ended: { day, work: before.work + workBetween(before.until, midnight) },
    }),
  };
}

/** Asks once. Throws when the answer is of neither kind; what was read before stays. `now`: Unix seconds. */
export async function readCounted(pool: Pool, source: CountedSource, now: number): Promise<void> {
  const said = answer.parse(await jsonOf(source.url));
  const name = `counted.${source.algorithm}`;
  const before = await valueOf<Read>(pool)`select value from setting where name = ${name}`;
  const { read, ended } = advance(before, source, said, now);
  if (ended)
    await pool.query(sql`
      update upstream_day set counted = ${ended.work} where day = ${ended.day}::date
        and algorithm = ${source.algorithm} and upstream = ${source.upstream}`);
  await pool.query(sql`
    insert into setting (name, value) values (${name}, ${JSON.stringify(read)}) on conflict (name) do update
    set value = excluded.value`);
}

type Options = { pool: Pool; sources: readonly CountedSource[]; log: Logger; now: () => number };

/** Asks each upstream now and every minute. */
export function startCounted({ pool, sources, log, now }: Options): { stop(): Promise<void> } {
  const failed = 'what an upstream counted cannot be read';
  const read = (source: CountedSource): Promise<void> =>
    readCounted(pool, source, now()).catch((error: unknown) =>
      log.warn({ err: error, upstream: source.upstream }, failed),
    );
  return every(READ_INTERVAL_MS, () => Promise.all(sources.map(read)), log, failed);
}
