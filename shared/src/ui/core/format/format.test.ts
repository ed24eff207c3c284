import fc from 'fast-check';
import { csvForm, toCsv } from '../csv';
import {
  formatBitcoin,
  formatChange,
  formatCount,
  formatDecimal,
  formatDifficulty,
  formatHashrate,
  formatPercent,
  formatPrice,
  formatUsd,
} from './numbers';
import { formatAgo, formatClock, formatDay, formatDays, formatDuration, formatMoment, formatMonth } from './time';

const at = Date.UTC(2025, 10, 21, 14, 32) / 1000;
test('a small difficulty is not zero', () => {
  expect([0.000_24, 0.52, 12.345, 65_536].map((value) => formatDifficulty('en', value))).toEqual([
    '0.00024',
    '0.52',
    '12.3',
    '65,536',
  ]);
});

const LANGUAGES = ['en', 'ru', 'fr', 'ar'] as const;
const spaces = (text: string) => text.replace(/[\u00a0\u2009\u202f]/g, ' ');
const hashrate = (language: string, hs: number) => Object.values(formatHashrate(language, hs)).join(' ');

test.each<[string, (language: string) => string, en: string, ru: string, fr: string, ar: string]>([
  ['a count', (l) => formatCount(l, 184_206), '184,206', '184 206', '184 206', '184,206'],
  ['a hashrate', (l) => hashrate(l, 21.4267e15), '21.43 PH/s', '21,43 PH/s', '21,43 PH/s', '21.43 PH/s'],
  ['kH/s with a small k', (l) => hashrate(l, 68_000), '68.00 kH/s', '68,00 kH/s', '68,00 kH/s', '68.00 kH/s'],
  ['no negative zero', (l) => formatDecimal(l, -0.04, 1), '0.0', '0,0', '0,0', '0.0'],
  ['a rate', (l) => formatPercent(l, 0.0059), '0.59 %', '0,59 %', '0,59 %', '0.59 %'],
  ['a part, cut', (l) => formatPercent(l, 0.998, 0), '99 %', '99 %', '99 %', '99 %'],
  ['a part without float error', (l) => formatPercent(l, 0.29, 0), '29 %', '29 %', '29 %', '29 %'],
  ['a loss', (l) => formatChange(l, -0.046), '−5 %', '−5 %', '−5 %', '−5 %'],
  ['midnight', (l) => formatClock(l, 'utc', Date.UTC(2025, 0, 1) / 1000), '00:00', '00:00', '00:00', '00:00'],
  ['a gain', (l) => formatChange(l, 0.29), '+29 %', '+29 %', '+29 %', '+29 %'],
  ['a loss too small to see', (l) => formatChange(l, -0.000_04, 2), '0.00 %', '0,00 %', '0,00 %', '0.00 %'],
  ['exact bitcoin', (l) => formatBitcoin(l, 288_000), '0.00288000', '0,00288000', '0,00288000', '0.00288000'],
  ['a headline, cut', (l) => formatBitcoin(l, 290_999, 'headline'), '0.00290', '0,00290', '0,00290', '0.00290'],
  [
    'a small headline',
    (l) => formatBitcoin(l, 999, 'headline'),
    '0.00000999',
    '0,00000999',
    '0,00000999',
    '0.00000999',
  ],
  ['a headline of zero', (l) => formatBitcoin(l, 0, 'headline'), '0', '0', '0', '0'],
  ['what was set', (l) => formatBitcoin(l, 5_000_000, 'set'), '0.05', '0,05', '0,05', '0.05'],
  ['a price of work', (l) => formatPrice(l, 0.000462149), '0.0004621', '0,0004621', '0,0004621', '0.0004621'],
  ['dollars', (l) => formatUsd(l, 97_240), '$97,240', '97 240 $', '97 240 $', '97,240 US$'],
  ['dollars with cents', (l) => formatUsd(l, 15.111), '$15.11', '15,11 $', '15,11 $', '15.11 US$'],
  ['a debt', (l) => formatUsd(l, -994.2), '−$994', '−994 $', '−994 $', '−994 US$'],
  [
    'a moment',
    (l) => formatMoment(l, 'utc', at),
    '21 Nov 2025, 14:32 UTC',
    '21 нояб. 2025 г., 14:32 UTC',
    '21 nov. 2025, 14:32 UTC',
    '21 نوفمبر 2025، 14:32 UTC',
  ],
  [
    'two days',
    (l) => formatDays(l, '2025-11-01', '2025-11-20'),
    '1 – 20 Nov 2025',
    '1–20 нояб. 2025 г.',
    '1–20 nov. 2025',
    '1–20 نوفمبر 2025',
  ],
])('%s in each language', (_what, write, ...expected) =>
  expect(LANGUAGES.map((language) => spaces(write(language)))).toEqual(expected),
);

