import { LANGUAGES, type Language } from '@pool/shared/i18n/languages';
import { FOLDER as MAIL } from '../mail/mail';
import { languageOf, NOTE_TEXTS as TELEGRAM, textsIn } from './texts';

const PLURAL = /_(zero|one|two|few|many|other)$/;
const bases = (texts: Record<string, string>): string[] =>
  [...new Set(Object.keys(texts).map((key) => key.replace(PLURAL, '')))].sort();
const values = (text = ''): string[] => [...text.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1] ?? '').sort();

it.each([TELEGRAM, MAIL].flatMap((folder) => LANGUAGES.map((language): [string, Language] => [folder, language])))(
  '%s, %s: every text with its values, and every plural form',
  (folder, language) => {
    const english = textsIn(folder, 'en');
    const all = textsIn(folder, language);
    expect(bases(all)).toEqual(bases(english));
    const plural = new Set(bases(english).filter((base) => !(base in english)));
    for (const base of plural)
      for (const form of new Intl.PluralRules(language).resolvedOptions().pluralCategories)
        expect([`${base}_${form}`, all[`${base}_${form}`]]).toEqual([`${base}_${form}`, expect.stringMatching(/\S/)]);
    for (const base of bases(english))
      if (!plural.has(base)) expect([base, values(all[base])]).toEqual([base, values(english[base])]);
  },
);

it.each([
  ['pt-BR', 'en'],
  ['fr-CA,fr;q=0.9', 'fr'],
  ['RU', 'ru'],
  [undefined, 'en'],
])('the language of %s is %s', (code, language) => {
  expect(languageOf(code)).toBe(language);
});
