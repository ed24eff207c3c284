import { useTranslation } from '@pool/shared/i18n';
import { areaPath, linePath, useFormat, useNarrow } from '@pool/shared/ui/core';
import { ticksOf } from '../calculator/profit-chart';
import styles from './hashprice.module.css';

const HEIGHT = 300;
const PAD = { top: 16, bottom: 32, start: 96, end: 16 };
export type Point = { day: string; value: number };

/** A value a day, from nothing on: what looks like half is half. */
export function HashpriceChart({ points, say }: { points: readonly Point[]; say(value: number): string }) {
  const { t } = useTranslation();
  const { day: dayText } = useFormat();
  const narrow = useNarrow();
  const width = narrow ? 360 : 1280;
  const values = points.map(({ value }) => value);
  const ticks = ticksOf(0, Math.max(...values));
  const high = ticks.at(-1) || 1;
  const last = Math.max(1, points.length - 1);
  const x = (index: number) => PAD.start + (index / last) * (width - PAD.start - PAD.end);
  const y = (value: number) => PAD.top + (1 - value / high) * (HEIGHT - PAD.top - PAD.bottom);
  const place = (at: number, value: number): [number, number] => [x(at), y(value)];
  const shown = [...new Set([0, ...(narrow ? [] : [Math.floor(points.length / 2)]), points.length - 1])];
  const textOf = (index: number) => dayText(points[index]?.day ?? '', true);
  const summary = t('hashprice.summary', {
    from: textOf(0),
    to: textOf(points.length - 1),
    least: say(Math.min(...values)),
    most: say(Math.max(...values)),
    today: say(values.at(-1) ?? 0),
  });
  return (
    <svg className={styles.chart} viewBox={`0 0 ${width} ${HEIGHT}`} role="img" aria-label={summary} direction="ltr">
      {ticks.map((tick) => (
        <g key={tick}>
          <line x1={PAD.start} x2={width - PAD.end} y1={y(tick)} y2={y(tick)} />
          <text x={PAD.start - 8} y={y(tick) + 4} textAnchor="end">
            {say(tick).replace(' BTC', '')}
          </text>
        </g>
      ))}
      <path className={styles.area} d={areaPath(values, place, y(0))} />
      <path className={styles.line} d={linePath(values, place)} />
      {shown.map((index) => (
        <text
          key={index}
          x={x(index)}
          y={HEIGHT - 10}
          textAnchor={index === 0 ? 'start' : index === points.length - 1 ? 'end' : 'middle'}
        >
          {textOf(index)}
        </text>
      ))}
    </svg>
  );
}
