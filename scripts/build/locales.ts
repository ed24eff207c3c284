import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { DIST, readJson, ROOT, writeFileWhole } from './files';

type Texts = Record<string, string>;

/** The texts of `units`, by language. A key with two different texts is an error. */
export function textsOf(units: readonly string[]): Map<string, Texts> {
  const merged = new Map<string, Texts>();
  for (const unit of units) {
    const folder = path.join(ROOT, unit, 'locales');
    if (!existsSync(folder)) continue;
    for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
      const texts = merged.get(file) ?? {};
      for (const [key, text] of Object.entries(readJson<Texts>(path.join(folder, file)))) {
        if (texts[key] !== undefined && texts[key] !== text)
          throw new Error(`${unit}/locales/${file}: '${key}' has another text elsewhere`);
        texts[key] = text;
      }
      merged.set(file, texts);
    }
  }
  return merged;
}

/** Writes the texts as the server reads them: it adds those of the deployed remotes (api/src/web/locales.ts). */
export function writeTexts(units: readonly string[], folder: string): void {
  for (const [file, texts] of textsOf(units)) writeFileWhole(path.join(folder, file), JSON.stringify(texts));
}

export const publishTexts = (): void => writeTexts(['shared', 'shell'], path.join(DIST, 'locales'));
