/** Checks a backup as a restore would: into a scratch database, whose ledger has to be the one that was backed up. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { connect } from '../platform/db/connect';
import { type DatabaseOptions } from '../platform/db/database';
import { manifestSchema, type Manifest, unpackArchive } from './archive';
import { OperatorError } from '../platform/operator-error';
import { restorePostgres } from './postgres-tools';
import { checkLedger, writeEmbedded } from './restore';
import type { OpsConfig } from './command';
import { valuesOf } from '../platform/db/querier';

const SCRATCH = 'pool_verify_';
const MAY_NOT = '42501';

/** Runs `work` with a new database on the PostgreSQL of `url`, which is dropped afterwards, as are those of killed ones. */
async function inScratch(url: string, work: (url: string) => Promise<void>): Promise<void> {
  const client = await connect({ connectionString: url });
  const name = SCRATCH + randomBytes(6).toString('hex');
  const scratch = new URL(url);
  scratch.pathname = `/${name}`;
  try {
    const left = await valuesOf<string>(client)`
      select datname from pg_database where starts_with(datname, ${SCRATCH})`;
    // One in use is refused.
    for (const each of left) await client.query(`drop database ${each}`).catch(() => undefined);
    // The server's own template may have tables.
    await client.query(`create database ${name} template template0`).catch((error: pg.DatabaseError) => {
      if (error.code !== MAY_NOT) throw error;
      throw new OperatorError(
        "The user of DATABASE_URL may not make the scratch database: alter role … createdb, or give a DATABASE_URL of another server's.",
      );
    });
    await work(scratch.href);
  } finally {
    await client.query(`drop database if exists ${name} with (force)`).catch(() => undefined);
    await client.end();
  }
}

/** Throws `OperatorError` when it is not whole or its ledger is another one. `work`: an empty folder. */
export async function verifyBackup({ DATABASE_URL }: OpsConfig, file: string, work: string): Promise<Manifest> {
  const own = join(work, 'verify');
  mkdirSync(own, { mode: 0o700 });
  await unpackArchive(file, own);
  const manifest = manifestSchema.parse(JSON.parse(readFileSync(join(own, 'manifest.json'), 'utf8')));
  const database = join(own, 'database');
  const check = (place: DatabaseOptions): Promise<void> => checkLedger(place, manifest);
  if (manifest.kind === 'embedded') {
    const folder = join(own, 'db');
    await writeEmbedded(folder, database, manifest.madeAt);
    await check({ folder });
  } else if (DATABASE_URL) {
    await inScratch(DATABASE_URL, async (url) => {
      await restorePostgres(url, database);
      await check({ url });
    });
  } else
    throw new OperatorError('This backup is of a PostgreSQL: name a server for the scratch database in DATABASE_URL.');
  return manifest;
}
