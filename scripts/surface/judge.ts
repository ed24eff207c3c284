/** What remotes that were written for an earlier `@pool/shared` lose with a later one, as the compiler sees it. */
import path from 'node:path';
import ts from 'typescript';
import { ROOT } from '../build/files';
import { HIDDEN } from './compare';
import { ambientTypes, compilerOptions, programOf, type Declared } from './declarations';

/** Where packages are found from. */
const below = (folder: string, file: string): string => path.join(ROOT, '.cache/surface', folder, file);

const API = '/api/contract';
/** Has the type of a client, which takes any call: calls are judged one by one. */
const CLIENT = 'src/api/client.d.ts';
/** Functions whose results are for the shell: remotes do not call them. */
const FOR_THE_SHELL = ['defineRemote'];

/** What `now` lacks or has so that code for `before` does not compile; types are judged where values use them. */
export function lostBetween(before: Declared, now: Declared): string[] {
  const files = new Map(
    Object.entries({ before, now }).flatMap(([folder, { files: texts }]) =>
      Object.entries(texts).map(([file, text]): [string, string] => [
        below(folder, file),
        folder === 'before' && file === CLIENT && now.files[file]
          ? "export * from '../../../now/src/api/client';"
          : text,
      ]),
    ),
  );
  const program = programOf(files, compilerOptions(), ambientTypes());
  const checker = program.getTypeChecker();
  const exportsOf = (folder: string, file: string | undefined): Map<string, ts.Symbol> => {
    const source = file === undefined ? undefined : program.getSourceFile(below(folder, file));
    const module = source && checker.getSymbolAtLocation(source);
    return new Map((module ? checker.getExportsOfModule(module) : []).map((symbol) => [symbol.name, symbol]));
  };
  const typeOf = (symbol: ts.Symbol): ts.Type =>
    checker.getBaseTypeOfLiteralType(
      checker.getTypeOfSymbol(symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol),
    );
  const at = (type: ts.Type, ...names: string[]): ts.Type | undefined =>
    names.reduce<ts.Type | undefined>((found, name) => {
      const property = found?.getProperty(name);
      return property && checker.getTypeOfSymbol(property);
    }, type);
  const fits = (given: ts.Type | undefined, wanted: ts.Type | undefined): boolean =>
    wanted === undefined || (given !== undefined && checker.isTypeAssignableTo(given, wanted));

  const takenBy = (type: ts.Type): ts.Type | undefined => {
    const taken = type.getCallSignatures()[0]?.parameters[0];
    return taken && checker.getTypeOfSymbol(taken);
  };
  const isKept = (name: string, was: ts.Type, is: ts.Type): boolean => {
    if (FOR_THE_SHELL.includes(name)) return fits(takenBy(was), takenBy(is));
    // A list of constants may grow: `LANGUAGES`.
    if (checker.isTupleType(was) && checker.isTupleType(is))
      return fits(was.getNumberIndexType(), is.getNumberIndexType());
    return fits(is, was);
  };
  const isCallKept = (was: ts.Type, is: ts.Type): boolean =>
    fits(at(is, 'response', '_zod', 'output'), at(was, 'response', '_zod', 'output')) &&
    ['params', 'query', 'body'].every((part) => {
      const [given, wanted] = [at(was, part, '_zod', 'input'), at(is, part, '_zod', 'input')];
      if (given) return fits(given, wanted);
      return !wanted || wanted.getProperties().every(({ flags }) => flags & ts.SymbolFlags.Optional);
    });

  return Object.entries(before.entries).flatMap(([entry, file]) => {
    if (HIDDEN.includes(`.${entry.slice('@pool/shared'.length)}`)) return [];
    const exported = exportsOf('now', now.entries[entry]);
    return [...exportsOf('before', file)].flatMap(([name, symbol]) => {
      const other = exported.get(name);
      if (!other) return [`${entry} · ${name}`];
      if (!(symbol.flags & (ts.SymbolFlags.Value | ts.SymbolFlags.Alias))) return [];
      const [was, is] = [typeOf(symbol), typeOf(other)];
      if (name !== 'contract' || !entry.endsWith(API)) return isKept(name, was, is) ? [] : [`${entry} · ${name}`];
      return was.getProperties().flatMap((call) => {
        const next = at(is, call.name);
        return next && isCallKept(checker.getTypeOfSymbol(call), next) ? [] : [`${entry} · ${call.name}`];
      });
    });
  });
}

export function errorsIn(sources: ReadonlyMap<string, string>): string[] {
  const files = new Map([...sources].map(([file, text]) => [below('sources', file), text]));
  const program = programOf(files, compilerOptions(), ambientTypes());
  return [...files.keys()].flatMap((name) => {
    const file = program.getSourceFile(name);
    if (!file) return [];
    return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)].map(
      ({ start = 0, messageText }) =>
        `${path.relative(below('sources', ''), name)}:${file.getLineAndCharacterOfPosition(start).line + 1}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    );
  });
}
