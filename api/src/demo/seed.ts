/** Fills an empty pool with the demo: users, sub-accounts, groups, and 90 days of history through the accounting. */
import { createHash } from 'node:crypto';
import { Address, NETWORK } from '@scure/btc-signer';
import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Pool } from 'pg';
import { ALGORITHM_NAMES } from '@pool/shared/domain';
import type { Database, Db } from '../db/database';
import {
  appUser,
  identityUser,
  referral,
  referralCode,
  setting,
  subAccount,
  worker,
  workerGroup,
  workerLive,
} from '../db/schema';
import { createIdentityUser, type PoolAccounts } from '../identity';
import { ingestHistory } from '../shares/history';
import { BUILTIN_NAME } from '../stratum/builtin-pool';
import { FLEET } from './fleet';
import { historyChunks } from './history';
import { BLACKOUTS } from './profile';

export type SeedOptions = {
  database: Pick<Database, 'db' | 'pool'>;
  accounts: PoolAccounts;
  /** The same for all demo users. */
  password: string;
  /** Unix seconds; tests set it. */
  now?: number;
  say?: (message: string) => void;
};

type DemoUser = {
  name: string;
  role: 'miner' | 'admin';
  mines: boolean;
  legacy: boolean;
  extra: string[];
  daysAgo: number;
};
const USERS: DemoUser[] = [
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
  db: Db,
  accounts: PoolAccounts,
  { name, role, mines, legacy, extra, daysAgo }: DemoUser,
  password: string,
  now: number,
): Promise<void> {
  const [known] = await db.select({ id: appUser.id }).from(appUser).where(eq(appUser.userName, name));
  if (known) return;
  const createdAt = new Date(now * 1000 - daysAgo * DAY_MS);
  await createIdentityUser(
    db,
    accounts,
    { userName: name, email: `${name}@pool.localhost`, password },
    async (tx, { id }) => {
      await tx.update(identityUser).set({ createdAt }).where(eq(identityUser.id, id));
      const [user] = await tx
        .update(appUser)
        .set({ role, isLegacyUser: legacy, createdAt })
        .where(eq(appUser.identityId, id))
        .returning({ id: appUser.id });
      if (!user) throw new Error(`the pool made no user for ${name}`);
      if (extra.length)
        await tx.insert(subAccount).values(extra.map((account) => ({ userId: user.id, name: account })));
      const names = [name, ...extra];
      await tx.update(subAccount).set({ createdAt }).where(inArray(subAccount.name, names));
      if (mines)
        for (const account of names)
          await tx
            .update(subAccount)
            .set({ btcAddress: addressOf(account) })
            .where(eq(subAccount.name, account));
    },
  );
}

async function seedGroups(db: Db, ids: ReadonlyMap<string, number>): Promise<void> {
  const wanted = new Map(
    FLEET.flatMap((rig) =>
      rig.group && ids.has(rig.account)
        ? [[`${rig.account} ${rig.group}`, { subAccountId: ids.get(rig.account) ?? 0, name: rig.group }] as const]
        : [],
    ),
  );
  await db
    .insert(workerGroup)
    .values([...wanted.values()])
    .onConflictDoNothing();
  const groups = await db
    .select()
    .from(workerGroup)
    .where(inArray(workerGroup.subAccountId, [...ids.values()]));
  for (const group of groups) {
    const names = FLEET.filter((rig) => rig.group === group.name && ids.get(rig.account) === group.subAccountId).map(
      (rig) => rig.worker,
    );
    await db
      .update(worker)
      .set({ groupId: group.id })
      .where(and(eq(worker.subAccountId, group.subAccountId), inArray(worker.name, names)));
  }
}

