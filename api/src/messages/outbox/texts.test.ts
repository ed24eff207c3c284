import { languageOf } from './texts';

it.each([
  ['pt-BR', 'en'],
  ['fr-CA,fr;q=0.9', 'fr'],
  ['RU', 'ru'],
  [undefined, 'en'],
])('the language of %s is %s', (code, language) => {
  expect(languageOf(code)).toBe(language);
});
