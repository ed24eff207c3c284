import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Series } from '../../../api/schemas';
import { meanOf } from '../../../domain';
import { useFormat } from '../format/context';
import type { Model } from './model';
import hidden from '../pieces/visually-hidden.module.css';

/** Maximum rows, so that a screen reader's list stays short. The CSV has all points. */
const ROWS = 24;

/** `mean`: of the line in the chart, H/s; that of the points without one. */
type Props = { id: string; label: string; name?: string; series: Series; mean?: number; model: Model; nothing: string };

/** The chart as a table, for screen readers. */
export default function ChartTable({ id, label, name, series, mean, model, nothing }: Props): ReactNode {
  const { t } = useTranslation();
  const { dayClock, zone, hashrateText } = useFormat();
  const { accepted } = series;
  const inUnit = (hs: number | null): string => {
    if (hs === null) return t('ui.chart.noData');
    return hashrateText(hs, model.unit);
  };
  const known = accepted.filter((p): p is number => p !== null);
  const columns = [{ label: name ?? t('ui.chart.hashrate'), points: accepted }, ...model.others];
  const moment = (index: number) => `${dayClock(model.timeOf(index))} ${zone(model.timeOf(index))}`;
  const bucket = Math.ceil(accepted.length / ROWS) || 1;
  return (
    <div className={hidden.hidden}>
      <p id={id}>
        <span>
          {known.length === 0
            ? nothing
            : t('ui.chart.summary', {
                from: moment(0),
                to: moment(accepted.length - 1),
                mean: inUnit(mean ?? meanOf(accepted)),
                low: inUnit(Math.min(...known)),
                high: inUnit(Math.max(...known)),
              })}
        </span>
        {model.gaps.length > 0 && <span>{` ${model.gaps.map((gap) => gap.text).join('. ')}.`}</span>}
      </p>
      {known.length > 0 && (
        <table>
          <caption>{label}</caption>
          <thead>
            <tr>
              <th scope="col">{t('ui.chart.time')}</th>
              {columns.map((column) => (
                <th key={column.label} scope="col">
                  {column.label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {Array.from({ length: Math.ceil(accepted.length / bucket) }, (_, row) => (
              <tr key={row}>
                <th scope="row">{moment(row * bucket)}</th>
                {columns.map(({ label: column, points }) => (
                  <td key={column}>{inUnit(meanOf(points.slice(row * bucket, (row + 1) * bucket)))}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}
