/** Sums of shares per minute, ten minutes, hour and day; a batch is added to the tables of all steps. */
import type { PoolClient } from 'pg';
import { ALGORITHM_NAMES, type AlgorithmName } from '@pool/shared/domain';
import type { Share, Taken } from '../../stratum/ports';
import { inParts } from './journal/in-parts';

/** Length of each step and how long its rows are kept, in seconds. The partitions have the same times. */
export const STEPS = [
  { name: '1m', seconds: 60, keep: 3 * 86_400 },
  { name: '10m', seconds: 600, keep: 40 * 86_400 },
  { name: '1h', seconds: 3600, keep: 365 * 86_400 },
  { name: '1d', seconds: 86_400, keep: Infinity },
] as const;

type Sums = { accepted: number; stale: number; rejected: number; shares: number };
/** Work that the user's own upstream pools claim to have accepted; it is not paid here. */
type Own = { accepted: number; shares: number };
/** Work that one of the pool's own upstreams took, and what is credited for it. */
type TakenSum = { accepted: number; credited: number; acceptedShares: number; creditedShares: number };
/** Work of one worker in `[at, at + span)`. `at`: Unix seconds, a multiple of `span`; `span`: the length of a step. */
export type Bucket = Sums & {
  subAccountId: number;
  algorithm: AlgorithmName;
  worker: string;
  at: number;
  span: number;
  lastShareAt: number | null;
  own?: Own;
  taken?: Map<string, TakenSum>;
};

const NOTHING = { accepted: 0, stale: 0, rejected: 0, shares: 0, lastShareAt: null };

export function minuteBuckets(shares: Iterable<Share>): Bucket[] {
  const buckets = new Map<string, Bucket>();
  for (const { subAccountId, algorithm, worker, difficulty, outcome, at, ownPool, taken } of shares) {
    const seconds = Math.floor(at / 1000);
    const minute = seconds - (seconds % 60);
    const key = `${subAccountId} ${algorithm} ${worker} ${minute}`;
    let bucket = buckets.get(key);
    if (!bucket) buckets.set(key, (bucket = { subAccountId, algorithm, worker, at: minute, span: 60, ...NOTHING }));
    if (outcome !== 'accepted') {
      bucket[outcome] += difficulty;
      continue;
    }
    const sums = ownPool ? (bucket.own ??= { accepted: 0, shares: 0 }) : bucket;
    sums.accepted += difficulty;
    sums.shares += 1;
    bucket.lastShareAt = Math.max(bucket.lastShareAt ?? 0, seconds);
    if (taken) addTaken((bucket.taken ??= new Map<string, TakenSum>()), taken, difficulty);
  }
  return [...buckets.values()];
}

function addTaken(sums: Map<string, TakenSum>, { upstream, accepted }: Taken, credited: number): void {
  let sum = sums.get(upstream);
  if (!sum) sums.set(upstream, (sum = { accepted: 0, credited: 0, acceptedShares: 0, creditedShares: 0 }));
  sum.accepted += accepted;
  sum.credited += credited;
  if (accepted > 0) sum.acceptedShares += 1;
  sum.creditedShares += 1;
}

/** Sums of a key in a step, in the order of `sumsOf`. `index`: a number unique to the key. */
type Row<K> = { key: K; index: number; at: number; sums: number[] };

const sumsOf = ({ accepted, stale, rejected, shares, own }: Bucket): number[] => [
  accepted,
  stale,
  rejected,
  shares,
  own?.accepted ?? 0,
  own?.shares ?? 0,
];

/** Runs a million times when the demo is seeded. */
function sumTo<K>(rows: readonly Row<K>[], seconds: number): Row<K>[] {
  const byKey = new Map<number, Map<number, Row<K>>>();
  for (const { key, index, at: time, sums } of rows) {
    let steps = byKey.get(index);
    if (!steps) byKey.set(index, (steps = new Map()));
    const at = time - (time % seconds);
    const known = steps.get(at);
    if (known) for (let i = 0; i < sums.length; i += 1) known.sums[i]! += sums[i]!;
    else steps.set(at, { key, index, at, sums: sums.slice() });
  }
  return [...byKey.values()].flatMap((steps) => [...steps.values()]);
}

