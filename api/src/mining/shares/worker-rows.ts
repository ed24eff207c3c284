/** Rows of `worker` and `worker_live`: inserted with a worker's first share, updated with each batch. */
import type { PoolClient } from 'pg';
import { type Querier, sql } from '../../platform/db/querier';
import { inParts } from './journal/in-parts';
import { type Bucket, workerKey } from './rollup';
import type { WorkerPresence } from '../../stratum/ports';

type Named = { subAccountId: number; algorithm: string; worker: string };
/** The last connection of a worker. Times in Unix milliseconds. */
export type Live = Named &
  Pick<WorkerPresence, 'difficulty' | 'software' | 'remote' | 'silence'> & {
    connectedAt: number | null;
    disconnectedAt: number | null;
  };

/** Ids of the workers of `buckets` by `workerKey`; missing ones of accounts that exist are inserted (`made`). */
export async function workerIds(
  client: PoolClient,
  buckets: readonly Bucket[],
  rows: number,
): Promise<{ ids: Map<string, number>; made: Set<string> }> {
  const workers = new Map<string, Named & { since: number }>();
  for (const bucket of buckets) {
    const key = workerKey(bucket);
    const known = workers.get(key);
    if (!known) workers.set(key, { ...bucket, since: bucket.at });
    else if (bucket.at < known.since) known.since = bucket.at;
  }
  const ids = new Map<string, number>();
  await inParts([...workers.values()], rows, (part) => findWorkers(client, part, ids));
  const missing = [...workers].filter(([key]) => !ids.has(key)).sort(([a], [b]) => (a < b ? -1 : 1));
  const list = missing.map(([, worker]) => worker);
  // Insert only missing workers: a conflict would still consume an id.
  await inParts(list, rows, async (part) => {
    await client.query(
      `insert into worker (sub_account_id, algorithm, name, created_at)
       select u.s, u.a, u.n, to_timestamp(u.since)
       from unnest($1::int[], $2::text[], $3::text[], $4::float8[]) as u(s, a, n, since)
       join sub_account s on s.id = u.s
       order by 1, 2, 3
       on conflict do nothing`,
      [...namesOf(part), part.map((w) => w.since)],
    );
    await findWorkers(client, part, ids);
  });
  return { ids, made: new Set(missing.map(([key]) => key)) };
}

const namesOf = (workers: readonly Named[]): unknown[] => [
  workers.map((w) => w.subAccountId),
  workers.map((w) => w.algorithm),
  workers.map((w) => w.worker),
];

async function findWorkers(client: PoolClient, workers: readonly Named[], ids: Map<string, number>): Promise<void> {
  const { rows } = await client.query<{ id: number; s: number; a: string; n: string }>(
    `select w.id, u.s, u.a, u.n
     from unnest($1::int[], $2::text[], $3::text[]) as u(s, a, n)
     join worker w on w.sub_account_id = u.s and w.algorithm = u.a and w.name = u.n`,
    namesOf(workers),
  );
  for (const { id, s, a, n } of rows) ids.set(workerKey({ subAccountId: s, algorithm: a, worker: n }), id);
}

export async function updateLastShares(
  client: PoolClient,
  buckets: readonly Bucket[],
  ids: ReadonlyMap<string, number>,
  rows: number,
): Promise<void> {
  const times = new Map<number, { account: number; first: number; last: number }>();
  for (const { lastShareAt, at, ...bucket } of buckets) {
    const id = ids.get(workerKey(bucket));
    if (id === undefined || lastShareAt === null) continue;
    const known = times.get(id);
    times.set(id, {
      account: bucket.subAccountId,
      first: Math.min(known?.first ?? at, at),
      last: Math.max(known?.last ?? 0, lastShareAt),
    });
  }
  const list = [...times].sort(([a], [b]) => a - b);
  await inParts(list, rows, (part) =>
    client.query(
      `insert into worker_live as t (sub_account_id, worker_id, last_share_at, mining_since)
       select u.account, u.id, to_timestamp(u.last), to_timestamp(u.first)
       from unnest($1::int[], $2::int[], $3::float8[], $4::float8[]) as u(account, id, last, first)
       on conflict (sub_account_id, worker_id) do update set
         last_share_at = greatest(t.last_share_at, excluded.last_share_at),
         mining_since = case
           when excluded.mining_since > t.last_share_at + $5::interval then excluded.mining_since
           when excluded.last_share_at < t.mining_since - $5::interval then t.mining_since
           else least(t.mining_since, excluded.mining_since)
         end`,
      [
        part.map(([, { account }]) => account),
        part.map(([id]) => id),
        part.map(([, { last }]) => last),
        part.map(([, { first }]) => first),
        '1 day',
      ],
    ),
  );
}

