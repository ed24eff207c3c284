import type { Series, Timeframe } from '@pool/shared';
import { useTranslation } from '@pool/shared/i18n';
import { useFormat, type SeriesChart } from '@pool/shared/ui/core';
import { useMemo, type ComponentProps, type ReactNode } from 'react';
import { useHashrateHistory } from '../../../../api/hashrate-history';
import { changeIn } from '../change';
import { useChartPlace } from '../chart-place';
import { COMPARED_DAYS, comparedOf, earlierPoints, meansOf, type Compared, type Points } from './compared';
import styles from './tools.module.css';

type Props = {
  timeframe: Timeframe;
  series: Series;
  /** The chart with an earlier time beside it, or without. */
  chart(others?: ComponentProps<typeof SeriesChart>['others']): ReactNode;
};

/** The chart compared with the time that the URL names, and the difference in words. */
export function Comparison({ timeframe, series, chart }: Props) {
  const { t } = useTranslation();
  const [{ group, compare }] = useChartPlace();
  const compared = comparedOf(compare, timeframe);
  const daysBefore = compared && COMPARED_DAYS[compared];
  const { data } = useHashrateHistory({ timeframe, group, daysBefore }, compared !== undefined);
  const points = useMemo(
    () => data && daysBefore && earlierPoints(series, data, daysBefore),
    [data, daysBefore, series],
  );
  const label = compared && t(`dashboard.compare.${compared}`);
  const lines = useMemo(() => (points && label !== undefined ? [{ points, label }] : undefined), [points, label]);
  if (!compared || !points) return chart();
  return (
    <>
      {chart(lines)}
      <Words compare={compared} points={series.accepted} earlier={points} />
    </>
  );
}

type WordsProps = { compare: Compared; points: Points; earlier: Points };

function Words({ compare, points, earlier }: WordsProps) {
  const { t } = useTranslation();
  const { percent, hashrateText } = useFormat();
  const means = meansOf(points, earlier);
  const than = t(`dashboard.compare.than.${compare}`);
  if (!means) return <p className={styles.words}>{t('dashboard.compare.nothing', { than })}</p>;
  const { now, before } = means;
  // A number stays on the line of its unit.
  const rate = (hs: number) => hashrateText(hs).replace(' ', '\u00a0');
  const { word, change } = before > 0 ? changeIn(now / before - 1, percent) : { word: 'fromNothing', change: '' };
  return (
    <p className={styles.words}>
      {t(`dashboard.compare.${word}`, { change, than, now: rate(now), before: rate(before) })}
    </p>
  );
}
