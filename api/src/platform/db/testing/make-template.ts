/**
 * `node --import tsx make-template.ts` prints the path of a dump of an empty, migrated database for tests. It is made
 * once for each state of the migrations; a new database made from it takes a second of a core instead of five. With the
 * URL of a PostgreSQL it migrates its `template1` too, of which new databases are copies. Both have a signing key:
 * making one takes an eighth of a second of a core.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openKeys } from '../../../identity/tokens/keys';
import { testSecrets } from '../../../testing/secrets';
import type { Querier } from '../querier';
import { migrationNames, migrationsFolder, runMigrations } from '../migrate';

const hash = createHash('sha256').update(readFileSync(fileURLToPath(import.meta.url)));
for (const name of migrationNames()) hash.update(name).update(readFileSync(join(migrationsFolder, `${name}.sql`)));
const cache = join(dirname(fileURLToPath(import.meta.url)), '../../../../../.cache/test-database');
const file = join(cache, `${hash.digest('hex').slice(0, 16)}.tar`);

if (!existsSync(file)) {
  const { PGlite } = await import('@electric-sql/pglite');
  const db = await PGlite.create();
  const client: Querier = {
    query: (async (statement: string | { text: string; values?: unknown[] }, given?: unknown[]) => {
      const { text, values } = typeof statement === 'string' ? { text: statement, values: given } : statement;
      return values ? db.query(text, values) : (await db.exec(text)).at(-1);
    }) as Querier['query'],
  };
  await runMigrations(client);
  await openKeys(client, testSecrets());
  // Half of its files are those of databases that nobody uses.
  await db.query("update pg_database set datistemplate = false where datname like 'template_'");
  for (const name of ['template0', 'template1']) await db.query(`drop database ${name}`);
  const dump = await db.dumpDataDir('none');
  await db.close();
  mkdirSync(cache, { recursive: true });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, Buffer.from(await dump.arrayBuffer()));
  renameSync(draft, file);
}
const [url] = process.argv.slice(2);
if (url) {
  const { openDatabase } = await import('../database');
  const template = new URL(url);
  template.pathname = '/template1';
  const database = await openDatabase({ url: template.href });
  await openKeys(database.pool, testSecrets());
  await database.close();
}
process.stdout.write(file);
