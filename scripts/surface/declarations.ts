/** Exports of the entry points of `@pool/shared`, and every own type that they mention. */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { filesBelow, readJson, ROOT } from '../build/files';
import { CALLS, HIDDEN, MENTIONED } from './compare';

const API = '@pool/shared/api/contract';

/** `entries`: by `@pool/shared/ui/core` its declaration file. `files`: texts of all they import. Paths below `shared/`. */
export type Declared = { entries: Record<string, string>; files: Record<string, string> };

/** Source files by entry point, those of `./ui/*` too. Stylesheets are listed by their variables. */
function entryPoints(shared: string): [entry: string, file: string][] {
  const { exports } = readJson<{ exports: Record<string, string> }>(path.join(shared, 'package.json'));
  const parts = readdirSync(path.join(shared, 'src/ui'));
  return Object.entries(exports)
    .filter(([entry, target]) => !HIDDEN.includes(entry) && /\.tsx?$/.test(target))
    .flatMap((pair) =>
      pair[0].includes('*') ? parts.map((part) => pair.map((text) => text.replace('*', part))) : [pair],
    )
    .filter(([, file = '']) => existsSync(path.join(shared, file)))
    .map(([entry = '', file = '']): [string, string] => [path.posix.join('@pool/shared', entry), file])
    .sort(([a], [b]) => a.localeCompare(b));
}

export function compilerOptions(root = ROOT): ts.CompilerOptions {
  const { config } = ts.readConfigFile(path.join(root, 'tsconfig.json'), (file) => ts.sys.readFile(file));
  const { options } = ts.convertCompilerOptionsFromJson((config as { compilerOptions: object }).compilerOptions, root);
  return { ...options, incremental: false, tsBuildInfoFile: undefined, types: ['node'] };
}

/** Types of what is no script. */
export const ambientTypes = (root = ROOT): string[] =>
  filesBelow(path.join(root, 'types'))
    .filter((file) => file.endsWith('.d.ts'))
    .map((file) => path.join(root, 'types', file));

export function declared(root = ROOT): Declared {
  const shared = path.join(root, 'shared');
  const entries = entryPoints(shared);
  const program = ts.createProgram([...entries.map(([, file]) => path.join(shared, file)), ...ambientTypes(root)], {
    ...compilerOptions(root),
    // Sorted unions, so that the order does not depend on what else was checked.
    stableTypeOrdering: true,
    noEmit: false,
    // Types are checked by the lint.
    noCheck: true,
    declaration: true,
    emitDeclarationOnly: true,
    removeComments: true,
  });
  const files: Record<string, string> = {};
  program.emit(undefined, (name, text) => (files[path.relative(shared, name)] = text), undefined, true);
  const named = entries.map(([entry, file]) => [entry, path.normalize(file).replace(/\.tsx?$/, '.d.ts')]);
  return { entries: Object.fromEntries(named) as Record<string, string>, files };
}

/** A program of files that are on no disk, and of packages found from where they would be. `files`: by path. */
export function programOf(
  files: ReadonlyMap<string, string>,
  options: ts.CompilerOptions,
  more: readonly string[] = [],
): ts.Program {
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile } = ts.sys;
  host.readFile = (file) => files.get(file) ?? readFile(file);
  host.fileExists = (file) => files.has(file) || fileExists(file);
  host.directoryExists = undefined;
  return ts.createProgram([...files.keys(), ...more], options, host);
}

