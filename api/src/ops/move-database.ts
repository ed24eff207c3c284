/** Moves a stopped pool into another database: embedded, PostgreSQL, or the nodes of a Citus. */
import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { longStatements } from '../platform/db/bounded';
import { type Database, type DatabaseOptions, inDatabase } from '../platform/db/database';
import { BY_ACCOUNT, hasNodes, isSpread, spread } from '../platform/db/distributed';
import { sql } from '../platform/db/querier';
import { lockServer, type ServerLock } from '../platform/db/server-lock';
import { transaction } from '../platform/db/transaction';
import { lockFolder } from '../platform/lock';
import { copyDatabase } from './copy-database';
import { OperatorError } from '../platform/operator-error';
import type { LedgerHash } from './ledger-hash';
import type { OpsConfig } from './command';

const hasPool = (folder: string): boolean => existsSync(join(folder, 'complete'));

/** Copies between two databases. */
const copyBetween = (from: DatabaseOptions, to: DatabaseOptions): Promise<LedgerHash> =>
  inDatabase(from, ({ pool: source }) =>
    inDatabase(to, async ({ pool }) => {
      const [reads, writes] = [await source.connect(), await pool.connect()];
      try {
        return await copyDatabase(reads, writes);
      } finally {
        reads.release();
        writes.release();
      }
    }),
  );

const describe = ({ hash, entries }: LedgerHash): string => `ledger ${hash} (${entries} entries), as it was.`;

/** Does `work` while no server has the data of either. */
async function alone<T>(dataDir: string, url: string, work: () => Promise<T>): Promise<T> {
  const lock = await lockFolder(dataDir);
  let serverLock: ServerLock | null = null;
  try {
    serverLock = await lockServer({ url });
    return await work();
  } finally {
    await serverLock?.release();
    await lock.release();
  }
}

/** `to`: which of the two, the embedded database of DATA_DIR and the PostgreSQL of DATABASE_URL, is the new one. */
async function moveDatabase({ DATA_DIR, DATABASE_URL }: OpsConfig, to: string): Promise<string> {
  if (to !== 'postgresql' && to !== 'embedded') throw new OperatorError(`"${to}" is neither postgresql nor embedded.`);
  if (!DATABASE_URL) throw new OperatorError('Name the PostgreSQL to move to, or from, in DATABASE_URL.');
  const folder = join(DATA_DIR, 'db');
  if (to === 'postgresql' && !hasPool(folder)) throw new OperatorError(`There is no embedded database in ${DATA_DIR}.`);
  if (to === 'embedded' && existsSync(folder))
    throw new OperatorError(`${folder} exists already. Move it aside: an embedded database is moved to a new folder.`);
  return alone(DATA_DIR, DATABASE_URL, async () => {
    const postgresql = { url: DATABASE_URL, connections: 1 };
    if (to === 'embedded') {
      const ledger = await copyBetween(postgresql, { folder });
      return `Moved to ${folder}: ${describe(ledger)} Start without DATABASE_URL.`;
    }
    const ledger = await copyBetween({ folder }, postgresql);
    const aside = `${folder}.moved-${new Date().toISOString().replace(/[:.]/g, '-')}`;
    renameSync(folder, aside);
    return `Moved to PostgreSQL: ${describe(ledger)} Start with this DATABASE_URL. The old database is in ${aside}.`;
  });
}

/** A day: a year of a hundred thousand workers is copied faster. */
const LONG_MS = 86_400_000;

/** `way`: out to the nodes of the Citus of DATABASE_URL, or back to its coordinator. All or nothing. */
async function distribute({ DATA_DIR, DATABASE_URL: url }: OpsConfig, way: string): Promise<string> {
  if (way !== 'out' && way !== 'back') throw new OperatorError(`"${way}" is neither out nor back.`);
  if (!url) throw new OperatorError('Name the coordinator of the Citus in DATABASE_URL.');
  const move = async ({ pool }: Database): Promise<string> => {
    if (!(await hasNodes(pool)))
      throw new OperatorError('This PostgreSQL has no nodes: docs/several-machines.md, "Citus".');
    if ((await isSpread(pool)) === (way === 'out')) return 'It is so already.';
    const began = performance.now();
    await transaction(pool, async (client) => {
      await longStatements(client, LONG_MS);
      await client.query('set local idle_in_transaction_session_timeout to 0');
      await spread(client, way);
    });
    if (way === 'out')
      await pool.query(sql`
        select truncate_local_data_after_distributing_table(name::regclass) from unnest(${BY_ACCOUNT}::text[]) name`);
    const seconds = Math.ceil((performance.now() - began) / 1000);
    return `${BY_ACCOUNT.join(', ')}: ${way === 'out' ? 'spread over the nodes' : 'back'}, in ${seconds} s.`;
  };
  return alone(DATA_DIR, url, () => inDatabase({ url, connections: 1 }, move));
}

/** Commands that need the server to be stopped. */
export const MOVES = {
  'move-database': {
    takes: 'postgresql|embedded',
    what: 'moves a stopped pool into the empty PostgreSQL of DATABASE_URL, or from it into DATA_DIR',
    run: moveDatabase,
  },
  distribute: {
    takes: 'out|back',
    what: "spreads a stopped pool's tables of workers over the nodes of its Citus by account, or brings them back",
    run: distribute,
  },
};

/** Null: another command. Throws `OperatorError`, or `FolderInUse` while a server runs. */
export async function runMove(config: OpsConfig, [name, to, ...more]: readonly string[]): Promise<string | null> {
  if (name !== 'move-database' && name !== 'distribute') return null;
  if (to === undefined || more.length) throw new OperatorError(`npm run admin -- ${name} ${MOVES[name].takes}`);
  return MOVES[name].run(config, to);
}
