/** One server at a PostgreSQL, or several that share it (ADR 28), by an advisory lock on a connection of its own. */
import { hostname } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import { DataRefused } from '../lock';
import type { Logger } from '../log';
import { connect } from './connect';
import { type Lineage, OtherDatabase } from './lineage';
import { firstRow, hasRow, oneRow, type Querier, raw, type Sql, sql } from './querier';

/** Keys of advisory locks; the others are in `transaction.ts`. `leader`: held by the one process that does the jobs. */
const KEYS = { server: 7020, leader: 7021 } as const;
const RETRY_DELAY_MS = 250;
const TIMEOUT_MS = 10_000;
const CONNECT_TIMEOUT_MS = 4000;
/** How long a check waits for a lost lock. */
const RETAKE_WAIT_MS = 2000;
/** A frozen connection is not waited for. */
const END_TIMEOUT_MS = 1000;
/** PostgreSQL cuts names at 63 bytes. */
const MAX_HOST = 40;
const NAME = `pool: pid ${process.pid} on ${hostname().slice(0, MAX_HOST)}`;
/** Session of the holder: PostgreSQL notices within half a minute that its machine is gone, and never ends an idle one. */
const SESSION = [
  'idle_session_timeout=0',
  'statement_timeout=0',
  'tcp_keepalives_idle=10',
  'tcp_keepalives_interval=5',
  'tcp_keepalives_count=3',
]
  .map((setting) => `-c ${setting}`)
  .join(' ');

/** The holder's connection, condition of `pg_locks`. */
const isLock = (key: number): Sql => sql`locktype = 'advisory' and granted and classid = 0 and objid = ${key}
  and database = (select oid from pg_database where datname = current_database())`;

type Holder = { pid: number; name: string; since: Date | null } | undefined;

export class DatabaseInUse extends DataRefused {
  override readonly name = 'DatabaseInUse';
  constructor(holder: Holder) {
    const who = holder?.name.startsWith('pool: ') ? holder.name.slice('pool: '.length) : 'its name cannot be read';
    const since = holder?.since ? `, since ${holder.since.toISOString().slice(0, 19)}Z` : '';
    super(
      `The database is in use by another process of a pool (${who}${since}). Stop it first, or run the command where ` +
        'it runs, with its DATA_DIR; another pool needs a database of its own. One that is gone without a word ' +
        'is released by PostgreSQL within half a minute.',
    );
  }
}

/** The lock is not this process's now, so nothing is counted or closed. */
export class NotOwner extends Error {
  override readonly name = 'NotOwner';
  constructor() {
    super("the database's lock was lost with its connection, and is not taken again yet");
  }
}

export type Owner = {
  /** Throws `NotOwner` unless this process holds the lock of the database that `db` reaches, or soon does again. */
  check(db: Querier): Promise<void>;
};
export type ServerLock = Owner & {
  /** Holds it until `release`; a second call does nothing. Throws `DatabaseInUse`, or an error of the connection. */
  take(): Promise<void>;
  release(): Promise<void>;
};
/** Lock of the embedded database, whose folder is locked already. */
export const FOLDER_OWNER: ServerLock = {
  check: async () => undefined,
  take: async () => undefined,
  release: async () => undefined,
};

export type ServerLockOptions = {
  url: string;
  patienceMs?: number;
  log?: Pick<Logger, 'warn' | 'info'>;
  lost?: (error: DatabaseInUse) => void;
  /** Others may hold it too, if they share it as well. */
  shared?: boolean;
  /** Refuses a database that is another one than before. */
  lineage?: Lineage;
  /** Which lock; of the server unless given. */
  of?: keyof typeof KEYS;
};

type Held = { client: pg.Client; pid: number };

const sleep = (ms: number): Promise<void> => setTimeout(ms, undefined, { ref: false });

/** Options of a connection that is kept for its session. `purpose`: added to its name. */
export const sessionOf = (purpose = ''): pg.ClientConfig => ({
  application_name: purpose ? `${NAME}, ${purpose}` : NAME,
  options: SESSION,
  keepAlive: true,
  keepAliveInitialDelayMillis: TIMEOUT_MS,
  connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  query_timeout: TIMEOUT_MS,
});

