import { formatDay, type Bar, type useFormat } from '@pool/shared/ui/core';

const DAY_MS = 86_400_000;
const BARS = 14;

/** Bars of 14 UTC days up to today; `days`: satoshis of finished days, oldest first. `payments`: the page of each. */
export function dayBars(
  days: readonly number[],
  today: number,
  nowMs: number,
  { language, btc }: Pick<ReturnType<typeof useFormat>, 'language' | 'btc'>,
  payments?: string,
): Bar[] {
  const sats = [...days.slice(1 - BARS), today];
  return sats.map((value, i) => {
    const daysAgo = sats.length - 1 - i;
    const date = new Date(nowMs - daysAgo * DAY_MS);
    const day = date.toISOString().slice(0, 10);
    return {
      label: formatDay(language, 'utc', date),
      value,
      text: `${btc(value)} BTC`,
      current: daysAgo === 0,
      href: payments && `${payments}?from=${day}&to=${day}`,
    };
  });
}
