import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './files';

/** Names of the remotes among units. */
export const remotesIn = (units: readonly string[]): string[] =>
  units.filter((unit) => unit.startsWith('mfe-')).map((unit) => unit.slice('mfe-'.length));

export const REMOTES = remotesIn(
  readdirSync(ROOT).filter((folder) => existsSync(path.join(ROOT, folder, 'remote.json'))),
).sort();

/** Units in the shell's folder; a team's checkout may have none. */
export const SHELL_UNITS = existsSync(path.join(ROOT, 'shell')) ? ['shell', 'landing', 'service-worker'] : [];
export const UNITS = [...SHELL_UNITS, ...REMOTES.map((name) => `mfe-${name}`)];

/** Units that `words` name, with or without `mfe-`; without words all. Throws for an unknown one. */
export function unitsNamed(words: readonly string[], known: readonly string[] = UNITS): string[] {
  if (words.length === 0) return [...known];
  const named = words.map((word) => {
    const unit = [word, `mfe-${word}`].find((name) => known.includes(name));
    if (unit === undefined) throw new Error(`no unit is called '${word}'. There are: ${known.join(', ')}`);
    return unit;
  });
  return known.filter((unit) => named.includes(unit));
}
