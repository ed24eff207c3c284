/** What the units are called, for every command that takes their names. */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './files';

/** Names of the remotes of this checkout: folders `mfe-<name>` that say what they are. */
export const REMOTES = readdirSync(ROOT)
  .filter((folder) => folder.startsWith('mfe-') && existsSync(path.join(ROOT, folder, 'remote.json')))
  .map((folder) => folder.slice('mfe-'.length))
  .sort();

/** What webpack builds here. A team's checkout may have no shell; `landing` lives in the shell's folder. */
export const UNITS = [
  ...(existsSync(path.join(ROOT, 'shell')) ? ['shell', 'landing'] : []),
  ...REMOTES.map((name) => `mfe-${name}`),
];

/**
 * The units that `words` name, of `known`: a remote by its folder or without `mfe-`. All of them without words.
 * Throws for a word that names none, with a list of those there are.
 */
export function unitsNamed(words: readonly string[], known: readonly string[] = UNITS): string[] {
  if (words.length === 0) return [...known];
  const named = words.map((word) => {
    const unit = [word, `mfe-${word}`].find((name) => known.includes(name));
    if (unit === undefined) throw new Error(`no unit is called '${word}'. There are: ${known.join(', ')}`);
    return unit;
  });
  return known.filter((unit) => named.includes(unit));
}
