/** Checks the texts of all languages with each other, with the code and with the glossary: one line per fault. */
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { filesBelow, readJson, ROOT, SHARED } from './build/files';
import { unitsNamed } from './build/names';
import { LANGUAGES, type Language } from '../shared/src/i18n/languages';
import { pathToFileURL } from 'node:url';
import { runCommand } from './command-line.mjs';

export type Texts = Record<string, string>;
export type Unit = { name: string; texts: Record<Language, Texts> };
export type Used = {
  keys: Set<string>;
  /** Beginnings of keys that code completes: `ui.state.${state}`. */ prefixes: Set<string>;
};

/** Not of error codes, which are words of the API: `balance_not_zero`. */
const PLURAL = /(?<!^ui\.error\..*)_(zero|one|two|few|many|other)$/;
const baseOf = (key: string) => key.replace(PLURAL, '');
const valuesOf = (text: string) =>
  [...text.matchAll(/\{\{\s*([\w.]+)[^}]*\}\}|<\/?(\w+)>/g)]
    .map((m) => m[1] ?? m[2] ?? '')
    .filter((name) => name !== 'count');
const sorted = (items: Iterable<string>) => [...new Set(items)].sort();
const formsOf = (language: Language) => new Intl.PluralRules(language).resolvedOptions().pluralCategories;

/** Faults inside one unit's files: missing keys, missing plural forms, differing values. */
export function compareLanguages({ name, texts }: Unit): string[] {
  const faults: string[] = [];
  const bases = sorted(LANGUAGES.flatMap((language) => Object.keys(texts[language]).map(baseOf)));
  const plural = new Set(
    LANGUAGES.flatMap((language) =>
      Object.keys(texts[language])
        .filter((key) => PLURAL.test(key))
        .map(baseOf),
    ),
  );
  for (const base of bases) {
    const forms = (language: Language) =>
      plural.has(base) ? formsOf(language).map((form) => `${base}_${form}`) : [base];
    for (const language of LANGUAGES) {
      for (const key of forms(language))
        if (!texts[language][key]?.trim()) faults.push(`${name} ${language}: '${key}' is missing`);
    }
    const reference = sorted(forms('en').flatMap((key) => valuesOf(texts.en[key] ?? '')));
    for (const language of LANGUAGES.slice(1)) {
      const values = sorted(forms(language).flatMap((key) => valuesOf(texts[language][key] ?? '')));
      if (values.join() !== reference.join())
        faults.push(
          `${name} ${language}: '${base}' has the values [${values.join(', ')}], English has [${reference.join(', ')}]`,
        );
    }
  }
  return faults;
}

/** Words that the table of docs/glossary.md refuses: language, regular expression, what to write instead. */
export const refusedWords = (glossary: string): { language: string; word: RegExp; instead: string }[] =>
  [...glossary.matchAll(/^\| (\w\w) +\| `(.+?)` +\| (.+?) +\|$/gm)].map(
    ([, language = '', word = '', instead = '']) => ({
      language,
      word: new RegExp(word),
      instead,
    }),
  );

/** Texts that have a refused word; the names of values are no words. */
export const wrongWords = (refused: ReturnType<typeof refusedWords>, { name, texts }: Unit): string[] =>
  refused.flatMap(({ language, word, instead }) =>
    Object.entries(texts[language as Language])
      .filter(([, text]) => word.test(text.replace(/\{\{.*?\}\}/g, '{{}}')))
      .map(([key, text]) => `${name} ${language}: '${key}' has '${word.exec(text)?.[0]}': write ${instead}`),
  );

