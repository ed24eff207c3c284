/**
 * The embedded database's process: PGlite behind a unix socket. It ends with its parent, however the parent ends: the
 * IPC channel closes even on kill -9. Signals are handled by the parent (Ctrl+C reaches the whole group).
 *
 * PGlite is one PostgreSQL session. Several sockets share its prepared statements, settings and advisory locks
 * (measured: "prepared statement already exists"), so the pool holds one connection. A few are accepted all the same,
 * because the pool opens the next before the last is fully closed.
 */
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { lockFolder } from '../lock';
import { serveDatabase } from './embedded-socket';

export type ChildMessage = { ready: true; movedAside?: string } | { failed: string } | Dumped;
/** Asks for a copy of all data in `file`, as a tar. The sender makes sure that no transaction is open. */
export type DumpRequest = { dump: string };
type Dumped = { dumped: string; error?: string };

const [folder = '', socket = '', template = ''] = process.argv.slice(2);
const send = (message: ChildMessage): void => {
  process.send?.(message);
};

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
const orphaned = once(process, 'disconnect');

/** Written when the first start is complete. A folder without it was interrupted: none of its data was ever used. */
const mark = join(folder, 'complete');

function moveIncompleteAside(): string | undefined {
  const data = join(folder, 'data');
  if (!existsSync(data) || existsSync(mark)) return undefined;
  const aside = `${folder}.cut-off-${new Date().toISOString().replace(/[:.]/g, '-')}`;
  renameSync(data, aside);
  return aside;
}

async function open(): Promise<{ db: PGlite; movedAside?: string }> {
  const fromTemplate = () => (template ? { loadDataDir: new Blob([readFileSync(template)]) } : {});
  if (!folder) return { db: await PGlite.create(fromTemplate()) };
  mkdirSync(folder, { recursive: true });
  // The database process of a killed server may need a moment to notice.
  await lockFolder(folder, { patienceMs: 10_000, lost: () => process.exit(1) });
  const movedAside = moveIncompleteAside();
  const isNew = !existsSync(mark);
  const db = await PGlite.create({ dataDir: join(folder, 'data'), ...(isNew ? fromTemplate() : {}) });
  if (isNew) {
    await db.exec('CHECKPOINT');
    writeFileSync(mark, `${new Date().toISOString()}\n`);
  }
  return { db, movedAside };
}

try {
  const { db, movedAside } = await open();
  rmSync(socket, { force: true });
  const server = await serveDatabase(db, socket);
  process.on('message', ({ dump }: DumpRequest) => {
    db.dumpDataDir('none')
      .then(async (tar) => writeFileSync(dump, Buffer.from(await tar.arrayBuffer()), { mode: 0o600, flag: 'wx' }))
      .then(
        () => send({ dumped: dump }),
        (error: unknown) => send({ dumped: dump, error: error instanceof Error ? error.message : String(error) }),
      );
  });
  send({ ready: true, movedAside });
  await orphaned;
  server.close();
  await db.close();
  rmSync(socket, { force: true });
  process.exit(0);
} catch (error) {
  send({ failed: error instanceof Error ? error.message : String(error) });
  process.exit(1);
}
