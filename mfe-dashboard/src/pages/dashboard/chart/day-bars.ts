import { formatDay, type Bar, type useFormat } from '@pool/shared/ui/core';

const DAY_MS = 86_400_000;
const BARS = 14;

/**
 * Bars of the last 14 UTC days up to today, which is an estimate. `days`: earnings of finished days in satoshis, oldest
 * first, the last is yesterday.
 */
export function dayBars(
  days: readonly number[],
  today: number,
  nowMs: number,
  { language, btc }: Pick<ReturnType<typeof useFormat>, 'language' | 'btc'>,
): Bar[] {
  const sats = [...days.slice(1 - BARS), today];
  return sats.map((value, i) => {
    const daysAgo = sats.length - 1 - i;
    return {
      label: formatDay(language, 'utc', new Date(nowMs - daysAgo * DAY_MS)),
      value,
      text: `${btc(value)} BTC`,
      current: daysAgo === 0,
    };
  });
}
