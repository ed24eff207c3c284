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
import { openDatabase, type Database } from '../database';

const run = promisify(execFile);
const INSTALLED = '/usr/lib/postgresql';
const PORT = 5432;

function programs(): string {
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
function whoRuns(): { uid?: number; gid?: number } {
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
  for (;;) {
    const client = new pg.Client({ connectionString });
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (!alive()) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

export type Cluster = { url: string; start(): Promise<void>; halt(): Promise<void>; remove(): Promise<void> };

/**
 * A running cluster; `halt` stops it as an operator would (clients are disconnected), `start` restarts it with its
 * data.
 */
export async function startCluster(): Promise<Cluster> {
  const bin = programs();
  const who = whoRuns();
  const folder = mkdtempSync(join(tmpdir(), 'pool-pg-'));
  if (who.uid !== undefined && who.gid !== undefined) chownSync(folder, who.uid, who.gid);
  const data = join(folder, 'data');
  await run(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync'],
    { ...who, cwd: folder },
  );
  const options = [
    'listen_addresses=',
    'fsync=off',
    'synchronous_commit=off',
    'full_page_writes=off',
    'shared_buffers=32MB',
    'max_connections=100',
  ].flatMap((option) => ['-c', option]);
  const url = `postgresql://postgres@localhost:${PORT}/postgres?host=${encodeURIComponent(folder)}`;
  let halt = async (): Promise<void> => undefined;
  const start = async (): Promise<void> => {
    const server = spawn(join(bin, 'postgres'), ['-D', data, '-k', folder, '-p', String(PORT), ...options], {
      ...who,
      cwd: folder,
      stdio: 'ignore',
    });
    const ended = once(server, 'exit');
    // Fast shutdown: does not wait for clients.
    halt = async () => {
      server.kill('SIGINT');
      await ended;
    };
    await untilReady(url, () => server.exitCode === null && server.signalCode === null);
  };
  const remove = async (): Promise<void> => {
    await halt();
    rmSync(folder, { recursive: true, force: true });
  };
  await start().catch(async (error: unknown) => {
    await remove();
    throw error;
  });
  return { url, start, halt: () => halt(), remove };
}

/** A new, migrated database on the PostgreSQL at `url`, removed by `close`. */
export async function newDatabase(
  url: string,
  connections?: number,
  statementMs?: number,
): Promise<Database & { url: string }> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const administer = async (statement: string): Promise<void> => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(statement);
    await client.end();
  };
  await administer(`create database ${name}`);
  const own = new URL(url);
  own.pathname = `/${name}`;
  const database = await openDatabase({ url: own.href, connections, statementMs });
  return {
    ...database,
    url: own.href,
    close: async () => {
      await database.close();
      await administer(`drop database ${name}`);
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
