/** Hashrate units step by 1000: H, K, M, G, T, P, E. */
const UNITS = ['H', 'K', 'M', 'G', 'T', 'P', 'E'] as const;
export type HashrateUnit = (typeof UNITS)[number];

/** Decimals of the display formatter, the text formatter and the converter. */
const DISPLAY_DECIMALS = 2;
const TEXT_DECIMALS = 5;
const CONVERTER_DECIMALS = 3;

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

/** Unit as it is written: `kH/s` (the SI prefix is a small k), `PH/s`. */
export const unitLabel = (unit: HashrateUnit): string => (unit === 'H' ? 'H/s' : `${unit === 'K' ? 'k' : unit}H/s`);

/** `hs` (H/s) in `unit`, rounded to `decimals`. */
export const convertHashrate = (hs: number, unit: HashrateUnit, decimals = CONVERTER_DECIMALS): number =>
  rounded(hs / unitScale(unit), decimals);

/** The unit to display `hs` in; the next larger one when rounding would show 1000 (999.999 G is 1.00 T). */
export function hashrateUnit(hs: number, decimals = DISPLAY_DECIMALS): HashrateUnit {
  const unit = pick(hs);
  const next = UNITS[UNITS.indexOf(unit) + 1];
  return next && Math.abs(convertHashrate(hs, unit, decimals)) >= 1000 ? next : unit;
}

/** `hs` (H/s) as value and unit: `21.43`, `PH/s`. Pages write it in the form of their language (`useFormat`). */
export function displayHashrate(hs: number, unit: HashrateUnit = hashrateUnit(hs)): HashrateParts {
  return {
    value: convertHashrate(hs, unit, DISPLAY_DECIMALS).toFixed(DISPLAY_DECIMALS),
    unit: unitLabel(unit),
  };
}

/** Text with up to five decimals: `21.43117 PH/s`. `skipT` shows TH/s as GH/s, as is usual for scrypt. */
export function hashrateText(hs: number, { skipT = false } = {}): string {
  const unit = pick(hs, skipT);
  return `${convertHashrate(hs, unit, TEXT_DECIMALS)} ${unitLabel(unit)}`;
}

/** Parses `21.4 PH` or a bare number of H/s; null when it is neither. */
export function parseHashrate(text: string): number | null {
  const match = /^\s*([0-9]+(?:[.,][0-9]+)?)\s*([HKMGTPE])?(?:H)?(?:\/s)?\s*$/i.exec(text);
  if (!match) return null;
  const unit = (match[2] ?? 'H').toUpperCase() as HashrateUnit;
  return Number((match[1] ?? '').replace(',', '.')) * unitScale(unit);
}

/** Shares below which a stale or reject rate says nothing: one share is then more than a percent. */
const MIN_RATE_SHARES = 100;
export const ratesKnown = (shares: number): boolean => shares >= MIN_RATE_SHARES;

/** @public Length in seconds of the live hashrate's window, for remotes that were built with 1.0.0. */
export const LIVE_WINDOW_S = 300;
const MIN_LIVE_S = 60;

/** Seconds the worker has mined since `since`, at least a minute; `firstAt` before `connectedAt`: it reconnected. */
export function minedSeconds(
  { since, connectedAt, firstAt }: { since: number; connectedAt: number | null; firstAt: number | null },
  now: number,
): number {
  if (connectedAt === null) return now - since;
  const startedAt = firstAt !== null && connectedAt - firstAt >= 60 ? firstAt : connectedAt;
  return Math.max(MIN_LIVE_S, now - Math.max(since, startedAt));
}
