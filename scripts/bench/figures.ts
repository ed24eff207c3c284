/** The value below which this part of them is; NaN of none. */
export const quantile = (values: Iterable<number>, part: number): number =>
  [...values].sort((a, b) => a - b).find((_, i, { length }) => i >= Math.floor(length * part)) ?? NaN;

/** Median of the known values; null without any. */
export function median(values: readonly (number | null | undefined)[]): number | null {
  const known = values.filter((value) => typeof value === 'number');
  return known.length > 0 ? quantile(known, 0.5) : null;
}

/** Milliseconds of each of `times` calls, one after another. */
export async function timesOf(times: number, call: () => Promise<unknown>): Promise<number[]> {
  const took: number[] = [];
  while (took.length < times) {
    const before = performance.now();
    await call();
    took.push(performance.now() - before);
  }
  return took;
}
