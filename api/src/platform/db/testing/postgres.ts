/**
 * A real PostgreSQL for tests: a temporary cluster on a unix socket, without fsync, removed afterwards. It shows races
 * that the embedded database cannot have, being a single session.
 */
import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import type { Database } from '../database';
import { eventually } from '../../../testing/eventually';

const run = promisify(execFile);
const INSTALLED = '/usr/lib/postgresql';
const PORT = 5432;

/** Folder of the newest installed server programs. */
function postgresPrograms(): string {
  const versions = existsSync(INSTALLED)
    ? readdirSync(INSTALLED)
        .filter((name) => existsSync(join(INSTALLED, name, 'bin/initdb')))
        .sort((a, b) => Number(a) - Number(b))
    : [];
  const newest = versions.at(-1);
  if (newest === undefined)
    throw new Error(
      `This test needs PostgreSQL: no ${INSTALLED}/<version>/bin/initdb. Install the package "postgresql".`,
    );
  return join(INSTALLED, newest, 'bin');
}

/** PostgreSQL refuses to run as root: then it runs as its own user. */
export function whoRuns(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((row) => row.startsWith('postgres:'));
  const [, , uid, gid] = line?.split(':') ?? [];
  if (uid === undefined || gid === undefined)
    throw new Error('This test runs as root and there is no user "postgres" to run the database.');
  return { uid: Number(uid), gid: Number(gid) };
}

async function untilReady(connectionString: string, alive: () => boolean): Promise<void> {
  const connects = async (): Promise<boolean> => {
    const client = new pg.Client({ connectionString });
    try {
      await client.connect();
      await client.end();
      return true;
    } catch (error) {
      if (!alive()) throw error;
      return false;
    }
  };
  await eventually(connects, 'PostgreSQL ready', 60_000);
}

export type Cluster = {
  url: string;
  start(): Promise<void>;
  /** Stops it as an operator would: clients are disconnected. */
  halt(): Promise<void>;
  /** Ends it as a crash would: what was not on its disk is lost. */
  crash(): Promise<void>;
  /** A running standby that follows it. */
  standby(): Promise<Cluster>;
  /** A standby becomes a primary. */
  promote(): Promise<void>;
  remove(): Promise<void>;
};

const OPTIONS = [
  'listen_addresses=',
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'shared_buffers=32MB',
  'max_connections=100',
].flatMap((option) => ['-c', option]);

/** A new folder of the user who runs PostgreSQL. */
export function ownFolder(): string {
  const { uid, gid } = whoRuns();
  const folder = mkdtempSync(join(tmpdir(), 'pool-pg-'));
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
  return folder;
}

/** `port`: also on 127.0.0.1. `settings`: of the server, `ssl=on`. */
type Own = { port?: number; settings?: readonly string[] };

/** Starts the cluster whose files are in `folder`/data. */
async function runCluster(folder: string, { port = PORT, settings = [] }: Own = {}): Promise<Cluster> {
  const bin = postgresPrograms();
  const who = whoRuns();
  const data = join(folder, 'data');
  const url = `postgresql://postgres@localhost:${port}/postgres?host=${encodeURIComponent(folder)}`;
  let end = async (_: NodeJS.Signals): Promise<void> => undefined;
  const start = async (): Promise<void> => {
    const own = [...(port === PORT ? [] : ['listen_addresses=127.0.0.1']), ...settings].flatMap((one) => ['-c', one]);
    const server = spawn(join(bin, 'postgres'), ['-D', data, '-k', folder, '-p', String(port), ...OPTIONS, ...own], {
      ...who,
      cwd: folder,
      stdio: 'ignore',
    });
    const ended = once(server, 'exit');
    end = async (signal) => {
      server.kill(signal);
      await ended;
    };
    await untilReady(url, () => server.exitCode === null && server.signalCode === null);
  };
  const halt = (): Promise<void> => end('SIGINT');
  const remove = async (): Promise<void> => {
    await halt();
    rmSync(folder, { recursive: true, force: true });
  };
  await start().catch(async (error: unknown) => {
    await remove();
    throw error;
  });
  return {
    url,
    start,
    halt,
    crash: () => end('SIGQUIT'),
    standby: async () => {
      const own = ownFolder();
      const copy = ['-D', join(own, 'data'), '-h', folder, '-p', String(PORT), '-U', 'postgres'];
      await run(join(bin, 'pg_basebackup'), [...copy, '-R', '-X', 'stream', '-c', 'fast', '--no-sync'], {
        ...who,
        cwd: own,
      });
      return runCluster(own);
    },
    promote: async () => {
      await run(join(bin, 'pg_ctl'), ['promote', '-w', '-D', data], { ...who, cwd: folder });
    },
    remove,
  };
}

