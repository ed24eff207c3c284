/** Opens the database through `pg`, either a PostgreSQL or the embedded one. */
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { startEmbedded, type EmbeddedDatabase } from './embedded';
import { migrateTo } from './migrate';
import * as schema from './schema';
import { startUpkeep } from './upkeep';

export type Db = NodePgDatabase<typeof schema>;
/** What a function needs that may run inside or outside of a transaction. */
export type DbOrTx = Pick<Db, 'select' | 'insert' | 'update' | 'delete' | 'execute' | 'query'>;

export type Database = {
  pool: pg.Pool;
  db: Db;
  kind: 'embedded' | 'postgresql';
  /**
   * Embedded only: writes a tar of all data into `file`, as of a moment between two transactions; `before` runs on the
   * same connection just before.
   */
  dump?: <T>(file: string, before: (client: pg.PoolClient) => Promise<T>) => Promise<T>;
  close(): Promise<void>;
};

export type DatabaseOptions = {
  /** URL of a PostgreSQL; without it the embedded database runs in `folder` (without that: in memory). */
  url?: string;
  folder?: string;
  /** Embedded only: folder of another PGlite package that reads this database, to bring it forward. */
  engine?: string;
  /** Maximum number of connections to a PostgreSQL. */
  connections?: number;
  say?: (message: string) => void;
  onError?: (error: Error) => void;
};

const INT8 = 20;
const DATE = 1082;
const NUMERIC = 1700;
/** No single amount comes near 2^53. A sum beyond it is clamped: a wrong digit is better than a failed request. */
const safe = (text: string): number =>
  Math.min(Number.MAX_SAFE_INTEGER, Math.max(Number.MIN_SAFE_INTEGER, Number(text)));
/** Plain SQL returns counts and satoshis as numbers, days as `YYYY-MM-DD`. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => {
    if (oid === INT8 || oid === NUMERIC) return safe;
    if (oid === DATE) return (value: string) => value;
    return pg.types.getTypeParser(oid, format as 'text');
  },
};

const STATEMENT_TIMEOUT_MS = 5000;

export async function openDatabase({
  url,
  folder,
  engine,
  connections = 10,
  say,
  onError = () => undefined,
}: DatabaseOptions): Promise<Database> {
  const embedded: EmbeddedDatabase | undefined = url ? undefined : await startEmbedded({ folder, engine, say });
  const connection: pg.ClientConfig = embedded ? embedded.connection : { connectionString: url };
  try {
    await migrateTo(connection, { say });
  } catch (error) {
    await embedded?.stop();
    throw error;
  }
  const pool = new pg.Pool({
    ...connection,
    types,
    // PGlite is a single session: a second connection would wait or share its state.
    max: embedded ? 1 : connections,
    // With one connection, a query through the pool inside a transaction would otherwise wait for ever.
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: embedded ? 0 : 30_000,
    ...(embedded
      ? {
          // The one session outlives a connection (the pool replaces it after an error): drop its prepared statements.
          onConnect: async (client: pg.ClientBase) => {
            await client.query('deallocate all');
          },
        }
      : {
          statement_timeout: STATEMENT_TIMEOUT_MS,
          idle_in_transaction_session_timeout: 10_000,
          options: '-c timezone=UTC -c jit=off',
          application_name: 'pool',
        }),
  });
  pool.on('error', onError);
  // The pool listens for errors of idle connections only. Without a listener, a connection lost in a transaction would
  // end the process.
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
  });
  // A database in memory is a test's: it is not kept long enough.
  const stopUpkeep = embedded && folder ? startUpkeep(pool, onError) : undefined;
  return {
    pool,
    db: drizzle(pool, { schema }),
    kind: embedded ? 'embedded' : 'postgresql',
    ...(embedded
      ? {
          dump: async (file, before) => {
            // The holder of the only connection is alone: no transaction is open.
            const client = await pool.connect();
            try {
              const answer = await before(client);
              await client.query('checkpoint');
              await embedded.dump(file);
              return answer;
            } finally {
              client.release();
            }
          },
        }
      : {}),
    close: async () => {
      stopUpkeep?.();
      await pool.end();
      await embedded?.stop();
    },
  };
}
