import { useTranslation } from 'react-i18next';
import { serverTime } from '../../api/clock';
import { useFormat, useNow } from '../core';

/** Hours in which nothing is said; null: until it is over. */
const QUIET = [
  ['events.hours1', 1],
  ['events.hours4', 4],
  ['events.untilOver', null],
] as const;

/** Items of a menu: for how long nothing is said. `until`: Unix seconds. Needs the texts of `events`. */
export function useQuietChoices(onChoose: (until: number | null) => void) {
  const { t } = useTranslation();
  const { clock } = useFormat();
  const now = useNow();
  const untilOf = (hours: number | null, from: number) => hours && Math.round(from) + hours * 3600;
  return QUIET.map(([key, hours]) => ({
    key,
    label: t(key, { until: clock(untilOf(hours, now) ?? now) }),
    onClick: () => onChoose(untilOf(hours, serverTime() / 1000)),
  }));
}
