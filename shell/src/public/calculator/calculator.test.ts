import { machineIn } from '@pool/shared/machines';
import { machineOf, readNumber, termsOf } from './inputs';
import { profitOf, type Terms } from './profit';

const PRICES = { btcPrice: 100_000, hashprice: 0.00049, feePercent: 2 };
const TERMS: Terms = {
  algorithm: 'SHA256_ASICBOOST',
  electricity: 0.05,
  uptimePercent: 100,
  ...PRICES,
};

test('a machine earns its part of the hashprice less the fee, and pays for its power', () => {
  const profit = profitOf({ hashrate: 200e12, watts: 3500, cost: 2000 }, TERMS);
  expect(profit.btc).toBeCloseTo(0.2 * 0.00049 * 0.98, 12);
  expect(profit.income).toBeCloseTo(9.604, 6);
  expect(profit.electricity).toBeCloseTo(84 * 0.05, 9);
  expect(profit.profit).toBeCloseTo(5.404, 6);
  expect(profit.breakEvenElectricity).toBeCloseTo(9.604 / 84, 9);
  expect(profit.breakEvenBtc).toBeCloseTo(100_000 * (4.2 / 9.604), 4);
  expect(profit.paybackDays).toBeCloseTo(2000 / 5.404, 6);
});

test('uptime counts for both sides; SCRYPT is paid per terahash', () => {
  const half = profitOf(
    { hashrate: 16e9, watts: 3360, cost: 0 },
    { ...TERMS, algorithm: 'SCRYPT', hashprice: 0.0092, uptimePercent: 50 },
  );
  expect(half.btc).toBeCloseTo(0.016 * 0.0092 * 0.5 * 0.98, 12);
  expect(half.electricity).toBeCloseTo(3.36 * 12 * 0.05, 9);
});

test('a machine that loses money never pays back; one without work or power breaks even nowhere', () => {
  expect(profitOf({ hashrate: 1e12, watts: 3500, cost: 1 }, TERMS).paybackDays).toBe(Infinity);
  expect(profitOf({ hashrate: 0, watts: 0, cost: 1 }, TERMS)).toMatchObject({
    breakEvenElectricity: null,
    breakEvenBtc: null,
  });
});

test.each([
  ['0.06', 0.06],
  ['0,06', 0.06],
  ['٠٫٠٦', 0.06],
  ['1 200', 1200],
  ['2e14', 2e14],
  ['', null],
  ['-1', null],
  ['x', null],
  ['1e400', null],
])('reads %j as %p', (text, value) => {
  expect(readNumber(text)).toBe(value);
});

test('the address has what differs from the defaults; nonsense counts as not there', () => {
  const params = new URLSearchParams('algorithm=SCRYPT&fee=400&btc=abc&hashrate2=1e9');
  expect(termsOf(params, PRICES)).toEqual({
    algorithm: 'SCRYPT',
    ...PRICES,
    electricity: 0.06,
    feePercent: 100,
    uptimePercent: 100,
  });
  expect(machineOf(params, '')).toEqual({ hashrate: 16e9, watts: 3360, cost: 0 });
  expect(machineOf(params, '2')).toEqual({ hashrate: 1e9, watts: 3420, cost: 0 });
});

test('the name of a worker or of its software says its model only where it does', () => {
  const named = (text: string) => machineIn('SHA256_ASICBOOST', text)?.name;
  expect(named('s19jpro-D01-R12')).toBe('Antminer S19j Pro');
  expect(named('row-2.S21 Pro.14')).toBe('Antminer S21 Pro');
  expect(named('s21+_3')).toBe('Antminer S21+');
  expect(named('r1-s21-04')).toBe('Antminer S21');
  for (const other of ['s21-hyd-04', 's21e-1', 'as21', 's19-01', 'bmminer/2.0.0', ''])
    expect(named(other)).toBeUndefined();
  expect(machineIn('SCRYPT', 'l7-01')?.name).toBe('Antminer L7');
});
