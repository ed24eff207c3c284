/**
 * The imports between the server's folders. `node --import tsx scripts/architecture.ts` writes them into
 * docs/architecture.md.
 */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { filesBelow, ROOT } from './build/files';

const API = path.join(ROOT, 'api/src');
export const PAGE = path.join(ROOT, 'docs/architecture.md');
export const ROW = /^\| `([^`]+)` \| ([^|]+) \| ([^|]*) \|$/gm;

export const sources = filesBelow(API)
  .filter((file) => file.endsWith('.ts'))
  .map((file) => path.join(API, file));
export const isTest = (file: string): boolean => file.endsWith('.test.ts') || file.includes('/testing/');
export const production = sources.filter((file) => !isTest(file));
const known = new Set(sources);

/** Files of api/src that `file` imports, types included. */
export const importsOf = (file: string): string[] =>
  ts.preProcessFile(readFileSync(file, 'utf8'), true, true).importedFiles.flatMap(({ fileName }) => {
    const base = path.resolve(path.dirname(file), fileName);
    return [`${base}.ts`, path.join(base, 'index.ts')].filter((candidate) => known.has(candidate));
  });
/** The folder below api/src; a file directly in api/src is its own unit. */
const unitOf = (file: string): string => {
  const relative = path.relative(API, file);
  return relative.includes('/') ? path.dirname(relative) : path.basename(relative, '.ts');
};

const imports = new Map(production.map((file) => [file, importsOf(file)]));
/** A file that imports nothing of api/src (types, pure functions) cannot be part of a cycle. */
const isLeaf = (file: string): boolean => imports.get(file)?.length === 0;
export const graph = new Map<string, Set<string>>();
for (const [file, targets] of imports) {
  const edges = graph.get(unitOf(file)) ?? new Set();
  graph.set(unitOf(file), edges);
  for (const target of targets) {
    if (unitOf(target) !== unitOf(file) && !isLeaf(target)) edges.add(unitOf(target));
  }
}

/** Folders of the server, with the folders each imports. */
export const folders = new Map(
  [...graph.keys()]
    .filter((unit) => statSync(path.join(API, unit), { throwIfNoEntry: false }))
    .sort()
    .map((unit, _, all) => [
      unit,
      [...(graph.get(unit) ?? [])]
        .filter((other) => all.includes(other))
        .sort()
        .join(', ') || 'none',
    ]),
);

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const page = readFileSync(PAGE, 'utf8');
  writeFileSync(
    PAGE,
    page.replace(
      ROW,
      (_, folder: string, what: string) => `| \`${folder}\` | ${what} | ${folders.get(folder) ?? ''} |`,
    ),
  );
}
