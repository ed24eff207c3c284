import { Column } from '@ant-design/charts';
import { useMemo } from 'react';
import { hashrateUnit, SATS_PER_BTC, unitLabel, unitScale } from '../../domain';
import { valueTicks } from '../core/chart/scale';
import { useFormat } from '../core/format/context';
import { useWidth } from '../core/measure';
import { FONT_FAMILY } from '../core/theme/palette';
import { usePalette } from '../core/theme/provider';
import { HEIGHT, type DayPart, type Measure } from './stacked-days';

/** `one`: value of one shown unit. `smallest`: ticks are its multiples; 0: any. `word`: the unit behind each tick. */
function scaleOf(measure: Measure, max: number) {
  const unit = hashrateUnit(max);
  return {
    btc: { one: SATS_PER_BTC, smallest: 1, word: '' },
    sat: { one: 1, smallest: 1, word: ' sats' },
    hashrate: { one: unitScale(unit), smallest: 0, word: ` ${unitLabel(unit)}` },
    count: { one: 1, smallest: 1, word: '' },
  }[measure];
}

type Props = {
  parts: readonly DayPart[];
  measure: Measure;
  names: readonly string[];
  /** A value with its unit. */
  text(value: number): string;
};

export default function StackedDaysPlot({ parts, measure, names, text }: Props) {
  const { day, decimal } = useFormat();
  const p = usePalette();
  const [box, width] = useWidth<HTMLDivElement>(640);
  const config = useMemo(() => {
    const days = new Map<string, number>();
    for (const part of parts) days.set(part.day, (days.get(part.day) ?? 0) + part.value);
    const max = Math.max(0, ...days.values());
    const { one, smallest, word } = scaleOf(measure, max);
    const ticks = valueTicks(max).filter((tick) => smallest === 0 || tick % smallest === 0);
    // The fewest decimals that distinguish the ticks, the same for each.
    const decimals = [0, 1, 2, 3, 4, 5, 6, 7].find((d) => ticks.every((tick) => (tick * 10 ** d) % one === 0)) ?? 8;
    const own = names.filter((name) => parts.some((part) => part.name === name));
    const colours = [p.blue, p.ok, p.orange, p.warn, p.idle, p.bad];
    const isSingle = own.length < 2;
    const words = { labelFill: p.ink3, labelFillOpacity: 1, labelOpacity: 1, labelFontSize: 11 };
    const axis = { title: false as const, line: false, tick: false, labelFontFamily: FONT_FAMILY, ...words };
    return {
      data: [...parts],
      xField: 'day',
      yField: 'value',
      colorField: 'name',
      stack: true,
      animate: false,
      autoFit: false,
      width,
      height: HEIGHT,
      axis: {
        x: { ...axis, labelAutoRotate: false, labelFormatter: (at: string) => day(at) },
        y: {
          ...axis,
          labelFormatter: (value: number) => decimal(value / one, decimals) + word,
          grid: true,
          gridStroke: p.line,
          gridStrokeOpacity: 1,
          gridLineDash: [0, 0],
        },
      },
      scale: {
        y: { domain: [0, ticks.at(-1) ?? 1], tickMethod: () => ticks },
        color: { domain: own, range: own.map((name) => colours[names.indexOf(name) % colours.length]) },
      },
      legend: isSingle
        ? (false as const)
        : {
            color: {
              position: 'bottom' as const,
              itemMarker: 'square',
              itemMarkerSize: 8,
              itemLabelFill: p.ink2,
              itemLabelFillOpacity: 1,
              itemLabelFontSize: 12,
              itemLabelFontFamily: FONT_FAMILY,
            },
          },
      tooltip: {
        title: (part: DayPart) => day(part.day, true),
        items: [(part: DayPart) => ({ name: part.name, value: text(part.value) })],
      },
      interaction: {
        tooltip: {
          css: {
            '.g2-tooltip': {
              background: p.raised,
              border: `1px solid ${p.line2}`,
              color: p.ink,
              'box-shadow': p.shadow,
            },
            '.g2-tooltip-title': { color: p.ink2 },
            '.g2-tooltip-list-item-name-label': { color: p.ink2 },
            '.g2-tooltip-list-item-value': { color: p.ink, 'box-shadow': p.shadow },
          },
        },
      },
      theme: { type: p.bg === '#0C0D10' ? 'classicDark' : 'classic', view: { viewFill: 'transparent' } },
    };
  }, [parts, measure, names, width, p, day, decimal, text]);
  return (
    <div ref={box} dir="ltr" aria-hidden="true" style={{ blockSize: HEIGHT }}>
      <Column {...config} />
    </div>
  );
}
