/** What is read from the database, and made in it, before anybody is served: the key of secrets, sign-in, the demo. */
import { randomBytes } from 'node:crypto';
import { keepSetting } from '../money/accounting/terms';
import { firstAdminCode } from '../accounts/first-admin';
import { announceOn } from '../platform/bus';
import type { OrganizationDeps } from '../accounts/organizations/organizations';
import { poolAccounts } from '../identity/people/pool-accounts';
import { type Config, identityUrls } from '../platform/config';
import { dayOf } from '../platform/days';
import type { Database } from '../platform/db/database';
import { hasRow } from '../platform/db/querier';
import { demoStart, seedDemo } from '../demo/seed';
import { seedMoney } from '../demo/money';
import { openIdentity, type Identity } from '../identity';
import type { Shared } from '../nodes';
import { mailerOf } from '../messages/mail';
import { learnMarks, PaymentLog, shareLog } from '../money/payouts/payment-log';
import { restoreMarks } from '../money/payouts/restore-marks';
import { openSecrets } from '../ops/sealed-secrets';
import type { Secrets } from '../platform/secrets';
import type { PoolChanges } from '../stratum/pool-changes';
import type { MiningOptions } from './mining';

/** Settings that a change of counts from the next day on. */
const KEPT = [
  ['default_fee', 'POOL_FEE_PERCENT'],
  ['referral_percent', 'REFERRAL_PERCENT'],
  ['referral_months', 'REFERRAL_MONTHS'],
] as const;

/** The demo is the default only for an embedded database that is empty or has the demo already. */
export async function wantsDemo(config: Config, { pool, kind }: Database): Promise<boolean> {
  if (config.DEMO !== undefined) return config.DEMO;
  if (kind !== 'embedded') return false;
  if ((await demoStart(pool)) !== null) return true;
  return !(await hasRow(pool)`select from app_user limit 1`);
}

export type Data = {
  secrets: Secrets;
  identity: Identity;
  organizations: OrganizationDeps;
  paymentLog: PaymentLog;
  /** Puts back what the database has lost of payments that were handed over. */
  restorePayments(): Promise<unknown>;
  /** Link for the first admin; null when there is one, or with the demo. */
  adminCode: string | null;
  /** Null without the demo. `password` null: an earlier start has printed it. `since`: Unix seconds. */
  demo: { password: string | null; since: number } | null;
};

export type DataOptions = Pick<MiningOptions, 'config' | 'database' | 'clock' | 'bus' | 'log'> & {
  shared: Shared | null;
  say: (message: string) => void;
  demo: boolean;
  changes: PoolChanges;
};

export async function openData(options: DataOptions): Promise<Data> {
  const { config, database, clock, demo, bus, changes, shared, log, say } = options;
  const { pool } = database;
  announceOn(bus, pool);
  const paymentLog = PaymentLog.open(config.DATA_DIR);
  if (shared) {
    const { wire, register } = shared;
    const others = (): string[] => register.living.flatMap(({ id }) => (id === register.id ? [] : [id]));
    shareLog(paymentLog, { wire, others, warn: (facts, message) => log.warn(facts, message) });
  }
  const restorePayments = () => restoreMarks(pool, paymentLog, log);
  // What a failover lost of payments is put back before they are seen.
  await restorePayments();
  if (shared) await learnMarks(pool, paymentLog);
  const secrets = await openSecrets(config, pool, log);
  const accounts = poolAccounts(pool, config.WALLET_HOLD_HOURS);
  const { SMTP_URL: url, PUBLIC_URL: poolUrl } = config;
  const mailer = url ? mailerOf(secrets) : null;
  const organizations: OrganizationDeps = {
    db: pool,
    changed: () => changes.callers(),
    mailer,
    publicUrl: poolUrl,
  };
  const identity = await openIdentity({
    db: pool,
    mailer,
    publicUrl: poolUrl,
    pool: accounts,
    secrets,
    publishableKey: config.CLERK_PUBLISHABLE_KEY,
    supportEmail: config.SUPPORT_EMAIL,
    urls: identityUrls(config),
    changes,
  });
  for (const [name, setting] of KEPT) {
    const change = await keepSetting(pool, name, config[setting], dayOf(clock.seconds()));
    if (change)
      log.warn(
        change,
        `${setting} was changed to ${config[setting]}: it counts from ${change.since} UTC on, until then ${change.before}`,
      );
  }
  const known = { secrets, identity, organizations, paymentLog, restorePayments };
  // The hosted sign-in takes no code with a sign-up.
  const adminCode = demo || config.CLERK_PUBLISHABLE_KEY ? null : await firstAdminCode(pool);
  if (!demo) return { ...known, adminCode, demo: null };
  let password: string | null = config.DEMO_PASSWORD ?? null;
  if ((await demoStart(pool)) === null) password ??= randomBytes(9).toString('base64url');
  const since = await seedDemo({ pool, accounts, password: password ?? '', say });
  await seedMoney(pool, { poolFeePercent: config.POOL_FEE_PERCENT }, since);
  return { ...known, adminCode, demo: { password, since } };
}
