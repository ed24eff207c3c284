/** Keeps the leading digits of a number from 0 on: noise cannot be compressed and doubles a long list. */
export function rounded(value: number, digits: number): number {
  if (value < 10 ** digits) return Number(value.toPrecision(digits));
  const unit = 10 ** (Math.floor(Math.log10(value)) - digits + 1);
  return Math.round(value / unit) * unit;
}