describe('days of another year have their year', () => {
  beforeEach(() => jest.useFakeTimers({ now: Date.UTC(2026, 0, 1, 12) }));
  afterEach(() => jest.useRealTimers());
  test('days and months, in each language', () => {
    expect(LANGUAGES.map((language) => spaces(formatDay(language, 'utc', '2025-06-17')))).toEqual([
      '17 Jun 2025',
      '17 июн. 2025 г.',
      '17 juin 2025',
      '17 يونيو 2025',
    ]);
    expect(formatDay('en', 'utc', '2026-06-17')).toBe('17 Jun');
    expect(formatDay('en', 'utc', '2026-06-17', true)).toBe('17 Jun 2026');
    expect([formatMonth('en', 'utc', '2025-12-01'), formatMonth('en', 'utc', '2026-01-01')]).toEqual([
      'Dec 2025',
      'Jan',
    ]);
  });
});

test.each([
  [0, '0 s'],
  [34, '34 s'],
  [119, '1 min'],
  [3600, '1 h'],
  [460_800, '5 d'],
])('%d seconds are %s', (seconds, text) => expect(formatDuration('en', seconds)).toBe(text.replaceAll(' ', '\u00a0')));

test('shows two units on request, without a unit of zero', () => {
  expect(formatDuration('en', 460_800, 2)).toBe('5\u00a0d 8\u00a0h');
  expect(formatDuration('en', 86_400, 2)).toBe('1\u00a0d');
});

test('ages in each language', () => {
  expect(['en', 'ru', 'fr', 'ar'].map((language) => formatAgo(language, at, at + 4).replaceAll('\u00a0', ' '))).toEqual(
    ['4 s ago', '4 с назад', 'il y a 4 s', 'قبل 4 ث'],
  );
  expect(formatAgo('en', at, at - 5)).toBe('0\u00a0s ago');
});

describe('CSV', () => {
  test('escapes formulas; numbers stay numbers', () => {
    expect(
      toCsv(
        ['name', 'value'],
        [
          ['=HYPERLINK("x")', -0.5],
          ['+1', 2],
          ['-cmd', 3],
          ['@x', 4],
          ['\tx', 5],
          ['\r=1', 6],
          [' =1', 7],
        ],
      ),
    ).toBe(
      'name,value\r\n"\'=HYPERLINK(""x"")",-0.5\r\n\'+1,2\r\n\'-cmd,3\r\n\'@x,4\r\n"\'\tx",5\r\n"\'\r\'=1",6\r\n\' =1,7\r\n',
    );
  });
  // OWASP, CSV injection: the signs, tab and carriage return; behind each separator, and what hides them.
  test.each(['=', '+', '-', '@', '＝', '＋', '－', '＠'])(
    '%s begins no cell, however a program divides the line',
    (sign) => {
      const hidden = ['', '"', "'", ' ', '\t', '\u200b', '\ufeff', '" "', '“'];
      const before = ['', 'a;', 'a,', 'a\t', 'a\n', 'a\r\n', 'a|', 'a"'];
      for (const hide of hidden)
        for (const start of before) {
          const line = toCsv(['name'], [[`${start}${hide}${sign}cmd|' /C calc'!A0`]])
            .split('\r\n')
            .slice(1)
            .join('\n');
          const cells = line.split(/[,;|\t\r\n]/).map((cell) => cell.replace(/^[\s\p{Cf}"“]+/u, ''));
          expect(cells.filter((cell) => cell.startsWith(sign))).toEqual([]);
        }
    },
  );
  test.each([
    ['ru', 'rig;"x;y";1,5;0,24876857;0,00000049\r\n'],
    ['fr', 'rig;"x;y";1,5;0,24876857;0,00000049\r\n'],
    ['en', 'rig,"x;y",1.5,0.24876857,0.00000049\r\n'],
    ['ar', 'rig,"x;y",1.5,0.24876857,0.00000049\r\n'],
  ])('opens as columns in a spreadsheet in %s', (language, text) => {
    expect(toCsv([], [['rig', 'x;y', 1.5, '0.24876857', 4.9e-7]], csvForm(language))).toBe(`\r\n${text}`);
  });
  test('a number of any size is written without an exponent', () => {
    const number = fc.double({ min: -1e300, max: 1e300, noNaN: true }).filter((n) => Math.abs(n) > 1e-15 || n === 0);
    fc.assert(
      fc.property(number, (n) => {
        const text = toCsv([], [[n]]).trim();
        expect(text).toMatch(/^-?\d+(\.\d+)?$/);
        expect(Math.abs(Number(text) - n)).toBeLessThanOrEqual(1e-20);
      }),
    );
  });
  test('times are ISO 8601 in UTC, unknown values are empty, commas are quoted', () => {
    expect(toCsv(['a', 'b', 'c'], [[new Date(0), null, 'x,y']])).toBe('a,b,c\r\n1970-01-01T00:00:00.000Z,,"x,y"\r\n');
  });
});
