import type { Accrual } from '../../api/lists';
import { incomeByDay } from './income';

const accrual = (day: string, name: string, amountSat: number, more: Partial<Accrual> = {}): Accrual => ({
  day,
  name,
  amountSat,
  algorithm: 'SHA256_ASICBOOST',
  baseFeeSat: amountSat * 10,
  ratePercent: 10,
  status: 'accrued',
  ...more,
});

test('adds the algorithms of a user and day, oldest day first', () => {
  const rows = [
    accrual('2026-11-20', 'ho***', 7),
    accrual('2026-11-19', 'ho***', 5),
    accrual('2026-11-19', 'ho***', 2, { algorithm: 'SCRYPT' }),
  ];
  expect(incomeByDay(rows, 'Others')).toEqual({
    parts: [
      { day: '2026-11-19', name: 'ho***', value: 7 },
      { day: '2026-11-20', name: 'ho***', value: 7 },
    ],
    totalSat: 14,
  });
});

test('reversed earnings do not count', () => {
  expect(incomeByDay([accrual('2026-11-20', 'ho***', 7, { status: 'reversed' })], 'Others').totalSat).toBe(0);
});

test('the five users that earned most are named, the rest is one part', () => {
  const rows = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name, index) => accrual('2026-11-20', name, 10 + index));
  const { parts, totalSat } = incomeByDay(rows, 'Others');
  expect(parts.map(({ name }) => name).sort()).toEqual(['Others', 'c', 'd', 'e', 'f', 'g']);
  expect(parts.find(({ name }) => name === 'Others')?.value).toBe(21);
  expect(totalSat).toBe(91);
});
