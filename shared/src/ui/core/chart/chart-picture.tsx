import type { Ref } from 'react';
import type { Series } from '../../../api/schemas';
import type { useFormat } from '../format/context';
import { unitLabel } from '../../../domain';
import { GUTTER, type Label, type Model } from './model';
import { areaPath, linePath } from './shape';
import { textWidth } from '../measure';
import { scaled } from '../theme/rem';
import s from './series-chart.module.css';

type Props = {
  id: string;
  model: Model;
  series: Series;
  format: ReturnType<typeof useFormat>;
  active: number | null;
  /** Null where the zoom buttons need its room. */
  laneLabel: { text: string; width: number; rtl: boolean } | null;
  /** Whether there are shares enough for a rate of loss. */
  rates: boolean;
  ref?: Ref<SVGSVGElement>;
};

/** Above the plot: what a line means, after a piece of it. */
function LineNote({
  line,
  className,
  words,
  nth,
}: {
  line: Pick<NonNullable<Model['mean']>, 'note'> | undefined;
  className: string | undefined;
  words?: string;
  nth?: number;
}) {
  if (!line) return null;
  const { x, y, text } = line.note;
  return (
    <g>
      <path className={className} data-line={nth} d={`M${x} ${y - 3.5}h14`} />
      <text className={words} x={x + 18} y={y}>
        {text}
      </text>
    </g>
  );
}

/** Text on the plot, with a background so that no line crosses it. */
function Words({ label, className }: { label: Label | null | undefined; className?: string }) {
  if (!label) return null;
  return (
    <g>
      <rect className={s.ground} x={label.x} y={label.y} width={label.width} height={label.height} rx="3" />
      <text className={className} x={label.x + 4} y={label.y + scaled(13)}>
        {label.text}
      </text>
    </g>
  );
}

const key = (id: string, name: string) => `${id}-${name}`;

export function ChartPicture({ id, model, series, format, active, laneLabel, rates, ref }: Props) {
  const { width, height, top, floor, lane } = model;
  const xy = (i: number, v: number): [number, number] => [model.x(i), model.y(v)];
  const laneXy = (i: number, v: number): [number, number] => [model.x(i), lane?.y(v) ?? 0];
  // That of today, where the clock was changed meanwhile.
  const zone = format.zone(model.timeOf(series.accepted.length - 1));
  // Longer than the gutter in some zones; nothing is drawn over it.
  const zoneEnd = Math.max(GUTTER - 9, textWidth(zone));
  /** The mean is of the time since then. */
  const first = series.accepted.findIndex((hs) => hs !== null);
  const activeValue = active === null ? null : series.accepted[active];
  return (
    <svg
      ref={ref}
      // What it shows, Unix seconds: a picture of it says so.
      data-from={series.from}
      data-to={series.from + (series.accepted.length - 1) * series.step}
      className={s.picture}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      aria-hidden="true"
    >
      <defs>
        <linearGradient id={key(id, 'area')} x1="0" x2="0" y1="0" y2="1">
          <stop offset="0" className={s.stopTop} />
          <stop offset="1" className={s.stopEnd} />
        </linearGradient>
        <pattern id={key(id, 'hatch')} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <path className={s.hatch} d="M0 0V6" />
        </pattern>
      </defs>
      <text className={s.tick} x={GUTTER - 9} y={scaled(11)} textAnchor="end">
        {unitLabel(model.unit)}
      </text>
      {model.valueTicks.map((tick) => (
        <g key={tick.text}>
          <path className={s.hairline} d={`M${GUTTER} ${Math.round(tick.y) + 0.5}H${width}`} />
          <text className={s.tick} x={GUTTER - 9} y={tick.y + 4} textAnchor="end">
            {tick.text}
          </text>
        </g>
      ))}
      <text className={s.zone} x={zoneEnd} y={floor + scaled(20)} textAnchor="end">
        {zone}
      </text>
      {model.timeTicks
        .filter(
          (tick) => tick.x - textWidth(tick.text) / 2 > zoneEnd + 6 && tick.x + textWidth(tick.text) / 2 < width + 1,
        )
        .map((tick) => (
          <text key={tick.at} className={s.tick} x={tick.x} y={floor + scaled(20)} textAnchor="middle">
            {tick.text}
          </text>
        ))}
      {model.gaps.map((gap) => (
        <rect key={gap.x} x={gap.x} y={top} width={gap.width} height={floor - top} fill={`url(#${key(id, 'hatch')})`} />
      ))}
      {model.names.length === 0 && <path d={areaPath(series.accepted, xy, floor)} fill={`url(#${key(id, 'area')})`} />}
      {model.mean && <path className={s.mean} d={`M${model.x(Math.max(0, first))} ${model.mean.y}H${width}`} />}
      {model.limit && <path className={s.limit} d={`M${GUTTER} ${model.limit.y}H${width}`} />}
      {model.others.map(({ label, points }, i) => (
        <path key={label} className={s.line} data-line={model.names[i + 1] ? i + 1 : 'dim'} d={linePath(points, xy)} />
      ))}
      <path className={s.line} d={linePath(series.accepted, xy)} />
      <LineNote line={model.mean} className={s.mean} words={s.meanWords} />
      <LineNote line={model.limit} className={s.limit} words={s.limitWords} />
      {model.names.map((note, i) => (
        <LineNote key={note.text} line={{ note }} className={s.line} nth={i} />
      ))}
      {model.gapLabels.map((label) => (
        <Words key={label.text} label={label} className={s.gapWords} />
      ))}
      {lane && (
        <g>
          {laneLabel && (
            <>
              <rect
                className={s.swatch}
                x={GUTTER + (laneLabel.rtl ? laneLabel.width + 6 : 0)}
                y={lane.heading - 4}
                width="8"
                height="8"
                rx="2"
              />
              <text x={GUTTER + (laneLabel.rtl ? 0 : 14)} y={lane.heading + 4}>
                {laneLabel.text}
              </text>
            </>
          )}
          {rates && lane.total !== null && (
            <text x={width} y={lane.heading + 4} textAnchor="end">
              {format.percent(lane.total)}
            </text>
          )}
          <path
            className={s.hairline}
            d={`M${GUTTER} ${lane.top + 0.5}H${width}M${GUTTER} ${lane.floor + 0.5}H${width}`}
          />
          <path className={s.lossArea} d={areaPath(lane.points, laneXy, lane.floor)} />
          <path className={s.lossLine} d={linePath(lane.points, laneXy)} />
        </g>
      )}
      {active !== null && (
        <g>
          <path className={s.cursor} d={`M${model.x(active)} ${top}V${lane?.floor ?? floor}`} />
          {typeof activeValue === 'number' && (
            <circle className={s.point} cx={model.x(active)} cy={model.y(activeValue)} r="3.5" />
          )}
        </g>
      )}
    </svg>
  );
}
