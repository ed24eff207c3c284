/** Fills an empty pool with the demo: users, sub-accounts, groups, and 90 days of history through the accounting. */
import { createHash } from 'node:crypto';
import { Address, NETWORK } from '@scure/btc-signer';
import type { Pool } from 'pg';
import { ALGORITHM_NAMES } from '@pool/shared/domain';
import { hasRow, type Querier, rowsOf, sql, valueOf } from '../platform/db/querier';
import { createIdentityUser, type PoolAccounts } from '../identity';
import { ingestHistory } from '../mining/shares/count-batch';
import { BUILTIN_NAME } from '../stratum/builtin-pool';
import { FLEET } from './fleet';
import { historyChunks } from './history';
import { blackouts } from './profile';

export type SeedOptions = {
  pool: Pool;
  accounts: PoolAccounts;
  /** The same for all demo users. */
  password: string;
  /** Unix seconds; tests set it. */
  now?: number;
  /** Days of history; tests make a few. */
  days?: number;
  say?: (message: string) => void;
};

const USERS = [
  { name: 'admin', role: 'admin', mines: false, legacy: false, extra: [], daysAgo: 130 },
  { name: 'demo', role: 'miner', mines: true, legacy: false, extra: ['hangar-2', 'scrypt-farm'], daysAgo: 121 },
  { name: 'legacy', role: 'miner', mines: true, legacy: true, extra: [], daysAgo: 120 },
];
const SETTING = 'demo';
const HISTORY = 'demo-history';
const DAY_MS = 86_400_000;

/** An address without a known private key. */
const addressOf = (account: string): string =>
  Address(NETWORK).encode({
    type: 'wpkh',
    hash: createHash('sha256').update(`demo ${account}`).digest().subarray(0, 20),
  });

async function seedUser(
  pool: Pool,
  accounts: PoolAccounts,
  { name, role, mines, legacy, extra, daysAgo }: (typeof USERS)[number],
  password: string,
  now: number,
): Promise<void> {
  if (await hasRow(pool)`select from app_user where user_name = ${name}`) return;
  const createdAt = new Date(now * 1000 - daysAgo * DAY_MS);
  await createIdentityUser(
    pool,
    accounts,
    { userName: name, email: `${name}@pool.localhost`, password },
    async (tx, { id }) => {
      await tx.query(sql`update identity_user set created_at = ${createdAt} where id = ${id}`);
      const userId = await valueOf<number>(tx)`
        update app_user set role = ${role}, is_legacy_user = ${legacy}, created_at = ${createdAt}
        where identity_id = ${id} returning id`;
      if (userId === undefined) throw new Error(`the pool made no user for ${name}`);
      await tx.query(sql`insert into sub_account (user_id, name) select ${userId}, unnest(${extra}::text[])`);
      for (const account of [name, ...extra])
        await tx.query(sql`
          update sub_account set created_at = ${createdAt}, btc_address = ${mines ? addressOf(account) : null}
          where name = ${account}`);
    },
  );
}

async function seedGroups(db: Querier, ids: ReadonlyMap<string, number>): Promise<void> {
  for (const { account, worker, group } of FLEET) {
    const id = ids.get(account);
    if (id === undefined || !group) continue;
    await db.query(sql`
      insert into worker_group (sub_account_id, name) values (${id}, ${group}) on conflict do nothing`);
    await db.query(sql`update worker set group_id = g.id from worker_group g
      where g.sub_account_id = ${id} and g.name = ${group} and worker.sub_account_id = ${id}
        and worker.name = ${worker}`);
  }
}

/** Writes the connection data of rigs that are off: software, connected and disconnected times. */
async function seedConnections(db: Querier, ids: ReadonlyMap<string, number>): Promise<void> {
  for (const { account, worker, algorithm, software } of FLEET)
    await db.query(
      `update worker_live l
       set software = $4, connected_at = l.last_share_at - interval '9 days', disconnected_at = l.last_share_at
       from worker w
       where w.sub_account_id = $1 and w.name = $2 and w.algorithm = $3
         and l.sub_account_id = $1 and l.worker_id = w.id`,
      [ids.get(account), worker, algorithm, software],
    );
}

/** The demo's pool accepts what it credits. */
async function seedUpstreamDays(pool: Pool): Promise<void> {
  await pool.query(sql`
    insert into upstream_day (day, algorithm, upstream, accepted, credited, accepted_shares, credited_shares)
    select (at at time zone 'UTC')::date, algorithm, ${BUILTIN_NAME}, sum(accepted), sum(accepted), sum(shares),
      sum(shares)
    from account_1d
    group by 1, 2
    on conflict do nothing`);
}

/** The record of the times at which nobody mined; a seed that is begun again finds it there. */
async function seedOutages(pool: Pool, start: number): Promise<void> {
  await pool.query("delete from pool_outage where why = 'upstream'");
  for (const { from, until } of blackouts(start))
    await pool.query(sql`insert into pool_outage (algorithm, why, since, until)
      select unnest(${ALGORITHM_NAMES}::text[]), 'upstream', to_timestamp(${from}::float8),
        to_timestamp(${until}::float8)`);
}

async function seedReferral(db: Querier): Promise<void> {
  await db.query(
    `insert into referral_code (code, user_id) select 'DEMOFARM', id from app_user where user_name = 'demo'
     on conflict do nothing`,
  );
  await db.query(
    `insert into referral (user_id, referrer_id, activated_at)
     select legacy.id, demo.id, now() - interval '85 days' from app_user legacy, app_user demo
     where legacy.user_name = 'legacy' and demo.user_name = 'demo'
     on conflict do nothing`,
  );
}

type Seeded = { start: number; complete?: true };
const seeded = (db: Querier): Promise<Seeded | undefined> =>
  valueOf<Seeded>(db)`select value from setting where name = ${SETTING}`;

/** When the demo was seeded, Unix seconds; null when it was not, or not completely. */
export async function demoStart(db: Querier): Promise<number | null> {
  const known = await seeded(db);
  return known?.complete ? known.start : null;
}

/** Completes an interrupted seeding with the same start. Returns the demo's start in Unix seconds. */
export async function seedDemo({
  pool,
  accounts,
  password,
  now = Math.floor(Date.now() / 1000),
  days,
  say = () => undefined,
}: SeedOptions): Promise<number> {
  const done = await demoStart(pool);
  if (done !== null) return done;
  const write = 'insert into setting (name, value) values ($1, $2) on conflict (name) do';
  await pool.query(`${write} nothing`, [SETTING, { start: now }]);
  const start = (await seeded(pool))?.start;
  if (start === undefined) throw new Error('the demo left no record of its start');
  say('Making the demo: users, accounts, 90 days of history');
  for (const user of USERS) await seedUser(pool, accounts, user, password, start);
  const names = [...new Set(FLEET.map((rig) => rig.account))];
  const rows = await rowsOf<{ name: string; id: number }>(pool)`
    select name, id from sub_account where name = any(${names})`;
  const ids = new Map(rows.map(({ name, id }) => [name, id]));
  await ingestHistory(pool, HISTORY, historyChunks(ids, start, days));
  await seedUpstreamDays(pool);
  await seedOutages(pool, start);
  await seedGroups(pool, ids);
  await seedConnections(pool, ids);
  await seedReferral(pool);
  await pool.query(`${write} update set value = excluded.value`, [SETTING, { start, complete: true }]);
  return start;
}
