import { Column } from '@ant-design/charts';
import { useMemo } from 'react';
import { SATS_PER_BTC } from '../../domain';
import { valueTicks } from '../core/chart/scale';
import { useFormat } from '../core/format/context';
import { useWidth } from '../core/measure';
import { FONT_FAMILY } from '../core/theme/font';
import { usePalette } from '../core/theme/provider';

/** Part of a day's amount. `day`: UTC, `YYYY-MM-DD`. */
export type DayPart = { day: string; name: string; sats: number };

const HEIGHT = 200;

/** A column per day, one part for each name, with an amount for the pointer. Days without parts are gaps. */
export default function StackedDays({ parts }: { parts: readonly DayPart[] }) {
  const { day, btc, decimal } = useFormat();
  const p = usePalette();
  const [box, width] = useWidth<HTMLDivElement>(640);
  const config = useMemo(() => {
    const days = new Map<string, number>();
    for (const part of parts) days.set(part.day, (days.get(part.day) ?? 0) + part.sats);
    const ticks = valueTicks(Math.max(0, ...days.values())).filter(Number.isInteger);
    // The fewest decimals that distinguish the ticks, the same for each.
    const decimals = [0, 1, 2, 3, 4, 5, 6, 7].find((d) => ticks.every((sats) => sats % 10 ** (8 - d) === 0)) ?? 8;
    const words = { labelFill: p.ink3, labelFillOpacity: 1, labelOpacity: 1, labelFontSize: 11 };
    const axis = { title: false as const, line: false, tick: false, labelFontFamily: FONT_FAMILY, ...words };
    return {
      data: [...parts],
      xField: 'day',
      yField: 'sats',
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
          labelFormatter: (sats: number) => decimal(sats / SATS_PER_BTC, decimals),
          grid: true,
          gridStroke: p.line,
          gridStrokeOpacity: 1,
          gridLineDash: [0, 0],
        },
      },
      scale: {
        y: { domain: [0, ticks.at(-1) ?? 1], tickMethod: () => ticks },
        color: { range: [p.blue, p.orange, p.ok, p.warn, p.bad, p.idle] },
      },
      legend: false as const,
      tooltip: {
        title: (part: DayPart) => day(part.day, true),
        items: [(part: DayPart) => ({ name: part.name, value: btc(part.sats) })],
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
  }, [parts, width, p, day, btc, decimal]);
  return (
    <div ref={box} dir="ltr" aria-hidden="true" style={{ blockSize: HEIGHT }}>
      <Column {...config} />
    </div>
  );
}
