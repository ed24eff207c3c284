import fc from 'fast-check';
import {
  displayHashrate,
  formatBtc,
  formatBtcShort,
  hashrateError,
  hashrateOfWork,
  hashrateText,
  convertHashrate,
  meanOf,
  parseHashrate,
  shorten,
  splitBtc,
  workerState,
} from '.';
import { satsOf } from '../ui/form/decimal';

describe('hashrate', () => {
  test.each([
    [0, '0.00 H/s'],
    [999, '999.00 H/s'],
    [1000, '1.00 kH/s'],
    [21.43e15, '21.43 PH/s'],
    [18.42e18, '18.42 EH/s'],
    [999.999e9, '1.00 TH/s'],
    [5e24, '5000000.00 EH/s'],
  ])('%d H/s reads %s', (hs, text) => {
    const { value, unit } = displayHashrate(hs);
    expect(`${value} ${unit}`).toBe(text);
  });

  test('the text formatter keeps five decimals and can skip T', () => {
    expect(hashrateText(1.2345678e12)).toBe('1.23457 TH/s');
    expect(hashrateText(1.2345678e12, { skipT: true })).toBe('1234.5678 GH/s');
  });

  test('the converter rounds to three decimals by default', () => {
    expect(convertHashrate(1_234_567, 'M')).toBe(1.235);
    expect(convertHashrate(1_234_567, 'M', 1)).toBe(1.2);
  });

  test('parses user input', () => {
    expect(parseHashrate('21,4 PH/s')).toBe(21.4e15);
    expect(parseHashrate('100')).toBe(100);
    expect(parseHashrate('a lot')).toBeNull();
  });

  test('work becomes hashrate by 2^32 (SHA256) and 2^16 (SCRYPT) per difficulty', () => {
    expect(hashrateOfWork('SHA256_ASICBOOST', 600, 600)).toBe(2 ** 32);
    expect(hashrateOfWork('SCRYPT', 600, 600)).toBe(2 ** 16);
  });

  test('the statistical error of n shares is 1/sqrt(n), unknown without shares', () => {
    expect(hashrateError(10_000)).toBeCloseTo(0.01);
    expect(hashrateError(0)).toBeNull();
  });
});

describe('money', () => {
  test('formats satoshis exactly', () => {
    expect(formatBtc(1_030_998)).toBe('0.01030998');
    expect(formatBtc(-50)).toBe('-0.00000050');
    expect(formatBtc(2_100_000_000_000_000)).toBe('21000000.00000000');
    expect(formatBtcShort(5_000_000)).toBe('0.05');
    expect(formatBtcShort(0)).toBe('0');
  });

  test('refuses fractions of a satoshi', () => {
    expect(() => formatBtc(0.5)).toThrow(RangeError);
    expect(() => formatBtc(Number.NaN)).toThrow(RangeError);
  });

  test('the two parts of a split amount are the whole text', () => {
    expect(splitBtc(1_030_998)).toEqual({ quiet: '0.0', strong: '1030998' });
    fc.assert(
      fc.property(fc.integer(), (sats) => {
        const { quiet, strong } = splitBtc(sats);
        return quiet + strong === formatBtc(sats);
      }),
    );
  });
});

describe('workers', () => {
  const now = 1_000_000;
  const worker = { lastShareAt: now, h1: 100, h24: 100 };
  test('states follow the last share and the alert limit', () => {
    expect(workerState(worker, now)).toBe('online');
    expect(workerState({ ...worker, h1: 69 }, now)).toBe('low');
    expect(workerState({ ...worker, h1: 69, alertLimit: 0.5 }, now)).toBe('online');
    expect(workerState({ ...worker, lastShareAt: now - 600 }, now)).toBe('online');
    expect(workerState({ ...worker, lastShareAt: now - 601 }, now)).toBe('offline');
    expect(workerState({ ...worker, lastShareAt: now - 86_401 }, now)).toBe('inactive');
    expect(workerState({ ...worker, lastShareAt: null }, now)).toBe('inactive');
  });
});

test('a mean leaves gaps out', () => {
  expect(meanOf([1, null, 3])).toBe(2);
  expect(meanOf([null])).toBeNull();
});

test('long text is shortened in the middle', () => {
  expect(shorten('bc1qggn2abcdefghhd2ld3')).toBe('bc1qggn2…hd2ld3');
  expect(shorten('short')).toBe('short');
});

test.each([
  ['0.005', 500_000],
  ['0,00010000', 10_000],
  ['٠٫٠٥', 5_000_000],
  ['۰٫۰۵', 5_000_000],
  ['1', 100_000_000],
  [' 12.34567891 ', 1_234_567_891],
  ['90071992.54740991', 9_007_199_254_740_991],
])('%s bitcoin are %d satoshis', (typed, sats) => expect(satsOf(typed)).toBe(sats));

test.each(['', '0.123456789', '1.', '.5', '-1', '1e3', '0x10', '1 000'])('%j is not an amount', (typed) =>
  expect(satsOf(typed)).toBeNull(),
);

test.each([10_000, 500_000, 100_000_000, 1_234_567_891])('%d satoshis are typed and read the same', (sats) =>
  expect(satsOf(formatBtcShort(sats))).toBe(sats),
);