/** One line per export, by entry point; at the end the types they mention that no entry point exports. */
export function declarations({ entries, files: texts }: Declared): Map<string, string[]> {
  // No other package is found from the root: their declarations are not listed.
  const files = new Map(Object.entries(texts).map(([file, text]) => [path.join('/', file), text]));
  const { Bundler: moduleResolution } = ts.ModuleResolutionKind;
  const program = programOf(files, { noLib: true, noEmit: true, types: [], moduleResolution });
  const checker = program.getTypeChecker();
  const printer = ts.createPrinter({ removeComments: true });
  const print = (node: ts.Node): string =>
    inOneLine(printer.printNode(ts.EmitHint.Unspecified, node, node.getSourceFile()));

  const mentioned = new Map<ts.Node, string>();
  const exported = new Set<ts.Node>();
  const aimOf = (symbol: ts.Symbol): ts.Symbol =>
    symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  /** The statement that declares it; of a variable only that variable. */
  const statementsOf = (symbol: ts.Symbol): ts.Node[] =>
    (aimOf(symbol).declarations ?? []).filter((node) => !ts.isSourceFile(node) && node.parent !== undefined);
  const walk = (node: ts.Node): void => {
    const name = ts.isIdentifier(node) ? checker.getSymbolAtLocation(node) : undefined;
    const statements = name ? statementsOf(name).filter((each) => isTopLevel(each) && !mentioned.has(each)) : [];
    for (const each of statements) {
      mentioned.set(each, print(each));
      walk(each);
    }
    ts.forEachChild(node, walk);
  };

  const callsIn = (statements: readonly ts.Node[]): [string, string][] =>
    statements.flatMap((each) =>
      ts.isVariableDeclaration(each) && each.type && ts.isTypeLiteralNode(each.type)
        ? each.type.members.flatMap((member): [string, string][] =>
            ts.isPropertySignature(member) && ts.isStringLiteral(member.name) && member.type
              ? [[member.name.text, print(member.type).replace(/readonly summary: "(?:[^"\\]|\\.)*"; /, '')]]
              : [],
          )
        : [],
    );

  const report = new Map<string, string[]>();
  const calls: string[] = [];
  for (const [entry, source] of Object.entries(entries)) {
    const file = program.getSourceFile(path.join('/', source));
    const module = file && checker.getSymbolAtLocation(file);
    const foreign = (file?.statements ?? []).flatMap((each) => {
      const from = ts.isExportDeclaration(each) && !each.exportClause && each.moduleSpecifier;
      return from && ts.isStringLiteral(from) && !from.text.startsWith('.') ? [`*: of ${from.text}`] : [];
    });
    const lines = (module ? checker.getExportsOfModule(module) : []).map((symbol) => {
      // Values of a package whose types are passed on (antd): its version says what they are.
      if (foreign[0]) return foreign[0].replace('*', symbol.name);
      const statements = statementsOf(symbol);
      statements.forEach(walk);
      if (statements.length === 0) return `${symbol.name}: of ${packageOf(symbol)}`;
      const listed = entry === API && symbol.name === 'contract' ? callsIn(statements) : [];
      if (listed.length > 0) {
        calls.push(...listed.map((call) => nameFirst(...call)));
        return `contract: see ${CALLS}`;
      }
      return nameFirst(symbol.name, statements.map(print).join(' & '));
    });
    for (const symbol of module ? checker.getExportsOfModule(module) : [])
      statementsOf(symbol).forEach((each) => exported.add(each));
    report.set(entry, [...lines, ...foreign].sort());
  }
  const others = [...mentioned].filter(([node]) => !exported.has(node)).map(([, text]) => text);
  report.set(CALLS, calls.sort());
  report.set(MENTIONED, [...new Set(others)].sort());
  return report;
}

const inOneLine = (text: string): string =>
  text
    .replace(/^export (default )?/, '')
    .replace(/^declare /, '')
    .replace(/\s+/g, ' ');

/** `name: ...`, the key by which reports are compared (compare.ts). */
const nameFirst = (name: string, text: string): string => (text.startsWith(`${name}: `) ? text : `${name}: ${text}`);

const isTopLevel = (node: ts.Node): boolean => {
  const statement = ts.isVariableDeclaration(node) ? node.parent.parent : node;
  return (
    ts.isSourceFile(statement.parent) &&
    (ts.isTypeAliasDeclaration(node) ||
      ts.isInterfaceDeclaration(node) ||
      ts.isClassDeclaration(node) ||
      ts.isVariableDeclaration(node))
  );
};

function packageOf(symbol: ts.Symbol): string {
  for (const node of symbol.declarations ?? []) {
    const from = ts.findAncestor(node, (each) => ts.isExportDeclaration(each) || ts.isImportDeclaration(each));
    const name = from && (from as ts.ExportDeclaration | ts.ImportDeclaration).moduleSpecifier;
    if (name && ts.isStringLiteral(name)) return name.text;
  }
  return 'another package';
}
