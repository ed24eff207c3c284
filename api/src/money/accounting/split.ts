/** Divides money into whole satoshis that always sum to the total. */

/**
 * Divides `total` satoshis by `weights` (not negative, at least one positive). Satoshis left over by rounding go to the
 * largest remainders, the first when equal. Throws `RangeError`.
 */
export function split(total: number, weights: readonly number[]): number[] {
  if (!Number.isSafeInteger(total) || total < 0) throw new RangeError(`not an amount: ${total}`);
  if (weights.some((weight) => !(weight >= 0 && Number.isFinite(weight))))
    throw new RangeError('a weight is not a positive number');
  const sum = weights.reduce((a, b) => a + b, 0);
  if (sum <= 0) throw new RangeError('the weights are all zero');
  const exact = weights.map((weight) => total * (weight / sum));
  const parts = exact.map((value) => Math.min(total, Math.floor(value)));
  let left = total - parts.reduce((a, b) => a + b, 0);
  const order = exact
    .map((value, index) => ({ index, rest: value - Math.floor(value) }))
    .sort((a, b) => b.rest - a.rest || a.index - b.index);
  for (let i = 0; left !== 0; i = (i + 1) % order.length) {
    const index = order[i]?.index ?? 0;
    const step = Math.sign(left);
    if ((parts[index] ?? 0) + step < 0) continue;
    parts[index] = (parts[index] ?? 0) + step;
    left -= step;
  }
  return parts;
}