/** The rows of each step, from buckets that are not longer than the step, sorted. */
function* steps<K>(
  buckets: readonly Bucket[],
  now: number,
  keyOf: (bucket: Bucket) => Pick<Row<K>, 'key' | 'index'> | null,
): Generator<{ name: string; rows: Row<K>[] }> {
  let rows: Row<K>[] = [];
  for (const { name, seconds, keep } of STEPS) {
    for (const bucket of buckets) {
      const key = bucket.span === seconds && keyOf(bucket);
      if (key) rows.push({ key: key.key, index: key.index, at: bucket.at, sums: sumsOf(bucket) });
    }
    rows = sumTo(rows, seconds);
    yield { name, rows: rows.filter((row) => row.at >= now - keep).sort((a, b) => a.index - b.index || a.at - b.at) };
  }
}

/** SQL after `on conflict`, of `t`. */
export const ADD = `do update set
  accepted = t.accepted + excluded.accepted,
  stale = t.stale + excluded.stale,
  rejected = t.rejected + excluded.rejected,
  shares = t.shares + excluded.shares`;
const SUMS = '$3::float8[], $4::float8[], $5::float8[], $6::float8[], $7::int[], $8::float8[], $9::int[]';
const columns = (rows: readonly Row<unknown>[]): unknown[] => [
  rows.map(({ at }) => at),
  ...[0, 1, 2, 3, 4, 5].map((i) => rows.map(({ sums }) => sums[i])),
];

/** Adds buckets to the tables of each step, `rows` in a statement; sorted, so that writers cannot deadlock. */
export async function addBuckets(
  client: PoolClient,
  buckets: readonly Bucket[],
  ids: ReadonlyMap<string, number>,
  { now, rows: max }: { now: number; rows: number },
): Promise<void> {
  const ofWorker = (bucket: Bucket) => {
    const id = ids.get(workerKey(bucket));
    return id === undefined ? null : { key: { id, account: bucket.subAccountId }, index: id };
  };
  for (const { name, rows } of steps(buckets, now, ofWorker)) {
    await inParts(rows, max, (part) =>
      client.query(
        `insert into share_${name} as t (sub_account_id, worker_id, at, accepted, stale, rejected, shares)
         select u.account, u.id, to_timestamp(u.at), u.accepted + u.own_accepted, u.stale, u.rejected,
           u.shares + u.own_shares
         from unnest($1::int[], $2::int[], ${SUMS})
           as u(account, id, at, accepted, stale, rejected, shares, own_accepted, own_shares)
         on conflict (sub_account_id, worker_id, at) ${ADD}`,
        [part.map(({ key }) => key.account), part.map(({ key }) => key.id), ...columns(part)],
      ),
    );
  }
  const ofAccount = ({ subAccountId: id, algorithm }: Bucket) => ({
    key: { id, algorithm },
    index: id * ALGORITHM_NAMES.length + ALGORITHM_NAMES.indexOf(algorithm),
  });
  for (const { name, rows } of steps(buckets, now, ofAccount)) {
    await inParts(rows, max, (part) =>
      client.query(
        `insert into account_${name} as t
           (sub_account_id, algorithm, at, accepted, stale, rejected, shares, own_accepted, own_shares)
         select u.id, u.algorithm, to_timestamp(u.at), u.accepted, u.stale, u.rejected, u.shares,
           u.own_accepted, u.own_shares
         from unnest($1::int[], $2::text[], ${SUMS})
           as u(id, algorithm, at, accepted, stale, rejected, shares, own_accepted, own_shares)
         on conflict (sub_account_id, algorithm, at) ${ADD},
           own_accepted = t.own_accepted + excluded.own_accepted,
           own_shares = t.own_shares + excluded.own_shares`,
        [part.map(({ key }) => key.id), part.map(({ key }) => key.algorithm), ...columns(part)],
      ),
    );
  }
}

type Named = { subAccountId: number; algorithm: string; worker: string };
export const workerKey = ({ subAccountId, algorithm, worker }: Named): string =>
  `${subAccountId} ${algorithm} ${worker}`;