const holderOf = (client: pg.Client, key: number): Promise<Holder> =>
  firstRow<NonNullable<Holder>>(client)`
    select a.pid, coalesce(a.application_name, '') as name, a.backend_start as since
    from pg_locks join pg_stat_activity a using (pid)
    where ${isLock(key)}`;

const isHolder = (db: Querier, key: number, pid: number): Promise<boolean> =>
  hasRow(db)`select from pg_locks where ${isLock(key)} and pid = ${pid}`;

const PATIENCE_MS = 3000;

/** Takes the lock. `before`: this process's connection that had it, which PostgreSQL may not know to be gone. */
async function take(
  { url, patienceMs = PATIENCE_MS, shared = false, of = 'server', lineage }: ServerLockOptions,
  before?: number,
): Promise<Held> {
  const client = await connect({ connectionString: url, ...sessionOf() });
  try {
    const deadline = performance.now() + patienceMs;
    for (;;) {
      const { taken, pid } = await oneRow<{ taken: boolean; pid: number }>(client)`
        select pg_try_advisory_lock${raw(shared ? '_shared' : '')}(${KEYS[of]}) as taken, pg_backend_pid() as pid`;
      if (taken) {
        await lineage?.check(client);
        return { client, pid };
      }
      const holder = await holderOf(client, KEYS[of]);
      if (holder?.name === NAME && holder.pid === before)
        await client.query(sql`select pg_terminate_backend(${before}, ${TIMEOUT_MS})`);
      else if (performance.now() >= deadline) throw new DatabaseInUse(holder);
      await sleep(RETRY_DELAY_MS);
    }
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}

export function serverLock(options: ServerLockOptions): ServerLock {
  const { log, lost, of = 'server' } = options;
  let held: Held | null = null;
  let taken = false;
  let released = false;
  let retaking = Promise.resolve();

  const keep = (taken: Held): void => {
    held = taken;
    taken.client.once('end', () => drop(taken));
  };
  const retake = async (before: number): Promise<void> => {
    let said = '';
    while (!released) {
      try {
        const taken = await take(options, before);
        if (released) return await taken.client.end();
        keep(taken);
        log?.info("the database's lock is held again");
        return;
      } catch (error) {
        if (error instanceof DatabaseInUse) {
          if (!released) lost?.(error);
          return;
        }
        if (error instanceof OtherDatabase && said !== error.message) {
          said = error.message;
          log?.warn(said);
        }
        // The database is away: until it is back there is nothing to lock.
        await sleep(RETRY_DELAY_MS);
      }
    }
  };
  const drop = (lostOne: Held): void => {
    if (released || held !== lostOne) return;
    held = null;
    log?.warn("the connection that holds the database's lock was lost: nothing is counted until it is taken again");
    // A frozen connection cannot be ended politely.
    lostOne.client.connection.stream.destroy();
    retaking = retake(lostOne.pid);
  };

  return {
    take: async () => {
      // A lost one is taken again by itself.
      if (!taken) keep(await take(options));
      taken = true;
    },
    check: async (db) => {
      if (held && (await isHolder(db, KEYS[of], held.pid))) return;
      // The database behind the address is another one now, or has ended that connection without a word.
      if (held) drop(held);
      await Promise.race([retaking, sleep(RETAKE_WAIT_MS)]);
      if (!held || !(await isHolder(db, KEYS[of], held.pid))) throw new NotOwner();
    },
    release: async () => {
      released = true;
      const last = held;
      held = null;
      if (last) {
        await Promise.race([last.client.end().catch(() => undefined), sleep(END_TIMEOUT_MS)]);
        last.client.connection.stream.destroy();
      }
      await retaking;
    },
  };
}

/** Takes the lock of a PostgreSQL. Throws as `ServerLock.take` does. */
export async function lockServer(options: ServerLockOptions): Promise<ServerLock> {
  const lock = serverLock(options);
  await lock.take();
  return lock;
}
