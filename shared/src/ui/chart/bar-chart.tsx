import { use } from 'react';
import { tickDecimals, valueTicks } from '../core/chart/scale';
import series from '../core/chart/series-chart.module.css';
import { BarLink, BarTable, type Bar } from '../core/chart/small-bars';
import { useFormat } from '../core/format/context';
import { textWidth, useFontsReady, useWidth } from '../core/measure';
import { Viewport } from '../core/viewport';
import s from './bar-chart.module.css';

const GUTTER = 36;
const HEAD = 22;
const AXIS = 26;
const WIDEST = 32;
/** Pixels of the panel around it and its borders (`--pad`), where the server renders for a page of a known width. */
const PANEL_PADDING = 21;

/** Columns from zero with values above, or in their titles only, where there is no room for all. */
export function BarChart({
  bars,
  label,
  height = 122,
}: {
  bars: readonly Bar[];
  label: string;
  /** Height of the plot without labels, px. */
  height?: number;
}) {
  const { decimal } = useFormat();
  const content = use(Viewport)?.content;
  const [box, width] = useWidth<HTMLDivElement>(content ? content - 2 * PANEL_PADDING : 640);
  const ticks = valueTicks(Math.max(0, ...bars.map((bar) => bar.value)), 3);
  const top = ticks.at(-1) ?? 1;
  const decimals = Math.max(1, tickDecimals(ticks));
  const pitch = (width - GUTTER) / Math.max(1, bars.length);
  const column = Math.min(WIDEST, pitch * 0.62);
  const floor = HEAD + height;
  const y = (value: number) => floor - (value / top) * height;
  const centre = (index: number) => GUTTER + pitch * (index + 0.5);
  const measure = useFontsReady() ? textWidth : (text: string) => text.length * 6.2;
  /** Keeps a label inside the picture: moves a long last one to the left. */
  const labelAt = (index: number) => Math.min(centre(index), width - measure(bars[index]?.label ?? '') / 2);
  const meets = (every: number) =>
    bars.some((bar, index) => {
      const before = bars[index - every];
      return (
        before &&
        (bars.length - 1 - index) % every === 0 &&
        labelAt(index) - labelAt(index - every) < (measure(bar.label) + measure(before.label)) / 2 + 4
      );
    });
  const everyLabel = [1, 2, 3, 4, 6].find((every) => !meets(every)) ?? bars.length;
  const everyText = bars.every((bar) => measure(bar.text) + 4 <= pitch);
  return (
    <figure className={series.chart} dir="ltr">
      <div ref={box} style={{ blockSize: floor + AXIS }}>
        <svg className={series.picture} width={width} height={floor + AXIS} aria-hidden="true">
          {ticks.map((tick) => (
            <g key={tick}>
              <path className={series.hairline} d={`M${GUTTER} ${Math.round(y(tick)) + 0.5}H${width}`} />
              <text className={series.tick} x={GUTTER - 9} y={y(tick) + 4} textAnchor="end">
                {decimal(tick, decimals)}
              </text>
            </g>
          ))}
          {bars.map((bar, index) => (
            <g key={bar.label}>
              <BarLink bar={bar} className={s.bar}>
                <rect className={s.place} x={centre(index) - pitch / 2} y={HEAD} width={pitch} height={height} />
                <path
                  className={bar.current ? s.current : s.column}
                  d={bar.value > 0 ? columnPath(centre(index) - column / 2, y(bar.value), column, floor) : undefined}
                />
              </BarLink>
              {everyText && (
                <text x={centre(index)} y={y(bar.value) - 7} textAnchor="middle">
                  {bar.text}
                </text>
              )}
              {(bars.length - 1 - index) % everyLabel === 0 && (
                <text className={series.tick} x={labelAt(index)} y={floor + 20} textAnchor="middle">
                  {bar.label}
                </text>
              )}
            </g>
          ))}
        </svg>
      </div>
      <BarTable bars={bars} label={label} />
    </figure>
  );
}

/** Path of a column, rounded only at the top. */
function columnPath(x: number, y: number, width: number, floor: number): string {
  const r = Math.min(3, floor - y, width / 2);
  return `M${x} ${floor}V${y + r}q0 ${-r} ${r} ${-r}h${width - 2 * r}q${r} 0 ${r} ${r}V${floor}z`;
}
