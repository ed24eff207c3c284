import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { Tooltip } from '../controls/tooltip';
import hidden from '../pieces/visually-hidden.module.css';
import s from './small-bars.module.css';

export type Bar = {
  /** Text below the column: a month, "Nov so far". */
  label: string;
  value: number;
  /** Text above the column. */
  text: string;
  /** The period is incomplete: lighter in a column chart, dashed in small bars. */
  current?: boolean;
  /** The page that a click opens, which is reached by keyboard in another way. */
  href?: string;
};

/** Small bars without axes. Zero is a hairline, the current day a dashed outline. */
export function SmallBars({ bars, label }: { bars: readonly Bar[]; label: string }) {
  const top = Math.max(...bars.map((bar) => bar.value), Number.MIN_VALUE);
  return (
    <figure className={s.small} dir="ltr">
      <div className={s.bars} aria-hidden="true">
        {bars.map((bar) => (
          <BarLink key={bar.label} bar={bar} className={s.day}>
            <span className={bar.current ? s.dashed : s.bar} style={{ blockSize: `${(bar.value / top) * 100}%` }} />
          </BarLink>
        ))}
      </div>
      <BarTable bars={bars} label={label} />
    </figure>
  );
}

/** The place of a bar: it says what the bar is, and opens its page. */
export function BarLink({ bar: { label, text, href }, className, children }: BarLinkProps) {
  return (
    <Tooltip title={`${label}: ${text}`} trigger={ON_HOVER}>
      {href === undefined ? (
        <a className={className}>{children}</a>
      ) : (
        <Link to={href} className={className} tabIndex={-1}>
          {children}
        </Link>
      )}
    </Tooltip>
  );
}
type BarLinkProps = { bar: Bar; className?: string; children: ReactNode };
const ON_HOVER = ['hover'] as const;

/** The bars as a table, for screen readers. */
export function BarTable({ bars, label }: { bars: readonly Bar[]; label: string }) {
  const { t } = useTranslation();
  return (
    <div className={hidden.hidden}>
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
