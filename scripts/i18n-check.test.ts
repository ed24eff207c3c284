import { compareLanguages, compareWithCode, refusedWords, usedIn, wrongWords, type Unit } from './i18n-check';

const unit = (over: Partial<Unit['texts']>): Unit => ({
  name: 'x',
  texts: { en: { a: 'A {{n}}' }, ru: { a: 'А {{n}}' }, fr: { a: 'A {{n}}' }, ar: { a: 'أ {{n}}' }, ...over },
});

test('four languages that agree have no fault', () => expect(compareLanguages(unit({}))).toEqual([]));
test('a missing or empty text', () => {
  expect(compareLanguages(unit({ fr: {} }))).toContain("x fr: 'a' is missing");
  expect(compareLanguages(unit({ ar: { a: ' ' } }))).toContain("x ar: 'a' is missing");
});
test('a word that the glossary refuses, in its language alone; names of values are no words', () => {
  const refused = refusedWords('| Language | Not | Instead |\n| fr | `\\bshares?\\b` | part |\n');
  const texts = { en: { a: '{{shares}} shares' }, fr: { a: '{{shares}} parts', b: 'Un share' } };
  expect(wrongWords(refused, unit(texts))).toEqual(["x fr: 'b' has 'share': write part"]);
});
test('an error code that ends like a plural form is none', () => {
  const texts = { 'ui.error.balance_not_zero': 'Money is left' };
  expect(compareLanguages({ name: 'x', texts: { en: texts, ru: texts, fr: texts, ar: texts } })).toEqual([]);
});
test('another value in one language', () =>
  expect(compareLanguages(unit({ ru: { a: 'А {{m}}' } }))).toEqual(["x ru: 'a' has the values [m], English has [n]"]));
test('a plural needs every form its language has', () => {
  const faults = compareLanguages({
    name: 'x',
    texts: {
      en: { n_one: '{{count}}', n_other: '{{count}}' },
      fr: { n_one: '1', n_many: '{{count}}', n_other: '{{count}}' },
      ru: { n_one: '1', n_few: '2', n_many: '5', n_other: '1.5' },
      ar: { n_zero: '0', n_one: '1', n_two: '2', n_few: '3', n_other: '100' },
    },
  });
  expect(faults).toEqual(["x ar: 'n_many' is missing"]);
});
test('keys in code: called, in JSX, in remote.json, named in a table, and put together', () => {
  const used = usedIn(
    "t('a.b'); <Trans i18nKey=\"c.d\" />; const label = 'e.f'; t(`ui.state.${state}`); t(`a.${b}`); import './e.g'",
    new Set(['e.f']),
  );
  expect([...used.keys].sort()).toEqual(['a.b', 'c.d', 'e.f']);
  expect([...usedIn('"label": "g.h"', new Set()).keys]).toEqual(['g.h']);
  // All texts of a namespace are never used by one call.
  expect([...used.patterns]).toEqual(['ui\\.state\\.[\\w.-]+', 'a\\.[\\w-]+']);
});
test('texts without code, and code without a text', () => {
  const used = { keys: new Set(['a', 'missing']), patterns: new Set(['s\\.[\\w-]+']) };
  expect(compareWithCode({ a: '', 's.one': '', n_one: '', n_other: '' }, used)).toEqual([
    "code asks for 'missing', which no text has",
    "'n' is not used",
  ]);
  // What another unit does not use, or asks for, is not this one's fault.
  const own = { texts: { a: '' }, keys: new Set(['a']) };
  expect(compareWithCode({ a: '', n: '' }, used, own)).toEqual([]);
});
