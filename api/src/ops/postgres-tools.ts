/** Runs PostgreSQL's own programs for dump and restore. */
import { execFile, type ExecFileException } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { promisify } from 'node:util';
import pg from 'pg';
import { z } from 'zod';
import { OperatorError } from '../platform/operator-error';

const INSTALLED = '/usr/lib/postgresql';

/** The newest installed version: it reads every older server. */
function program(name: string): string {
  const versions = existsSync(INSTALLED) ? readdirSync(INSTALLED).sort((a, b) => Number(b) - Number(a)) : [];
  return versions.map((version) => join(INSTALLED, version, 'bin', name)).find((path) => existsSync(path)) ?? name;
}

/** What `pg` makes of the part `ssl` of a URL. */
const sslSchema = z.union([
  z.boolean(),
  z.object({ rejectUnauthorized: z.boolean().default(true), checkServerIdentity: z.unknown().optional() }),
]);

/**
 * The server's own way to PostgreSQL, as libpq's variables: the two read a URL differently (`sslmode`), and other users
 * of the machine see arguments. `folder` gets the public authorities, which this libpq cannot be told to use itself.
 */
function libpqEnv(url: string, folder: string): NodeJS.ProcessEnv {
  const client = new pg.Client({ connectionString: url });
  const given = new URL(url).searchParams;
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    PGHOST: client.host,
    PGPORT: String(client.port),
    PGUSER: client.user,
    PGDATABASE: client.database,
    ...(client.password ? { PGPASSWORD: client.password } : {}),
  };
  for (const name of ['sslcert', 'sslkey', 'sslrootcert', 'options'] as const) {
    const value = given.get(name);
    if (value !== null) env[`PG${name.toUpperCase()}`] = value;
  }
  const ssl = sslSchema.parse(client.ssl);
  if (ssl === false) env.PGSSLMODE = 'disable';
  else if (ssl !== true && !ssl.rejectUnauthorized) {
    env.PGSSLMODE = 'require';
    delete env.PGSSLROOTCERT;
  } else {
    env.PGSSLMODE = ssl !== true && ssl.checkServerIdentity ? 'verify-ca' : 'verify-full';
    if (!env.PGSSLROOTCERT) {
      env.PGSSLROOTCERT = join(folder, 'authorities.pem');
      const { NODE_EXTRA_CA_CERTS: own } = process.env;
      writeFileSync(env.PGSSLROOTCERT, [...rootCertificates, ...(own ? [readFileSync(own, 'utf8')] : [])].join('\n'));
    }
  }
  return env;
}

async function run(name: string, args: string[], env: NodeJS.ProcessEnv): Promise<void> {
  await promisify(execFile)(program(name), args, { env }).catch((error: ExecFileException) => {
    if (error.code === 'ENOENT')
      throw new OperatorError(
        `${name} was not found. Install PostgreSQL's client programs, not older than the server ` +
          '(Debian: apt-get install postgresql-client).',
      );
    throw new OperatorError(`${name} failed:\n${error.stderr?.slice(-4000).trim()}`);
  });
}

/** `snapshot`: from pg_export_snapshot(); the copy shows exactly what its exporter sees. */
export async function dumpPostgres(databaseUrl: string, file: string, snapshot: string): Promise<void> {
  await run(
    'pg_dump',
    [
      '--format=custom',
      '--compress=0',
      `--snapshot=${snapshot}`,
      '--exclude-schema=before_restore_*',
      // Not that of a Citus: the backup can be restored on any PostgreSQL.
      '--extension=plpgsql',
      '--no-owner',
      '--no-privileges',
      `--file=${file}`,
    ],
    libpqEnv(databaseUrl, dirname(file)),
  );
}

/** Restores in one transaction: all or nothing. */
export async function restorePostgres(databaseUrl: string, file: string): Promise<void> {
  await run(
    'pg_restore',
    [
      '--single-transaction',
      '--exit-on-error',
      '--no-owner',
      '--no-privileges',
      '--no-comments',
      `--dbname=${new pg.Client({ connectionString: databaseUrl }).database}`,
      file,
    ],
    libpqEnv(databaseUrl, dirname(file)),
  );
}
