/** Starts and supervises the embedded database (PGlite in its own process, behind a unix socket). */
import { fork, type ChildProcess } from 'node:child_process';
import { on, once } from 'node:events';
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
  say?: (message: string) => void;
};

/** Major version of PostgreSQL in the installed PGlite: it reads folders of this version only. */
export const EMBEDDED_MAJOR = '18';
/** Throws `DatabaseRefused` for a folder of another PostgreSQL version. An incomplete folder is moved aside anyway. */
function refuseOtherVersion(folder: string): void {
  const file = join(folder, 'data', 'PG_VERSION');
  if (!existsSync(file) || !existsSync(join(folder, 'complete'))) return;
  const major = readFileSync(file, 'utf8').trim();
  if (major === EMBEDDED_MAJOR) return;
  throw new DatabaseRefused(
    `${folder} is a database of PostgreSQL ${major}; the embedded one is PostgreSQL ${EMBEDDED_MAJOR} and cannot read ` +
      'it. Start the version of the pool that made it, or move it to a PostgreSQL with that one (move-database).',
  );
}

const PORT = 5432;
const RESTART_AFTER_MS = 500;

/** A private folder with a short path: that of a unix socket must stay under about 100 bytes. */
const socketFolder = (): string => mkdtempSync(join(tmpdir(), 'pool-db-'));

async function launch(args: string[]): Promise<{ child: ChildProcess; movedAside?: string }> {
  const { file, execArgv } = program('platform/db/embedded-child.ts');
  const child = fork(file, args, {
    // Options of this process apply to the database's too.
    execArgv: [...process.execArgv, ...execArgv],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const message = await heardFrom(child, (said) => !('dumped' in said), 'starting');
  if ('ready' in message) return { child, movedAside: message.movedAside };
  throw new Error('failed' in message ? message.failed : 'unexpected message of the embedded database');
}

/** The first message of the database that fits. */
async function heardFrom(child: ChildProcess, fits: (said: ChildMessage) => boolean, during: string) {
  for await (const [said] of on(child, 'message', { close: ['exit'] }) as AsyncIterable<[ChildMessage]>)
    if (fits(said)) return said;
  throw new Error(`the embedded database ended while ${during}`);
}

async function dumpOf(child: ChildProcess, file: string): Promise<void> {
  child.send({ dump: file } satisfies DumpRequest);
  const said = await heardFrom(child, (each) => 'dumped' in each && each.dumped === file, 'it was copied');
  if ('error' in said && said.error !== undefined) throw new Error(said.error);
}

export async function startEmbedded({
  folder = '',
  say = () => undefined,
}: EmbeddedOptions = {}): Promise<EmbeddedDatabase> {
  if (folder) refuseOtherVersion(folder);
  const host = socketFolder();
  if (folder) mkdirSync(folder, { recursive: true });
  // Dump that a new database starts from: tests save the time of the migrations.
  const { DATABASE_TEMPLATE: template = '' } = process.env;
  const args = [folder, join(host, `.s.PGSQL.${PORT}`), template];
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
      if (current && current.exitCode === null && current.signalCode === null) await once(current, 'exit');
      cleanUp();
    },
  };
}
