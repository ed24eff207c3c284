/** Opens the database through `pg`, either a PostgreSQL or the embedded one. */
import pg from 'pg';
import { isTracing, traceStatement } from '../traces/traces';
import { absent, DatabaseAbsent } from './away';
import { boundQueries, clientIn, cut } from './bounded';
import { placeOf } from './connect';
import { startEmbedded, type EmbeddedDatabase } from './embedded';
import { migrateTo } from './migrate';
import { keepNamedPlans } from './named-plans';
import { sendTogether } from './one-connection';
import { checkPooler, withoutNames } from './pooler';
import { startUpkeep } from './upkeep';
import { watchQueries } from './watch-queries';

export type Database = {
  pool: pg.Pool;
  kind: 'embedded' | 'postgresql';
  /** Embedded only: writes a tar of all data into `file`, of the moment after `before` on the same connection. */
  dump?: <T>(file: string, before: (client: pg.PoolClient) => Promise<T>) => Promise<T>;
  /** Gives up: every query fails at once, those under way too. A database that is silent must not delay the stop. */
  abandon(): void;
  close(): Promise<void>;
};

/** A database that may not have been reached yet; until `migrate` has succeeded every query fails. */
export type Connected = Database & {
  /** Where it is, without user and password. */
  place: string;
  /** Brings it to the newest version. Throws `DatabaseAbsent`; then it may be called again. */
  migrate(): Promise<void>;
};

export type DatabaseOptions = {
  /** URL of a PostgreSQL; without it the embedded database runs in `folder` (without that: in memory). */
  url?: string;
  /** PostgreSQL itself, where `url` is a pooler of transactions. */
  directUrl?: string;
  folder?: string;
  connections?: number;
  /** Milliseconds for a connection, and for its turn when all are in use: 10,000. */
  connectMs?: number;
  /** PostgreSQL only: milliseconds a statement may take, unless its transaction asks for more (`longStatements`). */
  statementMs?: number;
  say?: (message: string) => void;
  onError?: (error: Error) => void;
};

const INT8 = 20;
const DATE = 1082;
const NUMERIC = 1700;
/** No single amount comes near 2^53. A sum beyond it is clamped: a wrong digit is better than a failed request. */
export const safe = (value: string | number): number =>
  Math.min(Number.MAX_SAFE_INTEGER, Math.max(Number.MIN_SAFE_INTEGER, Number(value)));
/** Plain SQL returns counts and satoshis as numbers, days as `YYYY-MM-DD`. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => {
    if (oid === INT8 || oid === NUMERIC) return safe;
    if (oid === DATE) return (value: string) => value;
    return pg.types.getTypeParser(oid, format as 'text');
  },
};

const STATEMENT_TIMEOUT_MS = 5000;
const CONNECT_TIMEOUT_MS = 10_000;
/** The first one: a start that fails says so within five seconds. */
const FIRST_CONNECT_TIMEOUT_MS = 4000;
/** A host that vanished without a word is noticed on idle connections too. */
const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };

type Connect = (error: Error | undefined, client: pg.PoolClient | undefined, done: (release?: unknown) => void) => void;

/** A pool whose calls fail with `shut` until that is null, and with `DatabaseAbsent` when there is no connection. */
class Gate extends pg.Pool {
  shut: Error | null = null;
  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Connect): void;
  override connect(callback?: Connect): Promise<pg.PoolClient> | void {
    const fail = (error: unknown) => absent(placeOf(this.options), error);
    try {
      if (this.shut) throw this.shut;
      if (!callback)
        return super.connect().catch((error: unknown) => {
          throw fail(error);
        });
      super.connect((error, client, done) => callback(error && fail(error), client, done));
    } catch (error) {
      // The driver reads the files of a certificate here.
      if (!callback) return Promise.reject(fail(error));
      process.nextTick(() => callback(fail(error), undefined, () => undefined));
    }
  }
}

/** Starts the embedded database, or prepares connections to a PostgreSQL without making one. */
export async function connectDatabase({
  url,
  directUrl,
  folder,
  connections = 10,
  connectMs = CONNECT_TIMEOUT_MS,
  statementMs = STATEMENT_TIMEOUT_MS,
  say,
  onError = () => undefined,
}: DatabaseOptions): Promise<Connected> {
  const embedded: EmbeddedDatabase | undefined = url ? undefined : await startEmbedded({ folder, say });
  const connection: pg.ClientConfig = embedded ? embedded.connection : { connectionString: url, ...KEEP_ALIVE };
  const clients = new Set<pg.ClientBase>();
  const pool = new Gate({
    ...connection,
    Client: clientIn(clients),
    // Queries of one connection do not wait for each other's answer.
    pipeline: true,
    types,
    // PGlite is a single session: a second connection would wait or share its state.
    max: embedded ? 1 : connections,
    // With one connection, a query through the pool inside a transaction would otherwise wait for ever.
    connectionTimeoutMillis: connectMs,
    idleTimeoutMillis: embedded ? 0 : 30_000,
    ...(embedded
      ? {
          // The one session outlives a connection (the pool replaces it after an error): drop its prepared statements.
          onConnect: async (client: pg.ClientBase) => {
            await client.query('deallocate all');
            keepNamedPlans(client);
          },
        }
      : {
          application_name: 'pool',
          ...(directUrl
            ? {}
            : {
                statement_timeout: statementMs,
                idle_in_transaction_session_timeout: 10_000,
                options: '-c timezone=UTC -c jit=off',
              }),
        }),
  });
  pool.on('error', onError);
  // The pool listens for errors of idle connections only. Without a listener, a connection lost in a transaction would
  // end the process.
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
    if (directUrl) withoutNames(client);
    if (isTracing()) watchQueries(client, traceStatement);
  });
  if (embedded) sendTogether(pool);
  else boundQueries(pool, statementMs);
  const place = url ? placeOf(connection) : (folder ?? 'memory');
  const gone = (why: string): DatabaseAbsent => new DatabaseAbsent('away', `The database ${why}.`);
  pool.shut = gone('was not reached yet');
  let stopUpkeep: () => void = () => undefined;
  return {
    place,
    pool,
    kind: embedded ? 'embedded' : 'postgresql',
    migrate: async () => {
      try {
        const own = directUrl ? { ...connection, connectionString: directUrl } : connection;
        await migrateTo({ ...own, connectionTimeoutMillis: FIRST_CONNECT_TIMEOUT_MS }, { say });
        if (directUrl) await checkPooler(connection, statementMs);
      } catch (error) {
        throw embedded ? error : absent(place, error);
      }
      pool.shut = null;
      // A database in memory is a test's: it is not kept long enough.
      if (embedded && folder) stopUpkeep = startUpkeep(pool, onError);
    },
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
    abandon: () => {
      pool.shut = gone('is not waited for any more');
      clients.forEach(cut);
    },
    close: async () => {
      stopUpkeep();
      await pool.end();
      await embedded?.stop();
    },
  };
}

/** Does `work` with the database, which is closed after it. */
export async function inDatabase<T>(options: DatabaseOptions, work: (database: Database) => Promise<T>): Promise<T> {
  const database = await openDatabase(options);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** Opens the database and brings it to the newest version. Throws `DatabaseAbsent`. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { migrate, ...database } = await connectDatabase(options);
  try {
    await migrate();
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}
