import { lazy, Suspense } from 'react';
import { useFormat } from '../core/format/context';
import { Loading, Skeleton } from '../core/pieces/states';
import { VisuallyHidden } from '../core/pieces/visually-hidden';
import s from './stacked-days.module.css';

/** Part of a day's column. `day`: UTC, `YYYY-MM-DD`. `value`: satoshis, H/s or a number, as the chart's measure. */
export type DayPart = { day: string; name: string; value: number };
export type Measure = 'btc' | 'sat' | 'hashrate' | 'count';

export const HEIGHT = 200;

/** Fetches the chart library (some 300 KB) when it is first shown. */
const Plot = lazy(() => import('./stacked-days-plot'));

/** A column per day, one part for each name, with the values in words for a screen reader. Days without parts are gaps. */
export function StackedDays({
  label,
  parts,
  measure,
  names = [...new Set(parts.map(({ name }) => name))],
}: {
  label: string;
  parts: readonly DayPart[];
  measure: Measure;
  /** All names of charts that are seen together: each has the same colour in all of them. */
  names?: readonly string[];
}) {
  const { day, btc, sats, hashrateText, count } = useFormat();
  const text = { btc, sat: sats, hashrate: hashrateText, count }[measure];
  return (
    <div className={s.chart}>
      <Suspense
        fallback={
          <Loading>
            <Skeleton height={HEIGHT} />
          </Loading>
        }
      >
        <Plot parts={parts} measure={measure} names={names} text={text} />
      </Suspense>
      <VisuallyHidden>
        <span role="list" aria-label={label}>
          {parts.map((part) => (
            <span role="listitem" key={`${part.day} ${part.name}`}>
              {`${day(part.day, true)}, ${part.name}: ${text(part.value)}`}
            </span>
          ))}
        </span>
      </VisuallyHidden>
    </div>
  );
}