/** Keys in a source: every literal that looks like one of `known`, as keys are also in tables and `remote.json`. */
export function usedIn(source: string, known: ReadonlySet<string>): Used {
  const used: Used = { keys: new Set(), prefixes: new Set() };
  for (const [, , key] of source.matchAll(/\bt\(\s*(['"])([^'"\n]+)\1/g)) if (key) used.keys.add(key);
  for (const [, key] of source.matchAll(/i18nKey=\{?["']([^"']+)["']/g)) if (key) used.keys.add(key);
  for (const [, , literal] of source.matchAll(/(['"`])([\w.-]+)\1/g))
    if (literal && known.has(literal)) used.keys.add(literal);
  for (const [, prefix] of source.matchAll(/`([a-zA-Z][\w-]*\.[\w.-]*)\$\{/g)) if (prefix) used.prefixes.add(prefix);
  return used;
}

/** Keys without a text, and unused texts. `own`: of the units that are checked; any unit may use a text. */
export function compareWithCode(
  texts: Texts,
  used: Used,
  own: { texts: Texts; keys: ReadonlySet<string> } = { texts, keys: used.keys },
): string[] {
  const bases = new Set(Object.keys(texts).map(baseOf));
  const reached = (base: string) => used.keys.has(base) || [...used.prefixes].some((prefix) => base.startsWith(prefix));
  return [
    ...sorted(own.keys)
      .filter((key) => !bases.has(key))
      .map((key) => `code asks for '${key}', which no text has`),
    ...sorted(Object.keys(own.texts).map(baseOf))
      .filter((base) => !reached(base))
      .map((base) => `'${base}' is not used`),
  ];
}

/** `en.json`, and the namespaces that pages load later: `account.en.json`. */
const filesOfLanguage = (names: readonly string[], language: string): string[] =>
  names.filter((name) => name === `${language}.json` || name.endsWith(`.${language}.json`));

const sourcesIn = (folder: string): string[] =>
  filesBelow(folder)
    .filter((name) => /(?<!\.test)\.tsx?$/.test(name))
    .map((name) => path.join(folder, name));

function main(words: readonly string[]): void {
  // A repository of remotes has shared as a package.
  const folderOf = (name: string): string => (name === 'shared' ? SHARED : path.join(ROOT, name));
  const names = [...new Set([...readdirSync(ROOT), 'shared'])]
    .filter((name) => name !== 'dist' && existsSync(path.join(folderOf(name), 'locales', 'en.json')))
    .sort();
  const wanted = unitsNamed(words, names);
  const read = (name: string, language: Language): Texts => {
    const folder = path.join(folderOf(name), 'locales');
    return Object.assign(
      {},
      ...filesOfLanguage(readdirSync(folder), language).map((file) => readJson<Texts>(path.join(folder, file))),
    ) as Texts;
  };
  const units = names.map((name): Unit => ({
    name,
    texts: Object.fromEntries(LANGUAGES.map((language) => [language, read(name, language)])) as Record<Language, Texts>,
  }));
  const glossary = path.join(ROOT, 'docs/glossary.md');
  const refused = existsSync(glossary) ? refusedWords(readFileSync(glossary, 'utf8')) : [];
  const served = [path.join(ROOT, 'api/src/messages/texts')].filter(existsSync).map((folder): Unit => ({
    name: path.relative(ROOT, folder),
    texts: Object.fromEntries(
      LANGUAGES.map((language) => [language, readJson<Texts>(path.join(folder, `${language}.json`))]),
    ) as Record<Language, Texts>,
  }));
  const checked = units.filter(({ name }) => wanted.includes(name));
  const englishOf = (of: readonly Unit[]): Texts => Object.assign({}, ...of.map((unit) => unit.texts.en)) as Texts;
  const english = englishOf(units);
  const known = new Set(Object.keys(english).map(baseOf));
  // The server uses texts too: notification kinds, error codes.
  const used: Used = { keys: new Set(), prefixes: new Set() };
  const ownKeys = new Set<string>();
  for (const name of [...names, 'api']) {
    const folder = folderOf(name);
    for (const file of [...sourcesIn(path.join(folder, 'src')), path.join(folder, 'remote.json')].filter(existsSync)) {
      const found = usedIn(readFileSync(file, 'utf8'), known);
      for (const keys of [used.keys, ...(wanted.includes(name) || words.length === 0 ? [ownKeys] : [])])
        found.keys.forEach((key) => keys.add(key));
      found.prefixes.forEach((prefix) => used.prefixes.add(prefix));
    }
  }
  // Where shared is a package the shell uses the rest.
  if (!existsSync(path.join(ROOT, 'shared')))
    Object.keys(read('shared', 'en')).forEach((key) => used.keys.add(baseOf(key)));
  const faults = [
    ...[...checked, ...served].flatMap(compareLanguages),
    ...[...checked, ...served].flatMap((unit) => wrongWords(refused, unit)),
    ...compareWithCode(english, used, { texts: englishOf(checked), keys: ownKeys }),
  ];
  faults.forEach((fault) => console.log(fault));
  console.log(
    faults.length
      ? `${faults.length} faults`
      : `${Object.keys(english).length} texts in ${LANGUAGES.length} languages: no fault`,
  );
  process.exitCode = faults.length ? 1 : 0;
}

// Packages may be installed as links.
if (import.meta.url === pathToFileURL(realpathSync(process.argv[1] ?? '.')).href)
  void runCommand(
    { name: 'i18n:check', takes: '[units...]', what: 'Checks the texts of all languages, one line per fault.' },
    ({ positionals }) => main(positionals),
  );
