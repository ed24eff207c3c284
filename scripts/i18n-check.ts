/** Checks the texts of all languages with each other, with the code and with the glossary: one line per fault. */
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { filesBelow, readJson, ROOT, SCRIPT, SHARED } from './build/files';
import { unitsNamed } from './build/names';
import { LANGUAGES, type Language } from '../shared/src/i18n/languages';
import { pathToFileURL } from 'node:url';
import { runCommand } from './command-line.mjs';

export type Texts = Record<string, string>;
export type Unit = { name: string; texts: Record<Language, Texts> };
/** `patterns`: regular expressions of the keys that code puts together: `ui.state.${state}`. */
export type Used = { keys: Set<string>; patterns: Set<string> };

/** Not of error codes, which are words of the API: `balance_not_zero`. */
const PLURAL = /(?<!^ui\.error\..*)_(zero|one|two|few|many|other)$/;
const baseOf = (key: string) => key.replace(PLURAL, '');
const valuesOf = (text: string) =>
  [...text.matchAll(/\{\{\s*([\w.]+)[^}]*\}\}|<\/?(\w+)>/g)]
    .map((m) => m[1] ?? m[2] ?? '')
    .filter((name) => name !== 'count');
const sorted = (items: Iterable<string>) => [...new Set(items)].sort();
const formsOf = (language: Language) => new Intl.PluralRules(language).resolvedOptions().pluralCategories;

