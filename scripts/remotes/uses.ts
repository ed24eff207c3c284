/** What a remote uses of the shell's `@pool/shared`, by the names of its surface. */
import { parseSync, type Module, type ModuleItem } from '@swc/core';
import type { Source } from '../build/files';
import { CALLS, PACKAGES } from '../surface/compare';

/** Sections of the surface whose names stand in the code as they are. */
const NAMED = ['CSS variables', 'Texts', CALLS];
const SHARED = /^@pool\/shared(\/|$)/;
/** Stands for a name: everything that is there; the code's words say what it uses. */
const ALL = '*';

type Imported = { from: string; name: string };

function namesOf(item: ModuleItem): Imported[] {
  const from = 'source' in item ? item.source?.value : undefined;
  if (from === undefined || !SHARED.test(from) || ('typeOnly' in item && item.typeOnly)) return [];
  if (item.type === 'ExportAllDeclaration') return [{ from, name: ALL }];
  if (item.type !== 'ImportDeclaration' && item.type !== 'ExportNamedDeclaration') return [];
  return item.specifiers.flatMap((each) => {
    if (each.type === 'ImportSpecifier')
      return each.isTypeOnly ? [] : [{ from, name: (each.imported ?? each.local).value }];
    if (each.type === 'ExportSpecifier') return each.isTypeOnly ? [] : [{ from, name: each.orig.value }];
    return [{ from, name: each.type === 'ImportDefaultSpecifier' ? 'default' : ALL }];
  });
}

function importedIn({ file, code }: Source): Imported[] {
  const { body }: Module = parseSync(code, { syntax: 'typescript', tsx: !file.endsWith('.ts') });
  const lazy = [...code.matchAll(/\bimport\(\s*['"](@pool\/shared[^'"]*)['"]/g)];
  return [...body.flatMap(namesOf), ...lazy.map(([, from = '']) => ({ from, name: ALL }))];
}

/** What a build uses. `sources`: scripts; `others`: `remote.json` and styles; `provided`: parts of the shell. */
export function usesIn(
  sources: readonly Source[],
  others: string,
  { named, provided }: { named: readonly string[]; provided: readonly string[] },
): string[] {
  const code = [others, ...sources.map((source) => source.code)].join('\n');
  const imported = sources.flatMap(importedIn).filter(({ from }) => provided.includes(from));
  const whole = new Set(imported.filter(({ name }) => name === ALL).map(({ from }) => from));
  const words = new Set(code.match(/--[\w-]+|\w+(\.[\w-]+)+|(?<=['"`])[A-Z]+ \/[^'"`]*/g));
  const identifiers = new Set(code.match(/[\w$]+/g));
  const isUsed = (name: string): boolean => {
    const [section = '', word = ''] = name.split(' · ');
    return (
      section === PACKAGES ||
      (NAMED.includes(section) && words.has(word)) ||
      (whole.has(section) && identifiers.has(word))
    );
  };
  return [
    ...new Set([
      ...imported.filter(({ name }) => name !== ALL).map(({ from, name }) => `${from} · ${name}`),
      ...named.filter(isUsed),
    ]),
  ].sort();
}
