import { useTranslation } from '@pool/shared/i18n';
import { linePath, Panel, useFormat, useNarrow } from '@pool/shared/ui/core';
import styles from './calculator.module.css';
import { profitOf, type Machine, type Terms } from './profit';

const STEPS = 8;
const HEIGHT = 260;
const PAD = { top: 16, bottom: 32, start: 64, end: 16 };

/** Round numbers from at or below `least` to at or above `most`. */
export function ticksOf(least: number, most: number): number[] {
  const raw = (most - least || 1) / 4;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= raw) ?? 10) * power;
  const first = Math.floor(least / step);
  const last = Math.ceil(most / step);
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
}

/** Profit per day against the bitcoin price, from nothing to twice today's. */
export function ProfitChart({ machines, terms }: { machines: readonly Machine[]; terms: Terms }) {
  const { t } = useTranslation();
  const { usd } = useFormat();
  const width = useNarrow() ? 360 : 720;
  const prices = Array.from({ length: STEPS + 1 }, (_, index) => (terms.btcPrice * 2 * index) / STEPS);
  const lines = machines.map((machine) => prices.map((btcPrice) => profitOf(machine, { ...terms, btcPrice }).profit));
  const all = lines.flat();
  const ticks = ticksOf(Math.min(0, ...all), Math.max(0, ...all));
  const [low = 0, high = 1] = [ticks[0], ticks.at(-1)];
  const x = (index: number) => PAD.start + (index / STEPS) * (width - PAD.start - PAD.end);
  const y = (value: number) => PAD.top + ((high - value) / (high - low || 1)) * (HEIGHT - PAD.top - PAD.bottom);
  const zero = machines.map((machine) => profitOf(machine, terms).breakEvenBtc);
  const higher = (lines[1]?.at(-1) ?? -Infinity) > (lines[0]?.at(-1) ?? 0) ? 1 : 0;
  const summary = zero
    .map((price, index) => t('calculator.chartLine', { number: index + 1, price: price === null ? '–' : usd(price) }))
    .join(' ');
  return (
    <Panel title={t('calculator.chart')}>
      <svg
        className={styles.chart}
        viewBox={`0 0 ${width} ${HEIGHT}`}
        role="img"
        aria-label={`${t('calculator.chart')}. ${summary}`}
        direction="ltr"
      >
        {ticks.map((tick) => (
          <g key={tick}>
            <line x1={PAD.start} x2={width - PAD.end} y1={y(tick)} y2={y(tick)} data-zero={tick === 0} />
            <text x={PAD.start - 8} y={y(tick) + 4} textAnchor="end">
              {usd(tick)}
            </text>
          </g>
        ))}
        {prices.map((price, index) =>
          index % (width > 400 ? 2 : 4) === 0 ? (
            <text key={price} x={x(index)} y={HEIGHT - 10} textAnchor={index === STEPS ? 'end' : 'middle'}>
              {usd(price)}
            </text>
          ) : null,
        )}
        <line className={styles.now} x1={x(STEPS / 2)} x2={x(STEPS / 2)} y1={PAD.top} y2={HEIGHT - PAD.bottom} />
        {lines.map((line, index) => (
          <g key={index} className={index === 0 ? styles.first : styles.second}>
            <path d={linePath(line, (at, value) => [x(at), y(value)])} />
            {machines.length > 1 && (
              <text x={x(STEPS) - 4} y={y(line.at(-1) ?? 0) + (index === higher ? -8 : 20)} textAnchor="end">
                {t('calculator.machineNumber', { number: index + 1 })}
              </text>
            )}
          </g>
        ))}
      </svg>
      <p className={styles.caption}>{summary}</p>
    </Panel>
  );
}
