import { partsOf } from './look-alike';

const marked = (text: string): string =>
  partsOf(text)
    .map(({ text: part, odd }) => (odd ? `<${part}>` : part))
    .join('');

it.each([
  ['good', 'good'],
  ['g\u043E\u043Ed', 'g<\u043E\u043E>d'],
  ['\u0441\u043E\u0440\u0435', '<\u0441\u043E\u0440\u0435>'],
  ['Ферма good', 'Ферма good'],
  ['Ферма 2, зал-Б', 'Ферма 2, зал-Б'],
  ['مزرعة pool', 'مزرعة pool'],
  ['p\u03BFol.example', 'p<\u03BF>ol.example'],
  ['po\u200Bol', 'po<[U+200B]>ol'],
  ['\u202Elooc', '<[U+202E]>looc'],
  ['ｐool', '<ｐ>ool'],
  ['café', 'café'],
])('%j is marked as %j', (text, shown) => {
  expect(marked(text)).toBe(shown);
});
