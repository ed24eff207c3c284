import path from 'node:path';
import { LANDING_TEXTS } from '../../shared/src/contract/dist-layout';
import { LANGUAGES } from '../../shared/src/i18n/languages';
import { DIST, entriesOf, readJson, ROOT, writeFileWhole } from './files';

type Texts = Record<string, string>;

/** The texts of `units`, by language. A key with two different texts is an error. */
export function textsOf(units: readonly string[]): Map<string, Texts> {
  const merged = new Map<string, Texts>();
  for (const unit of units) {
    const folder = path.join(ROOT, unit, 'locales');
    for (const file of entriesOf(folder).filter((name) => name.endsWith('.json'))) {
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

export function shellTexts(): Map<string, Texts> {
  const files = textsOf(['shared', 'shell']);
  for (const language of LANGUAGES) {
    const others = Object.entries(files.get(`${language}.json`) ?? {}).filter(([key]) =>
      LANDING_TEXTS.some((beginning) => key.startsWith(beginning)),
    );
    const file = `landing.${language}.json`;
    files.set(file, { ...files.get(file), ...Object.fromEntries(others) });
  }
  return files;
}

const write = (files: Map<string, Texts>, folder: string): void => {
  for (const [file, texts] of files) writeFileWhole(path.join(folder, file), JSON.stringify(texts));
};

/** Writes a remote's texts as the server reads them: it adds them to the shell's (api/src/pages/locales.ts). */
export const writeTexts = (units: readonly string[], folder: string): void => write(textsOf(units), folder);
export const publishTexts = (dist = DIST): void => write(shellTexts(), path.join(dist, 'locales'));
