/**
 * Reads and writes backups. A backup is one file: a gzipped tar of `manifest.json`, `database` (PGlite's tar, or
 * pg_dump's custom format) and `files/…`, the rest of DATA_DIR (journal of uncounted shares, keys).
 */
import { createReadStream, createWriteStream, mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { extract, pack } from 'tar-stream';
import { z } from 'zod';
import { OperatorError } from '../platform/operator-error';

export const manifestSchema = z.object({
  format: z.literal(1),
  kind: z.enum(['embedded', 'postgresql']),
  /** ISO 8601. */
  madeAt: z.string(),
  /** Hash of the ledger in the backup. */
  ledger: z.object({ hash: z.string(), entries: z.number(), lastId: z.number() }),
});
export type Manifest = z.infer<typeof manifestSchema>;

/** File names allowed in a backup: none leads out of the folder it is unpacked into. */
const NAME = /^(manifest\.json|database|files(\/(?!\.{1,2}(\/|$))[\w.@-]+)+)$/;
export const PRIVATE = 0o600;

/** Packs `names` (paths below `folder` that match NAME) into `file`, which must not exist. */
export async function packArchive(file: string, folder: string, names: readonly string[]): Promise<void> {
  const tar = pack();
  const written = pipeline(tar, createGzip({ level: 6 }), createWriteStream(file, { mode: PRIVATE, flags: 'wx' }));
  const filled = (async () => {
    for (const name of names) {
      if (!NAME.test(name))
        throw new OperatorError(`${name} has a name that a backup cannot hold. Move it out of DATA_DIR.`);
      const path = join(folder, name);
      await pipeline(createReadStream(path), tar.entry({ name, size: statSync(path).size, mode: PRIVATE }));
    }
    tar.finalize();
  })().catch((error: unknown) => {
    tar.destroy(error instanceof Error ? error : new Error(String(error)));
    throw error;
  });
  await Promise.all([filled, written]);
}

/** Unpacks a backup into `folder`; returns the names. Throws `OperatorError` when it is not a backup, or incomplete. */
export async function unpackArchive(file: string, folder: string): Promise<string[]> {
  const names: string[] = [];
  const tar = extract();
  const unpacked = (async () => {
    for await (const entry of tar) {
      const { name, type } = entry.header;
      if (type !== 'file' || !NAME.test(name))
        throw new OperatorError(`${file} is not a backup of the pool: it holds ${JSON.stringify(name)}.`);
      const path = join(folder, name);
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      await pipeline(entry, createWriteStream(path, { mode: PRIVATE, flags: 'wx' }));
      names.push(name);
    }
  })();
  const read = pipeline(createReadStream(file), createGunzip(), tar);
  try {
    await Promise.all([unpacked, read]);
  } catch (error) {
    if (error instanceof OperatorError || (error instanceof Error && 'syscall' in error)) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new OperatorError(`${file} is not a backup of the pool, or not a whole one (${why}).`);
  }
  if (!names.includes('manifest.json') || !names.includes('database'))
    throw new OperatorError(`${file} is not a whole backup of the pool.`);
  return names;
}
