import { toCsv } from '../csv';
import { formatCount, formatPercent, formatUsd } from './numbers';
import { formatAgo, formatClock, formatDay, formatDuration, formatMoment, zoneName } from './time';

const at = Date.UTC(2025, 10, 21, 14, 32) / 1000;
const ARABIC_DIGITS = /[\u0660-\u0669\u06f0-\u06f9]/;

test('Western digits in every language', () => {
  for (const language of ['en', 'ru', 'fr', 'ar']) {
    const texts = [
      formatCount(language, 184_206),
      formatUsd(language, 3318),
      formatClock(language, 'utc', at),
      formatDay(language, 'utc', at, true),
      formatDuration(language, 90),
    ];
    expect(texts.join(' ')).not.toMatch(ARABIC_DIGITS);
  }
});

test('counts, dollars and percents', () => {
  expect(formatCount('en', 184_206)).toBe('184,206');
  expect(formatCount('ru', 184_206)).toMatch(/^184\s206$/);
  expect([formatUsd('en', 97_240), formatUsd('en', 3.5), formatUsd('en', -994.2)]).toEqual([
    '$97,240',
    '$3.50',
    '-$994',
  ]);
  expect(formatPercent(0.0059)).toBe('0.59\u00a0%');
});

test('times are marked as UTC, with 24 hours', () => {
  expect(formatMoment('en', 'utc', at)).toBe('21 Nov 2025, 14:32 UTC');
  expect(formatClock('en', 'utc', Date.UTC(2025, 0, 1) / 1000)).toBe('00:00');
  expect(formatDay('ru', 'utc', '2025-11-21T23:59:59Z')).toMatch(/^21 нояб/);
  expect(zoneName('en', 'utc', at)).toBe('UTC');
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
      'name,value\r\n"\'=HYPERLINK(""x"")",-0.5\r\n\'+1,2\r\n\'-cmd,3\r\n\'@x,4\r\n\'\tx,5\r\n"\'\r=1",6\r\n\' =1,7\r\n',
    );
  });
  test('times are ISO 8601 in UTC, unknown values are empty, commas are quoted', () => {
    expect(toCsv(['a', 'b', 'c'], [[new Date(0), null, 'x,y']])).toBe('a,b,c\r\n1970-01-01T00:00:00.000Z,,"x,y"\r\n');
  });
});
