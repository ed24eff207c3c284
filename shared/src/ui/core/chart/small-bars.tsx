import { useTranslation } from 'react-i18next';
import s from './small-bars.module.css';

export type Bar = {
  /** Text below the column: a month, "Nov so far". */
  label: string;
  value: number;
  /** Text above the column. */
  text: string;
  /** The period is incomplete: lighter in a column chart, dashed in small bars. */
  current?: boolean;
};

/**
 * Small bars without axes, such as the last 14 days beside a figure. Zero is a hairline, the current day a dashed
 * outline.
 */
export function SmallBars({ bars, label, height = 60 }: { bars: readonly Bar[]; label: string; height?: number }) {
  const top = Math.max(...bars.map((bar) => bar.value), Number.MIN_VALUE);
  return (
    <figure className={s.small} dir="ltr">
      <div className={s.bars} style={{ blockSize: height }} aria-hidden="true">
        {bars.map((bar) => (
          <span
            key={bar.label}
            title={`${bar.label}: ${bar.text}`}
            className={bar.current ? s.dashed : s.bar}
            style={{ blockSize: `${(bar.value / top) * 100}%` }}
          />
        ))}
      </div>
      <BarTable bars={bars} label={label} />
    </figure>
  );
}

/** The bars as a table, for screen readers. */
export function BarTable({ bars, label }: { bars: readonly Bar[]; label: string }) {
  const { t } = useTranslation();
  return (
    <div className={s.hidden}>
      <table>
        <caption>{label}</caption>
        <thead>
          <tr>
            <th scope="col">{t('ui.chart.time')}</th>
            <th scope="col">{t('ui.chart.value')}</th>
          </tr>
        </thead>
        <tbody>
          {bars.map((bar) => (
            <tr key={bar.label}>
              <th scope="row">{bar.label}</th>
              <td>{bar.text}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