/** Writes the connection data of rigs that are off: software, connected and disconnected times. */
async function seedConnections(db: Db, ids: ReadonlyMap<string, number>): Promise<void> {
  for (const rig of FLEET) {
    const subAccountId = ids.get(rig.account);
    if (subAccountId === undefined) continue;
    await db
      .update(workerLive)
      .set({
        software: rig.software,
        connectedAt: sql`last_share_at - interval '9 days'`,
        disconnectedAt: sql`last_share_at`,
      })
      .where(
        and(
          eq(workerLive.subAccountId, subAccountId),
          inArray(
            workerLive.workerId,
            db
              .select({ id: worker.id })
              .from(worker)
              .where(
                and(
                  eq(worker.subAccountId, subAccountId),
                  eq(worker.name, rig.worker),
                  eq(worker.algorithm, rig.algorithm),
                ),
              ),
          ),
        ),
      );
  }
}

/** The demo's pool accepts what it credits. */
async function seedUpstreamDays(pool: Pool): Promise<void> {
  await pool.query(
    `insert into upstream_day (day, algorithm, upstream, accepted, credited, accepted_shares, credited_shares)
     select (at at time zone 'UTC')::date, algorithm, $1, sum(accepted), sum(accepted), sum(shares), sum(shares)
     from account_1d
     group by 1, 2
     on conflict do nothing`,
    [BUILTIN_NAME],
  );
}

/** The record of the times at which nobody mined; a seed that is begun again finds it there. */
async function seedOutages(pool: Pool, start: number): Promise<void> {
  await pool.query("delete from pool_outage where why = 'upstream'");
  for (const { before, lasts } of BLACKOUTS)
    await pool.query(
      `insert into pool_outage (algorithm, why, since, until)
       select unnest($1::text[]), 'upstream', to_timestamp($2::float8), to_timestamp($3::float8)`,
      [ALGORITHM_NAMES, start - before, start - before + lasts],
    );
}

async function seedReferral(db: Db): Promise<void> {
  const users = new Map(
    (
      await db
        .select()
        .from(appUser)
        .where(inArray(appUser.userName, ['demo', 'legacy']))
    ).map((user) => [user.userName, user.id]),
  );
  const [referrerId, userId] = [users.get('demo'), users.get('legacy')];
  if (referrerId === undefined || userId === undefined) return;
  await db.insert(referralCode).values({ code: 'DEMOFARM', userId: referrerId }).onConflictDoNothing();
  await db
    .insert(referral)
    .values({ userId, referrerId, activatedAt: sql`now() - interval '85 days'` })
    .onConflictDoNothing();
}

/** When the demo was seeded, Unix seconds; null when it was not, or not completely. */
export async function demoStart(db: Db): Promise<number | null> {
  const [row] = await db.select().from(setting).where(eq(setting.name, SETTING));
  const start = row?.value as { start?: unknown; complete?: unknown } | undefined;
  return typeof start?.start === 'number' && start.complete === true ? start.start : null;
}

/**
 * Idempotent: completes an interrupted seeding with the same start, and counts the history once. Returns the demo's
 * start (Unix seconds), which the rigs need.
 */
export async function seedDemo({
  database: { db, pool },
  accounts,
  password,
  now = Math.floor(Date.now() / 1000),
  say = () => undefined,
}: SeedOptions): Promise<number> {
  const done = await demoStart(db);
  if (done !== null) return done;
  await db
    .insert(setting)
    .values({ name: SETTING, value: { start: now } })
    .onConflictDoNothing();
  const [row] = await db.select().from(setting).where(eq(setting.name, SETTING));
  if (!row) throw new Error('the demo left no record of its start');
  const { start } = row.value as { start: number };
  say('Making the demo: users, accounts, 90 days of history');
  for (const user of USERS) await seedUser(db, accounts, user, password, start);
  const names = [...new Set(FLEET.map((rig) => rig.account))];
  const ids = new Map(
    (await db.select().from(subAccount).where(inArray(subAccount.name, names))).map((account) => [
      account.name,
      account.id,
    ]),
  );
  await ingestHistory(pool, HISTORY, historyChunks(ids, start));
  await seedUpstreamDays(pool);
  await seedOutages(pool, start);
  await seedGroups(db, ids);
  await seedConnections(db, ids);
  await seedReferral(db);
  await db
    .update(setting)
    .set({ value: { start, complete: true } })
    .where(eq(setting.name, SETTING));
  return start;
}
