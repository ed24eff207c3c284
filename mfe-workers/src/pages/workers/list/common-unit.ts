import { hashrateUnit, type HashrateUnit, type Worker } from '@pool/shared';

/** The unit that suits most workers: one for the whole column, so that the decimals align. */
export function commonUnit(workers: readonly Worker[]): HashrateUnit {
  const votes = new Map<HashrateUnit, number>();
  for (const { h24 } of workers) {
    if (h24 <= 0) continue;
    const unit = hashrateUnit(h24);
    votes.set(unit, (votes.get(unit) ?? 0) + 1);
  }
  const [winner] = [...votes].sort((a, b) => b[1] - a[1]);
  return winner?.[0] ?? 'T';
}
