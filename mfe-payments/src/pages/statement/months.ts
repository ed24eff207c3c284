/** A year's earnings by month. Amounts in satoshis; dollars at the price of each day. */
import { usdOf, type Earning } from '@pool/shared';
import { sumOf } from '../payments/earnings/ledger';

export type Sums = ReturnType<typeof sumOf> & { days: number; usd: number };
export type Month = Sums & { month: string };

export const sumsOf = (rows: readonly Earning[]): Sums => ({
  ...sumOf(rows),
  days: new Set(rows.map(({ day }) => day)).size,
  usd: rows.reduce((sum, { netSat, btcPriceUsd }) => sum + usdOf(netSat, btcPriceUsd), 0),
});

/** Months with earnings, the first one first. */
export function monthsOf(rows: readonly Earning[]): Month[] {
  const months = new Map<string, Earning[]>();
  for (const row of rows) {
    const month = row.day.slice(0, 7);
    const known = months.get(month);
    if (known) known.push(row);
    else months.set(month, [row]);
  }
  return [...months].sort(([a], [b]) => (a < b ? -1 : 1)).map(([month, of]) => ({ month, ...sumsOf(of) }));
}
