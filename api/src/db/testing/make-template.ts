/** `node --import tsx make-template.ts <file>`: writes a dump of an empty, migrated database for tests. */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { drizzle } from 'drizzle-orm/pglite';
import { migrate } from 'drizzle-orm/pglite/migrator';
import { migrationsFolder } from '../migrate';

const [file = 'template.tar'] = process.argv.slice(2);
const db = await PGlite.create();
await migrate(drizzle(db), { migrationsFolder });
const dump = await db.dumpDataDir('none');
mkdirSync(dirname(file), { recursive: true });
const draft = `${file}.${process.pid}`;
writeFileSync(draft, Buffer.from(await dump.arrayBuffer()));
renameSync(draft, file);
await db.close();
