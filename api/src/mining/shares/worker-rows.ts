/** Rows of `worker` and `worker_live`: inserted with a worker's first share, updated with each batch. */
import type { PoolClient } from 'pg';
import { type Querier, rowsOf, type Sql, sql, valuesOf } from '../../platform/db/querier';
import { lock } from '../../platform/db/transaction';
import { inParts } from './journal/in-parts';
import { type Bucket, workerKey } from './rollup';
import type { WorkerPresence } from '../../stratum/ports';

type Named = { subAccountId: number; algorithm: string; worker: string };
/** The last connection of a worker. Times in Unix milliseconds. */
export type Live = Named &
  Pick<WorkerPresence, 'difficulty' | 'software' | 'remote' | 'silence' | 'port' | 'tls'> & {
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

/** Accounts of a statement: with them a Citus asks the shards alone that have some. */
const distinct = (accounts: readonly number[]): number[] => [...new Set(accounts)];

const namesOf = (workers: readonly Named[]): unknown[] => [
  workers.map((w) => w.subAccountId),
  workers.map((w) => w.algorithm),
  workers.map((w) => w.worker),
];

async function findWorkers(client: PoolClient, workers: readonly Named[], ids: Map<string, number>): Promise<void> {
  const rows = await rowsOf<{ id: number; s: number; a: string; n: string }>(
    client,
    `select w.id, u.s, u.a, u.n
     from unnest($1::int[], $2::text[], $3::text[]) as u(s, a, n)
     join worker w on w.sub_account_id = u.s and w.algorithm = u.a and w.name = u.n
     where w.sub_account_id = any($4::int[])`,
    [...namesOf(workers), distinct(workers.map((w) => w.subAccountId))],
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
           when excluded.mining_since - t.last_share_at > interval '1 day' then excluded.mining_since
           when t.mining_since - excluded.last_share_at > interval '1 day' then t.mining_since
           else least(t.mining_since, excluded.mining_since)
         end`,
      [
        part.map(([, { account }]) => account),
        part.map(([id]) => id),
        part.map(([, { last }]) => last),
        part.map(([, { first }]) => first),
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
/** SQL of these, read as `k(account, id)`, and of their accounts. */
const keysOf = (keys: readonly Key[]): Sql =>
  sql`unnest(${keys.map(({ account }) => account)}::int[], ${keys.map(({ id }) => id)}::int[]) as k(account, id)`;
const accountsOf = (keys: readonly Key[]): Sql => sql`any(${distinct(keys.map(({ account }) => account))}::int[])`;

/** Ids of those that are connected to a node. Nodes take turns (`lock`): each sees what the one before has written. */
async function presentOf(client: PoolClient, keys: readonly Key[]): Promise<Set<number>> {
  // An empty list would ask all nodes of a Citus.
  if (keys.length === 0) return new Set();
  const present = await valuesOf<number>(client)`
    select p.worker_id
    from worker_presence p
    join ${keysOf(keys)} on p.sub_account_id = k.account and p.worker_id = k.id
    where p.sub_account_id = ${accountsOf(keys)}`;
  return new Set(present);
}

/** The miners of a node are gone: shown as such are those that no other node has. */
export async function endPresences(client: PoolClient, node: string): Promise<void> {
  await lock(client, 'presence');
  const keys = await rowsOf<Key>(client)`
    delete from worker_presence where node_id = ${node} returning sub_account_id as account, worker_id as id`;
  const present = await presentOf(client, keys);
  const gone = keys.filter(({ id }) => !present.has(id));
  await client.query(sql`
    insert into worker_live as l (sub_account_id, worker_id, disconnected_at)
    select k.account, k.id, now() from ${keysOf(gone)}
    order by k.id
    on conflict (sub_account_id, worker_id) do update set disconnected_at = excluded.disconnected_at, difficulty = null
    where l.disconnected_at is null`);
}

type Known = Live & Key;

/** Returns the ids of those that are gone here, and connected elsewhere. */
async function writePresences(client: PoolClient, node: string, lives: readonly Known[]): Promise<Set<number>> {
  const gone = lives.filter(({ disconnectedAt }) => disconnectedAt !== null);
  if (gone.length > 0)
    await client.query(sql`
      delete from worker_presence p using ${keysOf(gone)}
      where p.sub_account_id = ${accountsOf(gone)} and p.sub_account_id = k.account and p.worker_id = k.id
        and p.node_id = ${node}`);
  const here = lives.filter(({ disconnectedAt }) => disconnectedAt === null);
  await client.query(sql`
    insert into worker_presence (sub_account_id, worker_id, node_id)
    select k.account, k.id, ${node} from ${keysOf(here)}
    on conflict do nothing`);
  return presentOf(client, gone);
}

/** Writes connections of workers that have a row, of this `node` where there are several; returns their keys. */
export async function writeLive(client: PoolClient, lives: readonly Live[], node?: string): Promise<Set<string>> {
  if (lives.length === 0) return new Set();
  if (node !== undefined) await lock(client, 'presence');
  const ids = new Map<string, number>();
  await findWorkers(client, lives, ids);
  const known = lives.flatMap((live): Known[] => {
    const id = ids.get(workerKey(live));
    return id === undefined ? [] : [{ ...live, id, account: live.subAccountId }];
  });
  const elsewhere = node === undefined ? null : await writePresences(client, node, known);
  const rows = known.filter(({ id }) => !elsewhere?.has(id)).sort((a, b) => a.id - b.id);
  const seconds = (ms: number | null): number | null => (ms === null ? null : ms / 1000);
  await client.query(sql`
    insert into worker_live as t
      (sub_account_id, worker_id, connected_at, disconnected_at, difficulty, software, remote, silence, port, tls)
    select account, id, to_timestamp(connected), to_timestamp(disconnected), difficulty, software, remote, silence,
      port, tls
    from unnest(
      ${rows.map((l) => l.account)}::int[], ${rows.map((l) => l.id)}::int[],
      ${rows.map((l) => seconds(l.connectedAt))}::float8[], ${rows.map((l) => seconds(l.disconnectedAt))}::float8[],
      ${rows.map((l) => l.difficulty)}::float8[], ${rows.map((l) => l.software)}::text[],
      ${rows.map((l) => l.remote)}::text[], ${rows.map((l) => l.silence ?? null)}::real[],
      ${rows.map((l) => l.port ?? null)}::int[], ${rows.map((l) => l.tls ?? null)}::bool[]
    ) as u(account, id, connected, disconnected, difficulty, software, remote, silence, port, tls)
    on conflict (sub_account_id, worker_id) do update set
      connected_at = excluded.connected_at,
      disconnected_at = excluded.disconnected_at,
      difficulty = excluded.difficulty,
      software = coalesce(excluded.software, t.software),
      remote = excluded.remote,
      silence = coalesce(excluded.silence, t.silence),
      port = excluded.port,
      tls = excluded.tls`);
  return new Set(ids.keys());
}
