import type { DayPart } from '@pool/shared/ui/chart';
import type { Accrual } from '../../api/lists';

/** Names with a part of their own; all others are one part, so that colours stay distinguishable. */
const MAX_NAMES = 5;

/** Amounts per day and referred user, without reversed ones. The users that earned most have a part of their own. */
export function incomeByDay(accruals: readonly Accrual[], others: string): { parts: DayPart[]; totalSat: number } {
  const valid = accruals.filter(({ status }) => status !== 'reversed');
  const totals = new Map<string, number>();
  for (const { name, amountSat } of valid) totals.set(name, (totals.get(name) ?? 0) + amountSat);
  const largest = [...totals].sort(([, a], [, b]) => b - a).slice(0, MAX_NAMES);
  const own = new Set(largest.map(([name]) => name));
  const parts = new Map<string, DayPart>();
  for (const { day, name, amountSat } of valid) {
    const shown = own.has(name) ? name : others;
    const key = `${day} ${shown}`;
    parts.set(key, { day, name: shown, value: (parts.get(key)?.value ?? 0) + amountSat });
  }
  return {
    parts: [...parts.values()].sort((a, b) => a.day.localeCompare(b.day)),
    totalSat: valid.reduce((sum, { amountSat }) => sum + amountSat, 0),
  };
}
