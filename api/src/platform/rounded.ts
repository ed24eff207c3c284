/**
 * Keeps the leading digits of a measured number, which is 0 or more. Those behind them are noise: they make a long list
 * twice as large on the wire, because they cannot be compressed.
 */
export function rounded(value: number, digits: number): number {
  if (value < 10 ** digits) return Number(value.toPrecision(digits));
  const unit = 10 ** (Math.floor(Math.log10(value)) - digits + 1);
  return Math.round(value / unit) * unit;
}
