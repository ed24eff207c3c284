/** Runs PostgreSQL's own programs for dump and restore. */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { OpsError } from './failed';

const INSTALLED = '/usr/lib/postgresql';

/** The newest installed version: it reads every older server. */
function program(name: string): string {
  const versions = existsSync(INSTALLED) ? readdirSync(INSTALLED).sort((a, b) => Number(b) - Number(a)) : [];
  return versions.map((version) => join(INSTALLED, version, 'bin', name)).find((path) => existsSync(path)) ?? name;
}

/** The URL without its password, which other users of the machine could read in the list of processes. */
function hidden(url: string): { url: string; env: NodeJS.ProcessEnv } {
  const open = new URL(url);
  const password = decodeURIComponent(open.password);
  open.password = '';
  return { url: open.href, env: { ...process.env, ...(password ? { PGPASSWORD: password } : {}) } };
}

function run(name: string, args: string[], env: NodeJS.ProcessEnv): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program(name), args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.on('data', (data: Buffer) => {
      said = (said + data.toString()).slice(-4000);
    });
    child.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'ENOENT'
          ? new OpsError(
              `${name} was not found. Install PostgreSQL's client programs, not older than the server ` +
                '(Debian: apt-get install postgresql-client).',
            )
          : error,
      ),
    );
    child.once('close', (code) => (code === 0 ? resolve() : reject(new OpsError(`${name} failed:\n${said.trim()}`))));
  });
}

/** `snapshot`: from pg_export_snapshot(); the copy shows exactly what its exporter sees. */
export async function dumpPostgres(databaseUrl: string, file: string, snapshot: string): Promise<void> {
  const { url, env } = hidden(databaseUrl);
  await run(
    'pg_dump',
    [
      '--format=custom',
      '--compress=0',
      `--snapshot=${snapshot}`,
      '--exclude-schema=before_restore_*',
      '--no-owner',
      '--no-privileges',
      `--file=${file}`,
      url,
    ],
    env,
  );
}

/** In one transaction: all or nothing. */
export async function restorePostgres(databaseUrl: string, file: string): Promise<void> {
  const { url, env } = hidden(databaseUrl);
  await run(
    'pg_restore',
    [
      '--single-transaction',
      '--exit-on-error',
      '--no-owner',
      '--no-privileges',
      '--no-comments',
      `--dbname=${url}`,
      file,
    ],
    env,
  );
}
