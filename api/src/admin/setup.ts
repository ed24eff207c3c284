/** What a pool needs before strangers mine at it for real money, and whether it has it. */
import type { Pool } from 'pg';
import type { SetupItem } from '@pool/shared/api/contract';
import { DEFAULT_FEE_PERCENT, type AlgorithmName } from '@pool/shared/domain';
import { pricesOf, setOn } from '../money/accounting/prices';
import { termOn } from '../money/accounting/terms';
import type { Config } from '../platform/config';
import { dayOf } from '../platform/days';
import { lastBackup } from '../ops/last-backup';

const BACKUP_MAX_AGE_S = 8 * 86_400;

type Facts = {
  config: Config;
  database: 'embedded' | 'postgresql';
  /** Algorithms with an upstream pool of the operator. */
  upstreams: readonly AlgorithmName[];
  overTls: boolean;
};

/** All items, the most urgent first. `now`: Unix seconds. */
export async function setupOf(
  pool: Pool,
  { config, database, upstreams, overTls }: Facts,
  now: number,
): Promise<{ item: SetupItem; done: boolean }[]> {
  const today = dayOf(now);
  const prices = await pricesOf(pool, today);
  const fee = await termOn(pool, 'pool_fee', today, config.POOL_FEE_PERCENT);
  const done: Record<SetupItem, boolean> = {
    upstream: upstreams.length > 0,
    price: upstreams.length > 0 && upstreams.every((algorithm) => setOn(prices[algorithm]) !== null),
    fee: fee.since !== null || config.POOL_FEE_PERCENT !== DEFAULT_FEE_PERCENT,
    host: config.PUBLIC_HOST !== undefined,
    tls: overTls,
    mail: Boolean(config.SMTP_URL ?? config.CLERK_PUBLISHABLE_KEY),
    database: database === 'postgresql',
    backup: now - lastBackup(config.DATA_DIR) < BACKUP_MAX_AGE_S,
    key: Boolean(config.SECRETS_KEY ?? config.SECRETS_KEY_FILE),
  };
  return (Object.keys(done) as SetupItem[]).map((item) => ({ item, done: done[item] }));
}

/** What the start prints of an item that is missing: what happens without it, and the way there. */
export const SETUP_WORDS: Record<SetupItem, string> = {
  upstream: 'no upstream pool: miners connect and get no work. Set UPSTREAM_SHA256 or UPSTREAM_SCRYPT',
  price: 'no price: no day is closed, nobody is paid. Set it on Terms, or set PRICE_URL',
  fee: `the fee is the default, ${DEFAULT_FEE_PERCENT} %. Set it on Terms, or set POOL_FEE_PERCENT`,
  host: 'miners are told the host name of the page that they look at. Set PUBLIC_HOST',
  tls: 'pages have no TLS: passwords can be read on the way. Put a reverse proxy in front, set TRUSTED_PROXIES',
  mail: 'nobody can set a forgotten password without you. Set SMTP_URL and MAIL_FROM',
  database: 'the embedded database does not survive a power cut. Set DATABASE_URL',
  backup: 'no backup of the last eight days. Set BACKUP_EVERY and BACKUP_DIR, or npm run backup -- <file>',
  key: 'the key of secrets is in DATA_DIR, beside what it encrypts. Set SECRETS_KEY_FILE',
};
