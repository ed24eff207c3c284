/** For tests: databases of earlier versions. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import type pg from 'pg';
import { migrationsFolder } from '../migrate';

type Journal = { entries: { tag: string }[] };

/** Runs the migrations up to `last`, as the version did that had no later one. */
export async function migrateUntil(client: pg.Client, last: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'migrations-'));
  try {
    cpSync(migrationsFolder, folder, { recursive: true });
    const file = join(folder, 'meta', '_journal.json');
    const journal = JSON.parse(readFileSync(file, 'utf8')) as Journal;
    const end = journal.entries.findIndex(({ tag }) => tag === last);
    if (end < 0) throw new Error(`no migration ${last}`);
    writeFileSync(file, JSON.stringify({ ...journal, entries: journal.entries.slice(0, end + 1) }));
    await client.query("set timezone to 'UTC'");
    await migrate(drizzle(client), { migrationsFolder: folder });
    await client.query('select ensure_partitions()');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
