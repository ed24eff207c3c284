/** Starts and supervises the embedded database (PGlite in its own process, behind a unix socket). */
import { fork, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { program } from '../programs';
import type { ChildMessage, DumpRequest } from './embedded-child';
import { DatabaseRefused } from './away';

export type EmbeddedDatabase = {
  /** Options for `pg`: `host` is the folder of the socket. */
  connection: { host: string; port: number; user: string; database: string };
  pid(): number | undefined;
  /** Writes a copy of all data into `file` (a tar; must not exist yet). No transaction may be open meanwhile. */
  dump(file: string): Promise<void>;
  stop(): Promise<void>;
};

export type EmbeddedOptions = {
  /** Folder of the database; without it the data is in memory. */
  folder?: string;
  /** Dump that a new database starts from. Tests set DATABASE_TEMPLATE, to save the time of the migrations. */
  template?: string;
  /** Folder of the PGlite package to use, which must be of the folder's PostgreSQL version; default: the installed one. */
  engine?: string;
  say?: (message: string) => void;
};

/** Major version of PostgreSQL in the installed PGlite: it reads folders of this version only. */
export const EMBEDDED_MAJOR = '18';
/** The PGlite that reads folders of an older version. */
const OLDER_PGLITE: Record<string, string> = { 17: '@electric-sql/pglite@0.3' };

/** Throws `DatabaseRefused` for a folder of another PostgreSQL version. An incomplete folder is moved aside anyway. */
function refuseOtherVersion(folder: string): void {
  const file = join(folder, 'data', 'PG_VERSION');
  if (!existsSync(file) || !existsSync(join(folder, 'complete'))) return;
  const major = readFileSync(file, 'utf8').trim();
  if (major === EMBEDDED_MAJOR) return;
  const engine = OLDER_PGLITE[major];
  throw new DatabaseRefused(
    `${folder} is a database of PostgreSQL ${major}; the embedded one is PostgreSQL ${EMBEDDED_MAJOR} now and cannot ` +
      'read it. ' +
      (engine
        ? `Bring it forward: npm install --prefix pglite-old ${engine}, then ` +
          'npm run admin -- upgrade-database pglite-old/node_modules/@electric-sql/pglite. The old folder stays.'
        : 'Start the version of the pool that made it.'),
  );
}

const PORT = 5432;
const RESTART_AFTER_MS = 500;

/**
 * A unix socket's path must stay under about 100 bytes, so it is in a private folder of the system's temporary folder.
 */
const socketFolder = (): string => mkdtempSync(join(tmpdir(), 'pool-db-'));

function launch(args: string[]): Promise<{ child: ChildProcess; movedAside?: string }> {
  return new Promise((resolve, reject) => {
    const { file, execArgv } = program('platform/db/embedded-child.ts');
    const child = fork(file, args, {
      // Options of this process apply to the database's too.
      execArgv: [...process.execArgv, ...execArgv],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const failed = (): void => reject(new Error('the embedded database ended while starting'));
    child.once('error', reject);
    child.once('exit', failed);
    child.once('message', (message: ChildMessage) => {
      child.off('exit', failed);
      if ('ready' in message) resolve({ child, movedAside: message.movedAside });
      else reject(new Error('failed' in message ? message.failed : 'unexpected message of the embedded database'));
    });
  });
}

const ended = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once('exit', () => resolve());
  });

const dumpOf = (child: ChildProcess, file: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const done = (error?: Error): void => {
      child.off('message', heard);
      child.off('exit', gone);
      if (error) reject(error);
      else resolve();
    };
    const gone = (): void => done(new Error('the embedded database ended while it was copied'));
    const heard = (message: ChildMessage): void => {
      if ('dumped' in message && message.dumped === file)
        done(message.error === undefined ? undefined : new Error(message.error));
    };
    child.on('message', heard);
    child.once('exit', gone);
    child.send({ dump: file } satisfies DumpRequest, (error) => {
      if (error) done(error);
    });
  });

export async function startEmbedded({
  folder = '',
  template = process.env.DATABASE_TEMPLATE ?? '',
  engine = '',
  say = () => undefined,
}: EmbeddedOptions = {}): Promise<EmbeddedDatabase> {
  if (folder && !engine) refuseOtherVersion(folder);
  const host = socketFolder();
  if (folder) mkdirSync(folder, { recursive: true });
  const args = [folder, join(host, `.s.PGSQL.${PORT}`), template, engine];
  let stopping = false;
  let current: ChildProcess | undefined;

  const start = async (): Promise<void> => {
    const { child, movedAside } = await launch(args);
    current = child;
    if (movedAside)
      say(`The database's first start was interrupted; its data was moved to ${movedAside}, and a new one is made.`);
    child.once('exit', (code, signal) => {
      // A database in memory has no data to start again with.
      if (stopping || !folder) return;
      say(`The embedded database ended (${signal ?? code}); it is restarted.`);
      const restart = (): void => {
        start().catch(() => {
          if (!stopping) setTimeout(restart, RESTART_AFTER_MS * 4);
        });
      };
      setTimeout(restart, RESTART_AFTER_MS);
    });
  };

  const cleanUp = (): void => rmSync(host, { recursive: true, force: true });
  await start().catch((error: unknown) => {
    cleanUp();
    throw error;
  });
  return {
    connection: { host, port: PORT, user: 'postgres', database: 'postgres' },
    pid: () => current?.pid,
    dump: async (file) => {
      if (!current?.connected) throw new Error('the embedded database is not running');
      await dumpOf(current, file);
    },
    stop: async () => {
      stopping = true;
      if (current?.connected) current.disconnect();
      if (current) await ended(current);
      cleanUp();
    },
  };
}