/** The only server has just started: nobody is connected. */
export const endAllPresences = (db: Querier): Promise<unknown> =>
  db.query(
    `delete from worker_presence;
     update worker_live
     set disconnected_at = now(), difficulty = null
     where disconnected_at is null and connected_at is not null`,
  );

type Key = { id: number; account: number };
/** `KEYS` of statements whose first parameters are these, read as `k(account, id)`. */
const valuesOf = (keys: readonly Key[]): [number[], number[]] => [
  keys.map(({ account }) => account),
  keys.map(({ id }) => id),
];
const KEYS = 'unnest($1::int[], $2::int[]) as k(account, id)';

/** The miners of a node are gone: shown as such are those that no other node has. */
export async function endPresences(client: PoolClient, node: string): Promise<void> {
  const { rows: keys } = await client.query<Key>(sql`
    select sub_account_id as account, worker_id as id from worker_presence where node_id = ${node}`);
  await lockLives(client, keys);
  await client.query(
    `delete from worker_presence p using ${KEYS}
     where p.sub_account_id = k.account and p.worker_id = k.id and p.node_id = $3`,
    [...valuesOf(keys), node],
  );
  await client.query(
    `update worker_live l
     set disconnected_at = now(), difficulty = null
     from ${KEYS}
     where l.sub_account_id = k.account and l.worker_id = k.id and disconnected_at is null
       and not exists (
         select from worker_presence p where p.sub_account_id = l.sub_account_id and p.worker_id = l.worker_id
       )`,
    valuesOf(keys),
  );
}

/** Nodes take turns at a worker: each sees whether another has it. */
const lockLives = (client: PoolClient, keys: readonly Key[]): Promise<unknown> =>
  client.query(
    `select from worker_live l
     join ${KEYS} on l.sub_account_id = k.account and l.worker_id = k.id
     order by l.worker_id
     for update of l`,
    valuesOf(keys),
  );

async function writePresences(client: PoolClient, node: string, lives: readonly Live[]): Promise<void> {
  const ids = new Map<string, number>();
  await findWorkers(client, lives, ids);
  const keys = lives.flatMap(({ disconnectedAt, ...live }) => {
    const id = ids.get(workerKey(live));
    return id === undefined ? [] : [{ id, account: live.subAccountId, isConnected: disconnectedAt === null }];
  });
  await lockLives(client, keys);
  await client.query(
    `delete from worker_presence p using ${KEYS}
     where p.sub_account_id = k.account and p.worker_id = k.id and p.node_id = $3`,
    [...valuesOf(keys.filter(({ isConnected }) => !isConnected)), node],
  );
  await client.query(
    `insert into worker_presence (sub_account_id, worker_id, node_id)
     select k.account, k.id, $3 from ${KEYS}
     on conflict do nothing`,
    [...valuesOf(keys.filter(({ isConnected }) => isConnected)), node],
  );
}

/** Writes connections of workers that have a row, of this `node` where there are several; returns their keys. */
export async function writeLive(client: PoolClient, lives: readonly Live[], node?: string): Promise<Set<string>> {
  if (lives.length === 0) return new Set();
  if (node !== undefined) await writePresences(client, node, lives);
  const seconds = (ms: number | null): number | null => (ms === null ? null : ms / 1000);
  const { rows } = await client.query<{ s: number; a: string; n: string }>(sql`
    with input as (
      select w.id, u.*
      from unnest(
        ${lives.map((l) => l.subAccountId)}::int[], ${lives.map((l) => l.algorithm)}::text[],
          ${lives.map((l) => l.worker)}::text[], ${lives.map((l) => seconds(l.connectedAt))}::float8[],
            ${lives.map((l) => seconds(l.disconnectedAt))}::float8[], ${lives.map((l) => l.difficulty)}::float8[],
              ${lives.map((l) => l.software)}::text[], ${lives.map((l) => l.remote)}::text[],
        ${lives.map((l) => l.silence ?? null)}::real[]
      ) as u(s, a, n, connected, disconnected, difficulty, software, remote, silence)
      join worker w on w.sub_account_id = u.s and w.algorithm = u.a and w.name = u.n
      order by w.id
    ), written as (
      insert into worker_live as t
        (sub_account_id, worker_id, connected_at, disconnected_at, difficulty, software, remote, silence)
      select s, id, to_timestamp(connected), to_timestamp(disconnected), difficulty, software, remote, silence
      from input
      where disconnected is null
        or not exists (select from worker_presence p where p.sub_account_id = s and p.worker_id = id)
      on conflict (sub_account_id, worker_id) do update set
        connected_at = excluded.connected_at,
        disconnected_at = excluded.disconnected_at,
        difficulty = excluded.difficulty,
        software = coalesce(excluded.software, t.software),
        remote = excluded.remote,
        silence = coalesce(excluded.silence, t.silence)
    )
    select s, a, n from input`);
  return new Set(rows.map((row) => workerKey({ subAccountId: row.s, algorithm: row.a, worker: row.n })));
}