export function compareLanguages({ name, texts }: Unit): string[] {
  const faults: string[] = [];
  const keys = LANGUAGES.flatMap((language) => Object.keys(texts[language]));
  const plural = new Set(keys.filter((key) => PLURAL.test(key)).map(baseOf));
  for (const base of sorted(keys.map(baseOf))) {
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
    ([, language = '', word = '', instead = '']) => ({ language, word: new RegExp(word), instead }),
  );

/** Texts that have a refused word; the names of values are no words. */
export const wrongWords = (refused: ReturnType<typeof refusedWords>, { name, texts }: Unit): string[] =>
  refused.flatMap(({ language, word, instead }) =>
    Object.entries(texts[language as Language])
      .filter(([, text]) => word.test(text.replace(/\{\{.*?\}\}/g, '{{}}')))
      .map(([key, text]) => `${name} ${language}: '${key}' has '${word.exec(text)?.[0]}': write ${instead}`),
  );

/** Right after the namespace a value is one word, else every text of the namespace would count as used. */
const patternOf = (template: string): string =>
  template
    .replaceAll('.', '\\.')
    .replace(/^([\w-]+\\\.)\$\{[^{}]*\}/, '$1[\\w-]+')
    .replace(/\$\{[^{}]*\}/g, '[\\w.-]+');

/** Keys in a source: every literal that looks like one of `known`, as keys are also in tables and `remote.json`. */
export function usedIn(source: string, known: ReadonlySet<string>): Used {
  const used: Used = { keys: new Set(), patterns: new Set() };
  for (const [, , key] of source.matchAll(/\bt\(\s*(['"])([^'"\n]+)\1/g)) if (key) used.keys.add(key);
  for (const [, key] of source.matchAll(/(?:i18nKey=\{?|"label": )["']([^"']+)["']/g)) if (key) used.keys.add(key);
  for (const [, , literal] of source.matchAll(/(['"`])([\w.-]+)\1/g))
    if (literal && known.has(literal)) used.keys.add(literal);
  for (const [, template] of source.matchAll(/`([a-zA-Z][\w-]*\.(?:[\w.-]|\$\{[^{}`]*\})*)`/g))
    if (template?.includes('$')) used.patterns.add(patternOf(template));
  return used;
}

/** Keys without a text, and unused texts. `own`: of the units that are checked; any unit may use a text. */
export function compareWithCode(
  texts: Texts,
  used: Used,
  own: { texts: Texts; keys: ReadonlySet<string> } = { texts, keys: used.keys },
): string[] {
  const bases = new Set(Object.keys(texts).map(baseOf));
  const pattern = new RegExp(`^(${[...used.patterns].join('|')})$`);
  const reached = (base: string) => used.keys.has(base) || pattern.test(base);
  return [
    ...sorted(own.keys)
      .filter((key) => !bases.has(key))
      .map((key) => `code asks for '${key}', which no text has`),
    ...sorted(Object.keys(own.texts).map(baseOf))
      .filter((base) => !reached(base))
      .map((base) => `'${base}' is not used`),
  ];
}

/** Texts of a folder by language: those of `en.json`, and of namespaces that pages load later (`account.en.json`). */
function textsIn(folder: string): Record<Language, Texts> {
  const read = (language: Language): Texts =>
    Object.assign(
      {},
      ...readdirSync(folder)
        .filter((name) => name === `${language}.json` || name.endsWith(`.${language}.json`))
        .map((name) => readJson<Texts>(path.join(folder, name))),
    ) as Texts;
  return Object.fromEntries(LANGUAGES.map((language) => [language, read(language)])) as Record<Language, Texts>;
}

const sourcesIn = (folder: string): string[] =>
  [...filesBelow(path.join(folder, 'src')).map((name) => path.join('src', name)), 'remote.json']
    .filter((name) => (SCRIPT.test(name) && !/\.test\.\w+$/.test(name)) || name === 'remote.json')
    .map((name) => path.join(folder, name))
    .filter((file) => existsSync(file));

function main(words: readonly string[]): void {
  // A repository of remotes has shared as a package.
  const folderOf = (name: string): string => (name === 'shared' ? SHARED : path.join(ROOT, name));
  const names = [...new Set([...readdirSync(ROOT), 'shared'])]
    .filter((name) => name !== 'dist' && existsSync(path.join(folderOf(name), 'locales/en.json')))
    .sort();
  const wanted = unitsNamed(words, names);
  const units = names.map((name): Unit => ({ name, texts: textsIn(path.join(folderOf(name), 'locales')) }));
  const served = ['api/src/messages/texts']
    .filter((name) => existsSync(folderOf(name)))
    .map((name): Unit => ({ name, texts: textsIn(folderOf(name)) }));
  const own = units.filter(({ name }) => wanted.includes(name));
  const checked = [...own, ...served];
  const englishOf = (of: readonly Unit[]): Texts => Object.assign({}, ...of.map((unit) => unit.texts.en)) as Texts;
  const english = englishOf(units);
  const known = new Set(Object.keys(english).map(baseOf));
  // The server uses texts too: notification kinds, error codes.
  const used: Used = { keys: new Set(), patterns: new Set() };
  const ownKeys = new Set<string>();
  for (const name of [...names, 'api'])
    for (const file of sourcesIn(folderOf(name))) {
      const { keys, patterns } = usedIn(readFileSync(file, 'utf8'), known);
      for (const key of keys) {
        used.keys.add(key);
        if (wanted.includes(name) || words.length === 0) ownKeys.add(key);
      }
      patterns.forEach((pattern) => used.patterns.add(pattern));
    }
  // Where shared is a package the shell uses the rest.
  if (!existsSync(path.join(ROOT, 'shared')))
    Object.keys(textsIn(path.join(SHARED, 'locales')).en).forEach((key) => used.keys.add(baseOf(key)));
  const glossary = path.join(ROOT, 'docs/glossary.md');
  const refused = existsSync(glossary) ? refusedWords(readFileSync(glossary, 'utf8')) : [];
  const faults = [
    ...checked.flatMap(compareLanguages),
    ...checked.flatMap((unit) => wrongWords(refused, unit)),
    ...compareWithCode(english, used, { texts: englishOf(own), keys: ownKeys }),
  ];
  const sum = `${Object.keys(englishOf(checked)).length} texts in ${LANGUAGES.length} languages: no fault`;
  console.log([...faults, faults.length ? `faults: ${faults.length}` : sum].join('\n'));
  process.exitCode = faults.length ? 1 : 0;
}

// Packages may be installed as links.
if (import.meta.url === pathToFileURL(realpathSync(process.argv[1] ?? '.')).href)
  void runCommand(
    { name: 'i18n:check', takes: '[units...]', what: 'Checks the texts of all languages, one line per fault.' },
    ({ positionals }) => main(positionals),
  );
