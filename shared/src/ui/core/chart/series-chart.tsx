import { lazy, Suspense, use, useId, useMemo, type ReactNode, type Ref } from 'react';
import { useTranslation } from 'react-i18next';
import type { Series } from '../../../api/schemas';
import { useFormat } from '../format/context';
import { expectedPlot, textWidth, useFontsReady, useWidth } from '../measure';
import { VisuallyHidden } from '../pieces/visually-hidden';
import { Viewport } from '../viewport';
import { ChartPicture } from './chart-picture';
import { chartModel, GUTTER, NARROW, type Line, type Model, type OtherLine } from './model';
import type { Range } from './range';
import s from './series-chart.module.css';
import { useReader } from './use-reader';
import { useZoom } from './use-zoom';

const absent = () => ({ default: () => null });
/** Not in the first view, which is only looked at. A chart without them can still be dragged over. */
const ChartTable = lazy(() => import(/* webpackChunkName: "series-chart" */ './chart-table').catch(absent));
const HoverCard = lazy(() => import(/* webpackChunkName: "series-chart" */ './hover-card').catch(absent));
const ZoomButtons = lazy(() => import(/* webpackChunkName: "series-chart" */ './zoom-buttons').catch(absent));

/** `x`: px from the chart's left, of a time in Unix seconds; `top`, `floor`: of the plot, px from the chart's top. */
type Plot = { x(at: number): number; from: number; to: number; top: number; floor: number };
export type SeriesChartProps = {
  series: Series;
  /** Name for screen readers: "Hashrate of northfield, 24 h". */
  label: string;
  /** A dashed line; its label stands above the plot: `{ value: H/s, label: "24 h mean 21.31 PH/s" }`. */
  mean?: Line;
  /** An amber dashed line, such as the alert limit of a worker. */
  limit?: Line;
  /** Further lines of the same steps, at most four; dim, such as an earlier time, unless the series has a `name`. */
  others?: readonly OtherLine[];
  /** The series' own name among `others`: each line then has a colour, and its name above the plot. */
  name?: string;
  /** Elements over the plot, which follow its times. */
  over?: (plot: Plot) => ReactNode;
  /** Shows stale and rejected work in a lane of its own. Such a chart zooms, by dragging or with buttons. */
  lane?: boolean;
  /** False while there are too few shares for a rate of stale and rejected work: the rates are not shown. */
  rates?: boolean;
  /** Said in place of a chart without points. */
  nothing?: string;
  /** Height of the plot, px, on a narrow and on a wide chart. */
  height?: { narrow: number; wide: number };
  /** The SVG, for `downloadChartPng`. */
  ref?: Ref<SVGSVGElement>;
};

const HEIGHT = { narrow: 148, wide: 180 };
/** Estimated width of a text until the fonts are loaded. */
const roughWidth = (text: string) => text.length * 6.2;