/** Starts a new cluster in `folder`, which is of the user who runs PostgreSQL. `initial`: further options of initdb. */
export async function startCluster(
  folder = ownFolder(),
  initial: readonly string[] = [],
  own: Own = {},
): Promise<Cluster> {
  const options = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync', ...initial];
  await run(join(postgresPrograms(), 'initdb'), ['-D', join(folder, 'data'), ...options], {
    ...whoRuns(),
    cwd: folder,
  });
  return runCluster(folder, own);
}

/** A connection to the PostgreSQL at `url`; it and each of its queries may take `withinMs`. */
export async function connectTo(url: string, withinMs = 0): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: withinMs,
    query_timeout: withinMs,
  });
  // Its server may be killed.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** Nodes beside the coordinator where `url` is a Citus; none where it is any other PostgreSQL. */
export async function citusNodes(url: string): Promise<string[]> {
  const client = await connectTo(url);
  try {
    const { rows: installed } = await client.query("select from pg_extension where extname = 'citus'");
    if (installed.length === 0) return [];
    const { rows } = await client.query<{ host: string }>(
      "select nodename || ':' || nodeport as host from pg_dist_node where shouldhaveshards",
    );
    return rows.map(({ host }) => Object.assign(new URL(url), { host }).href);
  } finally {
    await client.end();
  }
}

/** A new, migrated database on the PostgreSQL at `url`, removed by `close`. */
export async function newDatabase(
  url: string,
  connections?: number,
  statementMs?: number,
): Promise<Database & { url: string }> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const administer = async (at: string, ...statements: string[]): Promise<void> => {
    const client = await connectTo(at);
    for (const statement of statements) await client.query(statement);
    await client.end();
  };
  const nodes = await citusNodes(url);
  await Promise.all([url, ...nodes].map((at) => administer(at, `create database ${name}`)));
  const inIt = (at: string): URL => Object.assign(new URL(at), { pathname: `/${name}` });
  const own = inIt(url);
  if (nodes.length) {
    await Promise.all([url, ...nodes].map((at) => administer(inIt(at).href, 'create extension citus')));
    const said = ({ hostname, port }: URL): string => `('${hostname}', ${port})`;
    await administer(
      own.href,
      `select citus_set_coordinator_host${said(own)}`,
      ...nodes.map((at) => `select citus_add_node${said(new URL(at))}`),
    );
  }
  // Journeys use what is above, where modules that ask for their own URL cannot be loaded.
  const { openDatabase } = await import('../database');
  const database = await openDatabase({ url: own.href, connections, statementMs });
  return {
    ...database,
    url: own.href,
    close: async () => {
      await database.close();
      // A killed server's connections may not have ended yet.
      for (const at of [url, ...nodes]) await administer(at, `drop database ${name} with (force)`);
    },
  };
}

/**
 * `const database = await postgresDatabase()` in beforeAll, `await database.close()` in afterAll: on the PostgreSQL of
 * the test run (TEST_DATABASE_URL), else on one of its own.
 */
export async function postgresDatabase(connections = 20, statementMs?: number): Promise<Database & { url: string }> {
  if (process.env.TEST_DATABASE_URL) return newDatabase(process.env.TEST_DATABASE_URL, connections, statementMs);
  const { url, remove } = await startCluster();
  const database = await newDatabase(url, connections, statementMs).catch(async (error: unknown) => {
    await remove();
    throw error;
  });
  return {
    ...database,
    close: async () => {
      await database.close();
      await remove();
    },
  };
}
