import { useTranslation } from 'react-i18next';
import type { Absence } from '../../../api/schemas';
import { useFormat } from '../format/context';

const HOURS = { h1: 1, h24: 24 };

/** Says of a mean of 1 h or 24 h that it is of less: `since 14:02, 1 h 20 min`; else null. Unix seconds. */
export function useMinedSince(): (
  minedSince: number | undefined,
  window: keyof typeof HOURS,
  now: number,
) => string | null {
  const { t } = useTranslation();
  const { clock, duration } = useFormat();
  return (minedSince, window, now) => {
    const seconds = minedSince === undefined ? Infinity : now - minedSince;
    if (minedSince === undefined || seconds >= HOURS[window] * 3600) return null;
    // Whole minutes: a text that changes each second would move what stands below it.
    const whole = Math.max(60, seconds - (seconds % 60));
    return t('ui.minedSince', { time: clock(minedSince), duration: duration(whole, 2) });
  };
}

/** The last time at which the pool did not run, in a sentence. */
export function PoolAway({ absences = [] }: { absences: readonly Absence[] | undefined }) {
  const { t } = useTranslation();
  const { clock, zone } = useFormat();
  const last = absences.at(-1);
  if (!last) return null;
  return t('ui.away', { range: `${clock(last.from)}–${clock(last.until)} ${zone(last.until)}` });
}