/** Hashrate over time as SVG; a point is read with the pointer or the arrow keys. Time runs left to right. */
export function SeriesChart(props: SeriesChartProps) {
  const { label, mean, name, over, lane = false, rates = true, ref } = props;
  const { t, i18n } = useTranslation();
  const nothing = props.nothing ?? t('ui.chart.nothing');
  const format = useFormat();
  const id = useId();
  const viewport = use(Viewport);
  const [box, width] = useWidth<HTMLDivElement>(viewport?.plot ?? expectedPlot());
  const measure = useFontsReady() ? textWidth : roughWidth;
  const { range, shown: series, show } = useZoom(props.series);
  const model = useModel(props, { series, range, width, measure });
  const [firstShown, lastShown] = range;
  const reading = useReader(series, lane ? ([a, b]) => show([firstShown + a, firstShown + b]) : undefined);
  const { active, dragFrom } = reading;
  const { from, step, accepted } = series;
  const known = accepted.some((p) => p !== null);
  const last = props.series.accepted.length - 1;
  const zoomed = lastShown - firstShown < last;
  const to = model.timeOf(accepted.length - 1);
  const moment = (at: number) => `${format.dayClock(at)} ${format.zone(at)}`;
  const laneWords = t('ui.chart.loss');
  const laneLabel = { text: laneWords, width: measure(laneWords), rtl: i18n.dir() === 'rtl' };
  return (
    <figure className={s.chart} dir="ltr">
      <div ref={box} className={s.box} style={{ blockSize: model.height }}>
        <ChartPicture
          ref={ref}
          id={id}
          model={model}
          series={series}
          format={format}
          active={active}
          laneLabel={width < NARROW && zoomed ? null : laneLabel}
          rates={rates}
        />
        {known ? (
          <Reader label={label} summary={`${id}-summary`} {...{ model, series, reading, moment }} />
        ) : (
          <p className={s.nothing} style={{ insetBlockStart: model.top + model.plotHeight / 2 - 11 }}>
            {nothing}
          </p>
        )}
        {model.lane && (known || zoomed) && (
          <Suspense>
            <ZoomButtons
              range={range}
              last={last}
              place={{ top: model.lane.top - model.lane.head, height: model.lane.head }}
              onShow={show}
            />
          </Suspense>
        )}
        {known && active !== null && dragFrom === null && (
          <Suspense>
            <HoverCard model={model} series={series} index={active} rates={rates} name={name} />
          </Suspense>
        )}
        {over?.({ x: (at) => model.x((at - from) / step), from, to, top: model.top, floor: model.floor })}
      </div>
      {model.lane && (
        <VisuallyHidden>
          <span role="status">{zoomed && `${moment(from)} – ${moment(to)}`}</span>
        </VisuallyHidden>
      )}
      {!viewport && (
        <Suspense>
          <ChartTable
            id={`${id}-summary`}
            label={label}
            name={name}
            series={series}
            mean={mean?.value}
            model={model}
            nothing={nothing}
          />
        </Suspense>
      )}
    </figure>
  );
}

type Drawn = { series: Series; range: Range; width: number; measure(text: string): number };

/** All that is drawn of the shown part of the series. */
function useModel(
  { mean, limit, others, name, lane = false, height = HEIGHT }: SeriesChartProps,
  { series, range: [first, last], width, measure }: Drawn,
): Model {
  const { t } = useTranslation();
  const format = useFormat();
  const plot = width < NARROW ? height.narrow : height.wide;
  return useMemo(() => {
    const { step } = series;
    // Gaps of a coarse chart last days: show days, not times.
    const gapEnd = step < 3600 ? format.clock : step < 86_400 ? format.dayClock : format.day;
    return chartModel({
      series,
      width,
      mean,
      limit,
      others: others?.map((other) => ({ ...other, points: other.points.slice(first, last + 1) })),
      name,
      lane,
      zone: format.timeZone,
      decimal: format.decimal,
      tickText: (kind, at) => format[kind](at),
      measure,
      height: plot,
      gapLabel: (start, end) => t('ui.chart.gap', { range: `${gapEnd(start)}–${gapEnd(end)}` }),
    });
  }, [series, width, plot, mean, limit, others, name, first, last, lane, format, t, measure]);
}

type ReaderProps = {
  label: string;
  /** Id of the table that says what the chart shows. */
  summary: string;
  model: Model;
  series: Series;
  reading: ReturnType<typeof useReader>;
  moment(at: number): string;
};

/** Spans the plot: a slider whose value is the point that is read, and the part that is dragged over. */
function Reader({ label, summary, model, series: { accepted }, reading, moment }: ReaderProps) {
  const { t } = useTranslation();
  const { hashrateText } = useFormat();
  const { active, dragFrom, handlers } = reading;
  const last = accepted.length - 1;
  const index = active ?? last;
  const hs = accepted[index];
  return (
    <div
      className={s.reader}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-describedby={summary}
      aria-valuemin={0}
      aria-valuemax={last}
      aria-valuenow={index}
      aria-valuetext={`${moment(model.timeOf(index))}: ${hs === null || hs === undefined ? t('ui.chart.noData') : hashrateText(hs, model.unit)}`}
      aria-orientation="horizontal"
      style={{
        insetInlineStart: GUTTER,
        insetBlockStart: model.top,
        blockSize: (model.lane?.floor ?? model.floor) - model.top,
      }}
      {...handlers}
    >
      {dragFrom !== null && active !== null && (
        <span
          className={s.brush}
          style={{
            insetInlineStart: model.x(Math.min(dragFrom, active)) - GUTTER,
            inlineSize: Math.abs(model.x(active) - model.x(dragFrom)),
          }}
        />
      )}
    </div>
  );
}
