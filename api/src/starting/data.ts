/** What is read from the database, and made in it, before anybody is served: the key of secrets, sign-in, the demo. */
import { randomBytes } from 'node:crypto';
import { count } from 'drizzle-orm';
import { poolAccounts } from '../accounts/pool-accounts';
import type { Bus } from '../bus';
import type { Config } from '../config';
import type { Database } from '../db/database';
import { appUser } from '../db/schema';
import { demoStart, seedDemo } from '../demo';
import { seedMoney } from '../demo/money';
import { openIdentity, type Identity } from '../identity';
import type { Logger } from '../log';
import { openSecrets } from '../sealed-secrets';
import type { Secrets } from '../secrets';

/** The demo is the default only for an embedded database that is empty or has the demo already. */
export async function wantsDemo(config: Config, { db, kind }: Database): Promise<boolean> {
  if (config.DEMO !== undefined) return config.DEMO;
  if (kind !== 'embedded') return false;
  if ((await demoStart(db)) !== null) return true;
  const [users] = await db.select({ n: count() }).from(appUser);
  return users?.n === 0;
}

export type Data = {
  secrets: Secrets;
  identity: Identity;
  /** Null without the demo. `password` null: an earlier start has printed it. `since`: Unix seconds. */
  demo: { password: string | null; since: number } | null;
};

export async function openData({
  config,
  database,
  demo,
  bus,
  log,
  say,
}: {
  config: Config;
  database: Database;
  demo: boolean;
  bus: Bus;
  log: Logger;
  say: (message: string) => void;
}): Promise<Data> {
  const { db, pool } = database;
  const secrets = await openSecrets(config, pool, log);
  const accounts = poolAccounts(db, bus);
  const identity = await openIdentity({
    db,
    pool: accounts,
    secrets,
    publishableKey: config.CLERK_PUBLISHABLE_KEY,
    supportEmail: config.SUPPORT_EMAIL,
  });
  if (!demo) return { secrets, identity, demo: null };
  let password: string | null = config.DEMO_PASSWORD ?? null;
  if ((await demoStart(db)) === null) password ??= randomBytes(9).toString('base64url');
  const since = await seedDemo({ database, accounts, password: password ?? '', say });
  await seedMoney(pool, { poolFeePercent: config.POOL_FEE_PERCENT }, since);
  return { secrets, identity, demo: { password, since } };
}
