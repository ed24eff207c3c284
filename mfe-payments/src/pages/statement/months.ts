/** A year's closed days by month. Amounts in satoshis; dollars at the price of each day. */
import type { Earning } from '@pool/shared';
import { closedOf, closedSums } from '../payments/earnings/ledger';

export type Sums = ReturnType<typeof closedSums>;
export type Month = Sums & { month: string };

/** Months with earnings, the first one first. */
export function monthsOf(rows: readonly Earning[]): Month[] {
  const months = new Map<string, Earning[]>();
  for (const row of closedOf(rows)) {
    const month = row.day.slice(0, 7);
    const known = months.get(month);
    if (known) known.push(row);
    else months.set(month, [row]);
  }
  return [...months].sort(([a], [b]) => (a < b ? -1 : 1)).map(([month, of]) => ({ month, ...closedSums(of) }));
}
