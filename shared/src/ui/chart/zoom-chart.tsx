import { Area } from '@ant-design/charts';
import { ArrowLeft, ArrowRight, ZoomIn, ZoomOut } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Series } from '../../api/schemas';
import { displayHashrate, unitScale } from '../../domain';
import { AXIS, GUTTER, HEAD, type Model } from '../core/chart/model';
import { useFormat } from '../core/format/context';
import { FONT_FAMILY } from '../core/theme/theme';
import type { Palette } from '../core/theme/palette';
import { usePalette } from '../core/theme/provider';
import { zoomIn, zoomOut, move, whole, withinOf, type Range } from './range';
import s from './zoom-chart.module.css';

/** The used part of a G2 chart. */
type Chart = { on(name: string, listener: (event: { data?: { selection?: [unknown[], unknown[]] } }) => void): void };

/**
 * The plot of a series chart with zoom: drag over a range, or use the buttons. It draws the same values in the
 * same rectangle and colours as the SVG it replaces (`model`), so that nothing moves.
 */
export default function ZoomChart({ series, model, label }: { series: Series; model: Model; label: string }) {
  const { t } = useTranslation();
  const { clock, day, zone } = useFormat();
  const moment = (index: number): string => `${day(model.timeOf(index))} ${clock(model.timeOf(index))}`;
  const p = usePalette();
  const last = series.accepted.length - 1;
  const [range, setRange] = useState<Range>(whole(last));
  const [from, to] = withinOf(range, last);
  const day1 = model.timeOf(to) - model.timeOf(from) > 2 * 86_400;
  const time = useCallback((at: number) => (day1 ? day(at) : clock(at)), [day1, day, clock]);

  const data = useMemo(
    () => series.accepted.slice(from, to + 1).map((hs, i) => ({ at: new Date(model.timeOf(from + i) * 1000), hs })),
    [series, model, from, to],
  );
  // The library types it as its chart, but it is the plot's element.
  const onReady = useCallback(
    (plot: unknown) => {
      const { chart } = plot as { chart: Chart };
      chart.on('brush:end', ({ data: brush }) => {
        const [a, b] = [brush?.selection?.[0]?.[0], brush?.selection?.[0]?.at(-1)].map((at) =>
          Math.round((Number(at) / 1000 - series.from) / series.step),
        );
        if (a !== undefined && b !== undefined && b - a >= 2) setRange([a, b]);
      });
    },
    [series.from, series.step],
  );

  const top = Math.max(...model.valueTicks.map((tick) => Number(tick.text)));
  const scale = unitScale(model.unit);
  const config = useMemo(() => {
    const words = {
      labelFill: p.ink3,
      labelFillOpacity: 1,
      labelOpacity: 1,
      labelFontSize: 11,
      labelFontFamily: FONT_FAMILY,
    };
    return {
      data,
      xField: 'at',
      yField: 'hs',
      animate: false,
      autoFit: false,
      width: model.width,
      height: model.floor + AXIS,
      marginLeft: 0,
      marginRight: 0,
      marginTop: 0,
      marginBottom: 0,
      paddingLeft: GUTTER,
      paddingRight: 0,
      paddingTop: HEAD,
      paddingBottom: AXIS,
      scale: {
        x: { type: 'time', utc: zone(series.from) === 'UTC', nice: false },
        y: { domain: [0, top * scale], nice: false },
      },
      axis: {
        x: {
          title: false,
          line: false,
          tick: false,
          ...words,
          labelSpacing: 8,
          grid: false,
          labelAutoRotate: false,
          labelFormatter: (at: Date) => time(at.getTime() / 1000),
          size: AXIS,
        },
        y: {
          title: false,
          line: false,
          tick: false,
          ...words,
          labelSpacing: 5,
          size: GUTTER,
          tickMethod: () => model.valueTicks.map((tick) => Number(tick.text) * scale),
          labelFormatter: (hs: number) =>
            model.valueTicks.find((tick) => Math.abs(Number(tick.text) * scale - hs) < scale / 1e6)?.text ?? '',
          grid: true,
          gridStroke: p.line,
          gridStrokeOpacity: 1,
          gridLineWidth: 1,
          gridLineDash: [0, 0],
        },
      },
      style: { fill: `linear-gradient(-90deg, ${p.blue}05 0%, ${p.blue}33 100%)`, fillOpacity: 1 },
      line: { style: { stroke: p.blue, lineWidth: 1.5 }, tooltip: false },
      interaction: {
        brushXHighlight: { maskFill: p.blue, maskFillOpacity: 0.16 },
        tooltip: {
          crosshairsStroke: p.ink3,
          crosshairsStrokeOpacity: 1,
          crosshairsY: false,
          marker: false,
          css: tooltipCss(p),
        },
      },
      tooltip: {
        title: (point: { at: Date }) =>
          `${day(point.at.getTime() / 1000)}, ${clock(point.at.getTime() / 1000)} ${zone(point.at.getTime() / 1000)}`,
        items: [
          (point: { hs: number | null }) => ({
            name: t('ui.chart.hashrate'),
            color: p.blue,
            value:
              point.hs === null ? t('ui.chart.noData') : Object.values(displayHashrate(point.hs, model.unit)).join(' '),
          }),
        ],
      },
      legend: false as const,
      theme: {
        type: p.bg === '#0C0D10' ? 'classicDark' : 'classic',
        view: { viewFill: 'transparent', plotFill: 'transparent' },
      },
    };
  }, [data, model, p, top, scale, time, day, clock, zone, t, series.from]);

  const buttons = [
    { name: t('ui.chart.zoomIn'), icon: <ZoomIn />, next: zoomIn(range, last) },
    { name: t('ui.chart.zoomOut'), icon: <ZoomOut />, next: zoomOut(range, last) },
    { name: t('ui.chart.earlier'), icon: <ArrowLeft />, next: move(range, -1, last) },
    { name: t('ui.chart.later'), icon: <ArrowRight />, next: move(range, 1, last) },
  ];
  return (
    <div className={s.zoom} role="group" aria-label={label}>
      <div aria-hidden="true">
        <Area {...config} onReady={onReady} />
      </div>
      <div className={s.buttons} style={{ insetBlockStart: (model.lane?.top ?? model.floor + AXIS) + 5 }}>
        {buttons.map(({ name, icon, next }) => (
          <button
            key={name}
            type="button"
            className={s.button}
            aria-label={name}
            title={name}
            disabled={next === null}
            onClick={() => next && setRange(next)}
          >
            {icon}
          </button>
        ))}
      </div>
      <span className={s.said} role="status">
        {`${moment(from)} – ${moment(to)} ${zone(model.timeOf(to))}`}
      </span>
    </div>
  );
}

/** The hover card of the SVG chart, as the library's tooltip. */
const tooltipCss = (p: Palette) => ({
  '.g2-tooltip': {
    background: p.raised,
    border: `1px solid ${p.line2}`,
    'border-radius': '6px',
    'box-shadow': p.shadow,
    color: p.ink,
    'font-family': FONT_FAMILY,
    'font-size': '12px',
    padding: '8px 10px',
    direction: 'ltr',
  },
  '.g2-tooltip-title': { color: p.ink2 },
  '.g2-tooltip-list-item-name-label': { color: p.ink2 },
  '.g2-tooltip-list-item-value': { color: p.ink, 'font-weight': 600 },
});
