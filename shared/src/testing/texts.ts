import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(process.cwd());
const merged = new Map<string, Record<string, string>>();

/** All texts of a language, those that pages load later included: shared, shell and all remotes. */
export function textsOf(language: string): Record<string, string> {
  let texts = merged.get(language);
  if (!texts) {
    const units = readdirSync(ROOT).filter((name) => name === 'shell' || name.startsWith('mfe-'));
    // Texts of a package are read too.
    const shared = path.resolve(__dirname, '../../locales');
    const files = [shared, ...units.map((name) => path.join(ROOT, name, 'locales'))]
      .filter((folder) => existsSync(folder))
      .flatMap((folder) => readdirSync(folder).map((name) => path.join(folder, name)))
      .filter((file) => /([^./]+)\.json$/.exec(file)?.[1] === language);
    texts = Object.assign(
      {},
      ...files.map((file) => JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>),
    ) as Record<string, string>;
    merged.set(language, texts);
  }
  return texts;
}
