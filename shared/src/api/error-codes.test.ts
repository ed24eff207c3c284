import { readFileSync } from 'node:fs';
import path from 'node:path';
import { LANGUAGES } from '../i18n/languages';
import { ERROR_CODES } from './contract';

/** Texts in shared's own files, which every page can load wherever the error is met. */
const textsOf = (language: string): Record<string, string> =>
  Object.assign(
    {},
    ...[language, `errors.${language}`].map(
      (name) => JSON.parse(readFileSync(path.join(__dirname, `../../locales/${name}.json`), 'utf8')) as object,
    ),
  ) as Record<string, string>;
const english = textsOf('en');

test.each(LANGUAGES)('every code that the API answers with has a text of its own in %s', (language) => {
  const texts = textsOf(language);
  const lacks = (key: string) => !texts[key] || (language !== 'en' && texts[key] === english[key]);
  expect(ERROR_CODES.filter((code) => lacks(`ui.error.${code}`))).toEqual([]);
});
