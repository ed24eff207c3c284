/** Opens the database for the command line when no server runs. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Bus } from '../platform/bus';
import { inDatabase, type Database } from '../platform/db/database';
import { demoStart } from '../demo/seed';
import { dayCloser } from '../money/jobs/close-days';
import { lockServer } from '../platform/db/server-lock';
import { lockFolder } from '../platform/lock';
import { uncountedElsewhere } from '../nodes/nodes';
import { PaymentLog } from '../money/payouts/payment-log';
import { restoreMarks } from '../money/payouts/restore-marks';
import { journalFolder } from '../mining/shares/journal/journal-folder';
import { Secrets } from '../platform/secrets';
import type { Write } from './command-line';
import { readBounce } from './bounce';
import { commandRunning } from './control';
import type { CommandContext, OpsConfig } from './command';
import { onlyReads, runCommand } from './commands';
import { uncountedIn, uncountingOf } from '../mining/shares/uncounted';
import { OperatorError } from '../platform/operator-error';
import { runMove } from './move-database';

/**
 * Runs `work` with the database. The embedded one is this process's alone, a PostgreSQL where `owning`: what a running
 * server owns is not written beside it. Throws `DataRefused` when another process has the data that does not respond.
 */
export async function withDatabase<T>(
  { DATA_DIR, DATABASE_URL }: OpsConfig,
  work: (database: Database) => Promise<T>,
  { owning = true } = {},
): Promise<T> {
  if (!DATABASE_URL && !existsSync(join(DATA_DIR, 'db', 'complete')))
    throw new OperatorError(
      `There is no pool in ${DATA_DIR} yet. Start it once, or name its DATA_DIR or DATABASE_URL.`,
    );
  const lock = DATABASE_URL ? owning && (await lockServer({ url: DATABASE_URL })) : await lockFolder(DATA_DIR);
  try {
    return await inDatabase({ url: DATABASE_URL, folder: join(DATA_DIR, 'db'), connections: 2 }, work);
  } finally {
    if (lock) await lock.release();
  }
}

export const contextOf = (
  config: OpsConfig,
  { pool }: Pick<Database, 'pool'>,
  more: Partial<CommandContext> = {},
): CommandContext => ({
  pool,
  closeDays: dayCloser({
    pool,
    bus: new Bus(),
    terms: { poolFeePercent: config.POOL_FEE_PERCENT },
    uncounted: async () => [
      ...(await uncountedIn(journalFolder(config.DATA_DIR))),
      ...(config.DATABASE_URL ? await uncountedElsewhere(pool, config.DATA_DIR) : []),
    ],
    needsPrices: async () => (await demoStart(pool)) === null,
    restorePayments: () => restoreMarks(pool, PaymentLog.open(config.DATA_DIR), { error: () => undefined }),
  }),
  secrets: () => Secrets.open(config, { make: false }),
  shares: uncountingOf(journalFolder(config.DATA_DIR)),
  hosted: config.CLERK_PUBLISHABLE_KEY !== undefined,
  sessionsEnded: () => undefined,
  ...more,
});

/** Runs a command of `npm run admin` in the running server, else alone. Writes the text to print. */
export async function admin(config: OpsConfig, given: readonly string[], write: Write): Promise<void> {
  const args = given[0] === 'bounce' ? ['bounce', await readBounce(process.stdin)] : given;
  const moved = await runMove(config, args);
  if (moved !== null) return write(moved);
  const running = await commandRunning(config.DATA_DIR, args);
  if (running) {
    for await (const text of running) await write(text);
    return;
  }
  await withDatabase(
    config,
    async (database) => {
      for await (const text of runCommand(contextOf(config, database), args)) await write(text);
    },
    { owning: !onlyReads(args) },
  );
}
