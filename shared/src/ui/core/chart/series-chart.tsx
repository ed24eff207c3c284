import { X, ZoomIn } from 'lucide-react';
import { lazy, Suspense, useId, useMemo, useState, type KeyboardEvent, type PointerEvent, type Ref } from 'react';
import { useTranslation } from 'react-i18next';
import type { Series } from '../../../api/schemas';
import { displayHashrate } from '../../../domain';
import { useFormat } from '../format/context';
import { textWidth, useFontsReady, useWidth } from '../measure';
import { ChartPicture } from './chart-picture';
import { ChartTable } from './chart-table';
import { HoverCard } from './hover-card';
import { chartModel, GUTTER, type Line } from './model';
import s from './series-chart.module.css';

export type SeriesChartProps = {
  series: Series;
  /** Name for screen readers: "Hashrate of northfield, 24 h". */
  label: string;
  /** A dashed line with a label: `{ value: H/s, label: "24 h mean 21.31" }`, with the value in the chart's unit. */
  mean?: Line;
  /** An amber dashed line, such as the alert limit of a worker. */
  limit?: Line;
  /**
   * Shows stale and rejected work in a separate lane, because it would be invisible at full scale. Beside the lane is a
   * zoom button: it loads the chart library (ui/chart); the SVG stays until it is loaded.
   */
  lane?: boolean;
  /** Height of the plot, px, on a narrow and on a wide chart. */
  height?: { narrow: number; wide: number };
  /** The SVG, for `downloadChartPng`. */
  ref?: Ref<SVGSVGElement>;
};

const ZoomChart = lazy(() => import('../../chart/zoom-chart'));

const HEIGHT = { narrow: 148, wide: 210 };
const NARROW = 500;
/** Estimated width of a text until the fonts are loaded. */
const roughWidth = (text: string) => text.length * 6.2;

/**
 * Hashrate over time as SVG, which needs no chart library. To read one point, move the pointer over it, or focus it and
 * use the arrow keys. Time runs left to right in every language.
 */
export function SeriesChart({ series, label, mean, limit, lane = false, height = HEIGHT, ref }: SeriesChartProps) {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const id = useId();
  const [box, width] = useWidth<HTMLDivElement>(640);
  const fonts = useFontsReady();
  const measure = fonts ? textWidth : roughWidth;
  const [zoom, setZoom] = useState(false);
  const [active, setActive] = useState<number | null>(null);
  const { step } = series;
  const model = useMemo(() => {
    // Gaps of a coarse chart last days: show days, not times.
    const gapEnd =
      step < 3600
        ? format.clock
        : step < 86_400
          ? (at: number) => `${format.day(at)} ${format.clock(at)}`
          : (at: number) => format.day(at);
    return chartModel({
      series,
      width,
      mean,
      limit,
      lane,
      zone: format.timeZone,
      measure,
      plotHeight: width < NARROW ? height.narrow : height.wide,
      // Keep the range left to right inside Arabic text.
      gapLabel: (from, to) => t('ui.chart.gap', { range: `\u2066${gapEnd(from)}–${gapEnd(to)}\u2069` }),
    });
  }, [series, step, width, mean, limit, lane, height.narrow, height.wide, format, t, measure]);
  const { accepted } = series;
  const lastIndex = accepted.length - 1;
  const known = accepted.some((p) => p !== null);
  const zoomed = zoom && known && lane;
  const shown = active === null ? null : Math.min(active, lastIndex);

  const point = (event: PointerEvent<HTMLDivElement>) => {
    const { left, width: wide } = event.currentTarget.getBoundingClientRect();
    setActive(Math.round(Math.min(1, Math.max(0, (event.clientX - left) / (wide || 1))) * lastIndex));
  };
  const keys = (event: KeyboardEvent) => {
    const now = shown ?? lastIndex;
    const page = Math.max(1, Math.round(lastIndex / 10));
    const to = {
      ArrowLeft: now - 1,
      ArrowDown: now - 1,
      ArrowRight: now + 1,
      ArrowUp: now + 1,
      PageDown: now - page,
      PageUp: now + page,
      Home: 0,
      End: lastIndex,
    }[event.key];
    if (event.key === 'Escape') setActive(null);
    if (to === undefined) return;
    event.preventDefault();
    setActive(Math.min(lastIndex, Math.max(0, to)));
  };
  const valueText = (index: number): string => {
    const hs = accepted[index];
    const time = model.timeOf(index);
    const at = `${format.day(time)} ${format.clock(time)} ${format.zone(time)}`;
    if (hs === null || hs === undefined) return `${at}: ${t('ui.chart.noData')}`;
    const { value, unit } = displayHashrate(hs, model.unit);
    return `${at}: ${value} ${unit}`;
  };

  const picture = (
    <ChartPicture
      ref={ref}
      id={id}
      model={model}
      series={series}
      format={format}
      active={shown}
      laneLabel={{ text: t('ui.chart.loss'), width: measure(t('ui.chart.loss')), rtl: i18n.dir() === 'rtl' }}
    />
  );
  return (
    <figure className={s.chart} dir="ltr">
      <div ref={box} className={s.box} style={{ blockSize: model.height }}>
        {zoomed ? (
          <Suspense fallback={picture}>
            {/* Hidden, but `downloadChartPng` still saves it. */}
            <div className={s.behind}>{picture}</div>
            <ZoomChart series={series} model={model} label={label} />
          </Suspense>
        ) : (
          picture
        )}
        {model.lane && known && (
          <button
            type="button"
            className={s.zoom}
            style={{ insetBlockStart: model.lane.top + 5 }}
            aria-pressed={zoom}
            aria-label={t('ui.chart.zoom')}
            title={t('ui.chart.zoom')}
            onClick={() => setZoom(!zoom)}
          >
            {zoom ? <X size={14} /> : <ZoomIn size={14} />}
          </button>
        )}
        {!known && (
          <p className={s.nothing} style={{ insetBlockStart: model.top + model.plotHeight / 2 - 11 }}>
            {t('ui.chart.nothing')}
          </p>
        )}
        {known && !zoomed && (
          <div
            className={s.reader}
            role="slider"
            tabIndex={0}
            aria-label={label}
            aria-describedby={`${id}-summary`}
            aria-valuemin={0}
            aria-valuemax={lastIndex}
            aria-valuenow={shown ?? lastIndex}
            aria-valuetext={valueText(shown ?? lastIndex)}
            aria-orientation="horizontal"
            style={{
              insetInlineStart: GUTTER,
              insetBlockStart: model.top,
              blockSize: (model.lane?.floor ?? model.floor) - model.top,
            }}
            onPointerMove={point}
            onPointerDown={point}
            onPointerLeave={() => setActive(null)}
            onKeyDown={keys}
            onBlur={() => setActive(null)}
          />
        )}
        {known && !zoomed && shown !== null && <HoverCard model={model} series={series} index={shown} />}
      </div>
      <ChartTable id={`${id}-summary`} label={label} series={series} model={model} />
    </figure>
  );
}
