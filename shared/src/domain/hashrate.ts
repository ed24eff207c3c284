/** Hashrate units step by 1000 (specification 9): H, K, M, G, T, P, E. */
const UNITS = ['H', 'K', 'M', 'G', 'T', 'P', 'E'] as const;
export type HashrateUnit = (typeof UNITS)[number];

/** Decimals of specification 9: what the display formatter, the text formatter and the converter show. */
export const DISPLAY_DECIMALS = 2;
export const TEXT_DECIMALS = 5;
export const CONVERTER_DECIMALS = 3;

export type HashrateParts = { value: string; unit: string };

const pick = (hs: number, skipT = false): HashrateUnit => {
  let index = 0;
  while (index < UNITS.length - 1 && Math.abs(hs) >= 1000 ** (index + 1)) index += 1;
  const unit = UNITS[index] ?? 'H';
  return skipT && unit === 'T' ? 'G' : unit;
};

const rounded = (value: number, decimals: number): number => Number(value.toFixed(decimals));

/** H/s of one `unit`. */
export const unitScale = (unit: HashrateUnit): number => 1000 ** UNITS.indexOf(unit);

/** `hs` (H/s) in `unit`, rounded to `decimals`. */
export const convertHashrate = (hs: number, unit: HashrateUnit, decimals = CONVERTER_DECIMALS): number =>
  rounded(hs / unitScale(unit), decimals);

/** The unit in which `hs` reads best, moving up when rounding would show 1000 (999.999 G is 1.00 T). */
export function hashrateUnit(hs: number, decimals = DISPLAY_DECIMALS): HashrateUnit {
  const unit = pick(hs);
  const next = UNITS[UNITS.indexOf(unit) + 1];
  return next && Math.abs(convertHashrate(hs, unit, decimals)) >= 1000 ? next : unit;
}

/** `hs` (H/s) as value and unit for display: `21.43`, `PH/s`. Western digits in every language (look.md). */
export function displayHashrate(hs: number, unit: HashrateUnit = hashrateUnit(hs)): HashrateParts {
  return {
    value: convertHashrate(hs, unit, DISPLAY_DECIMALS).toFixed(DISPLAY_DECIMALS),
    unit: unit === 'H' ? 'H/s' : `${unit}H/s`,
  };
}

/** One string with up to five decimals: `21.43117 PH/s`. `skipT` shows TH/s as GH/s (scrypt's custom). */
export function hashrateText(hs: number, { skipT = false } = {}): string {
  const unit = pick(hs, skipT);
  return `${convertHashrate(hs, unit, TEXT_DECIMALS)} ${unit === 'H' ? 'H/s' : `${unit}H/s`}`;
}

/** Parses `21.4 PH` or a bare number of H/s; null when it is neither. */
export function parseHashrate(text: string): number | null {
  const match = /^\s*([0-9]+(?:[.,][0-9]+)?)\s*([HKMGTPE])?(?:H)?(?:\/s)?\s*$/i.exec(text);
  if (!match) return null;
  const unit = (match[2] ?? 'H').toUpperCase() as HashrateUnit;
  return Number((match[1] ?? '').replace(',', '.')) * unitScale(unit);
}

/** Seconds the five-minute hashrate is taken over at least, and a worker's first shares are called measuring. */
export const LIVE_WINDOW_S = 300;
const LEAST_LIVE_S = 60;

/**
 * Seconds to divide the work since `since` by: those the worker mined, at least a minute. `connectedAt`: null when it is not
 * connected; `firstAt`: start of the first minute since `since` that has a share: one that connected again mined before.
 * Unix seconds.
 */
export function minedSeconds(
  { since, connectedAt, firstAt }: { since: number; connectedAt: number | null; firstAt: number | null },
  now: number,
): number {
  if (connectedAt === null) return now - since;
  const begun = firstAt !== null && connectedAt - firstAt >= 60 ? firstAt : connectedAt;
  return Math.max(LEAST_LIVE_S, now - Math.max(since, begun));
}
