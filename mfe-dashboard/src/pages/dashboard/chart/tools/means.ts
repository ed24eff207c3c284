/** Means of two series over the steps that both have; null when there is none. */
export function meansOf(
  points: readonly (number | null)[],
  earlier: readonly (number | null)[],
): { now: number; before: number } | null {
  const both = points.flatMap((point, i) => {
    const other = earlier[i];
    return point === null || other === null || other === undefined ? [] : [[point, other] as const];
  });
  if (both.length === 0) return null;
  const mean = (which: 0 | 1) => both.reduce((sum, pair) => sum + pair[which], 0) / both.length;
  return { now: mean(0), before: mean(1) };
}
