import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { writeCompressed } from './compress';
import { DIST, readJson, ROOT } from './files';
import { REMOTES } from './units';

type Texts = Record<string, string>;

/** One file per language from the texts of shared, the shell and every remote. The same key twice with two texts is an error. */
export async function mergeLocales(): Promise<string[]> {
  const folders = ['shared', 'shell', ...REMOTES.map((name) => `mfe-${name}`)].map((name) => path.join(ROOT, name, 'locales')).filter(existsSync);
  const languages = [...new Set(folders.flatMap((folder) => readdirSync(folder)).filter((name) => name.endsWith('.json')))].sort();
  for (const file of languages) {
    const merged: Texts = {};
    for (const folder of folders) {
      const source = path.join(folder, file);
      if (!existsSync(source)) continue;
      for (const [key, text] of Object.entries(readJson<Texts>(source))) {
        if (merged[key] !== undefined && merged[key] !== text) throw new Error(`${path.relative(ROOT, source)}: '${key}' has another text elsewhere`);
        merged[key] = text;
      }
    }
    await writeCompressed(path.join(DIST, 'locales', file), Buffer.from(JSON.stringify(merged)));
  }
  return languages;
}
