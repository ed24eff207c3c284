/** The web fonts: files beside the scripts, rules for the heads of the pages. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { hashOf, ROOT, sha256, writeFileWhole } from './files';

const RULES = path.join(ROOT, 'shared/src/ui/fonts.css');
const installedForShared = createRequire(path.join(ROOT, 'shared/package.json'));

/** Writes the files; returns their rules, and their hashes by address. */
export function publishFonts(
  folder: string,
  address: (name: string) => string,
): { rules: string; files: Record<string, `sha256-${string}`> } {
  const files: Record<string, `sha256-${string}`> = {};
  const rules = readFileSync(RULES, 'utf8').replace(/url\('([^']+)'\)/g, (_, module: string) => {
    const content = readFileSync(installedForShared.resolve(module));
    const name = `${path.basename(module, '.woff2')}.${hashOf([content]).slice(0, 8)}.woff2`;
    const target = path.join(folder, name);
    if (!existsSync(target)) writeFileWhole(target, content);
    files[address(name)] = sha256(content);
    return `url(${address(name)})`;
  });
  return { rules, files };
}
