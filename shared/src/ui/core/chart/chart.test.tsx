import fc from 'fast-check';
import path from 'node:path';
import type { Series } from '../../../api/schemas';
import { chartModel, lossOf, totalLoss, type ModelInput } from './model';
import { move, whole, withinOf, zoomIn, zoomOut } from './range';
import { tickDecimals, timeTicks, valueTicks } from './scale';
import { areaPath, gapsOf, linePath, runsOf } from './shape';
import { execFileSync } from 'node:child_process';
import { fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { renderPage } from '../../../testing';
import { SeriesChart } from '..';
import { BarChart } from '../../chart';
import type { SeriesChartProps } from './series-chart';

describe('value ticks', () => {
  test.each([
    [21.9, [0, 6, 12, 18, 24]],
    [18.5, [0, 5, 10, 15, 20]],
    [0.541, [0, 0.15, 0.3, 0.45, 0.6]],
    [100, [0, 25, 50, 75, 100]],
    [0, [0, 1]],
  ])('%d reaches up to %j', (max, ticks) => expect(valueTicks(max)).toEqual(ticks));
  test('a low chart has three intervals', () => expect(valueTicks(104, 3)).toEqual([0, 40, 80, 120]));
  test('uses the fewest decimals that distinguish the ticks', () => {
    expect(tickDecimals([0, 6])).toBe(0);
    expect(tickDecimals([0, 0.2])).toBe(1);
    expect(tickDecimals([0, 0.15])).toBe(2);
  });
});

describe('time ticks', () => {
  const at = (text: string) => Date.parse(text) / 1000;
  const utc = (t: number) => new Date(t * 1000).toISOString().slice(5, 16);
  test('a day every four hours', () => {
    const ticks = timeTicks(at('2025-11-19T14:30Z'), at('2025-11-20T14:20Z'), 'utc', 7.5);
    expect(ticks.kind).toBe('clock');
    expect(ticks.at.map(utc).join()).toBe('11-19T16:00,11-19T20:00,11-20T00:00,11-20T04:00,11-20T08:00,11-20T12:00');
  });
  test('a month by weeks that start on Monday', () => {
    const ticks = timeTicks(at('2025-10-21T00:00Z'), at('2025-11-20T00:00Z'), 'utc', 7.5);
    expect(ticks.at.map((t) => new Date(t * 1000).getUTCDay())).toEqual([1, 1, 1, 1]);
  });
  test('a year by months', () => {
    const ticks = timeTicks(at('2024-11-20T00:00Z'), at('2025-11-20T00:00Z'), 'utc', 7.5);
    expect(ticks.kind).toBe('month');
    expect(ticks.at.map(utc).join()).toBe('01-01T00:00,03-01T00:00,05-01T00:00,07-01T00:00,09-01T00:00,11-01T00:00');
  });
  test('never returns more ticks than the maximum, and none outside the range', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1e9, max: 2e9 }),
        fc.integer({ min: 1800, max: 400 * 86_400 }),
        fc.integer({ min: 4, max: 8 }),
        (from, span, most) => {
          const { at: ticks } = timeTicks(from, from + span, 'utc', most);
          expect(ticks.length).toBeLessThanOrEqual(most + 1);
          expect(ticks.every((t) => t >= from && t <= from + span)).toBe(true);
        },
      ),
    );
  });
});

describe('shapes', () => {
  const xy = (i: number, v: number): [number, number] => [i, v];
  const points = [null, 1, 2, null, null, 3, null];
  test('the line breaks at a gap and does not fall to zero', () => {
    expect(runsOf(points)).toEqual([
      [1, 2],
      [5, 5],
    ]);
    expect(linePath(points, xy)).toBe('M1 1L2 2M4 3h2');
    expect(areaPath(points, xy, 9)).toBe('M1 9L1 1L2 2L2 9Z');
  });
  test('missing points are gaps only after the first known point', () => {
    expect(gapsOf(points)).toEqual([
      [3, 4],
      [6, 6],
    ]);
    expect(gapsOf([null, null])).toEqual([]);
  });
});

const series = (accepted: (number | null)[], lost = 0): Series => ({
  from: Date.UTC(2025, 10, 19, 14, 30) / 1000,
  step: 600,
  accepted,
  stale: accepted.map((p) => p && p * lost),
  rejected: accepted.map((p) => p && 0),
});

describe('loss', () => {
  test('is a part of all work, and unknown in a gap', () => {
    expect(lossOf(series([99, null], 1 / 99))).toEqual([expect.closeTo(0.01), null]);
    expect(totalLoss(series([99, null, 99], 1 / 99))).toBeCloseTo(0.01);
    expect(totalLoss(series([null]))).toBeNull();
  });
});

describe('model', () => {
  const input = (over: Partial<ModelInput>): ModelInput => ({
    series: series([21e15, 21.4e15, null, null, 21.2e15, 21.9e15]),
    width: 640,
    height: 234,
    decimal: (value, decimals) => value.toFixed(decimals),
    tickText: (kind, at) => `${kind} ${at}`.slice(0, 5),
    zone: 'utc',
    lane: true,
    gapLabel: () => 'No data',
    measure: (text) => text.length * 6,
    ...over,
  });
  test('the plot goes from zero to the top tick, in the unit of the largest value', () => {
    const model = chartModel(input({}));
    expect(model.unit).toBe('P');
    expect(model.y(0)).toBe(model.floor);
    expect(model.y(24e15)).toBeCloseTo(model.top);
    expect(model.valueTicks.map((tick) => tick.text)).toEqual(['0', '6', '12', '18', '24']);
  });
  test('the first point is at the axis, the last at the right edge', () => {
    const model = chartModel(input({}));
    expect(model.x(0)).toBe(36);
    expect(model.x(5)).toBe(640);
  });
  test('no label covers the line or another label', () => {
    const model = chartModel(
      input({ mean: { value: 21.3e15, label: '24 h mean 21.3' }, limit: { value: 14e15, label: 'Alert limit 14' } }),
    );
    const notes = [model.mean, model.limit].map((line) => ({
      x: line!.note.x,
      y: line!.note.y - 11,
      width: 18 + line!.note.text.length * 6,
      height: 16,
    }));
    // What lines mean stands above the plot: it can cover no data.
    notes.forEach((note) => expect(note.y + note.height).toBeLessThanOrEqual(model.top));
    const boxes = [...notes, ...model.gapLabels];
    expect(boxes).toHaveLength(3);
    boxes.forEach((a, i) =>
      boxes.slice(i + 1).forEach((b) => {
        expect(a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y).toBe(
          true,
        );
      }),
    );
  });
  test('notes without room beside each other stand in rows', () => {
    const lines = {
      mean: { value: 21e15, label: 'среднее за 24 ч 21,31 PH/s' },
      limit: { value: 14e15, label: 'порог оповещения 14,92 PH/s' },
    };
    const [wide, phone] = [640, 320].map((width) => chartModel(input({ width, ...lines })));
    expect(wide!.mean!.note.y).toBe(wide!.limit!.note.y);
    expect(phone!.mean!.note.y).toBeGreaterThan(phone!.limit!.note.y);
    expect(phone!.floor).toBe(wide!.floor);
  });
  test('names of several lines stand in their order', () => {
    const others = ['Hall B', 'Hall C'].map((label) => ({ label, points: [] }));
    const { names } = chartModel(input({ name: 'Hall A', others }));
    expect(names.toSorted((a, b) => a.x - b.x).map(({ text }) => text)).toEqual(['Hall A', 'Hall B', 'Hall C']);
  });
  test('long texts of times are fewer: they do not meet', () => {
    const year = { ...series(Array.from({ length: 365 }, () => 21e15)), step: 86_400 };
    const measure = (text: string) => text.length * 6;
    const { timeTicks: ticks } = chartModel(input({ series: year, width: 360, measure, tickText: () => 'Nov 2025' }));
    ticks.slice(1).forEach((tick, i) => expect(tick.x - ticks[i]!.x).toBeGreaterThan(48));
  });
  test('a series of gaps gives finite coordinates', () => {
    for (const points of [[], [null], [5], [0, 0]]) {
      const model = chartModel(input({ series: series(points) }));
      expect(
        [model.width, model.height, model.y(0), model.x(0), ...model.valueTicks.map((tick) => tick.y)].every(
          Number.isFinite,
        ),
      ).toBe(true);
    }
  });
});

describe('where clocks change', () => {
  // Ticks of such a zone are made in a process of their own, because Node reads TZ at its start.
  const SCALE = path.join(__dirname, 'scale.ts');
  const TIME = path.join(__dirname, '../format/time.ts');

  // By an hour or half an hour, at night or at midnight, in spring or for Ramadan.
  const ZONES = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'America/Santiago', 'Africa/Casablanca'];
  const code = `
    const fc = (await import(${JSON.stringify(require.resolve('fast-check'))})).default;
    const { timeTicks } = await import(${JSON.stringify(SCALE)});
    const { formatMoment } = await import(${JSON.stringify(TIME)});
    const MINUTE = 60, DAY = 86400;
    const minuteOf = (at) => new Date(at * 1000).getHours() * 60 + new Date(at * 1000).getMinutes();
    const offset = (at) => new Date(at * 1000).getTimezoneOffset();
    const days = Array.from({ length: 365 }, (_, i) => Date.UTC(2026, 0, 1) / 1000 + i * DAY);
    const changes = days.filter((day) => offset(day) !== offset(day + DAY));
    const nights = changes.length ? changes : days.slice(0, 1);
    const property = fc.property(
      fc.constantFrom(...nights), fc.integer({ min: -2 * DAY, max: DAY }), fc.integer({ min: 1800, max: 3 * DAY }),
      fc.integer({ min: 4, max: 8 }),
      (night, before, span, most) => {
        const { at, kind } = timeTicks(night + before, night + before + span, 'local', most);
        if (kind !== 'clock') return;
        const steps = at.slice(1).map((tick, i) => tick - at[i]);
        const usual = [...steps].sort((a, b) => a - b)[(steps.length - 1) >> 1] ?? 0;
        const shift = Math.max(...nights.map((day) => Math.abs(offset(day) - offset(day + DAY)))) * MINUTE;
        // The step with the change is shorter or longer, and has no tick at a time that the clock leaves out.
        if (steps.some((step) => step < usual - shift || step <= 0 || step > 2 * usual + shift)) throw new Error('steps ' + steps);
        const round = Math.max(5, [5, 10, 15, 30].findLast((m) => m * MINUTE <= usual) ?? 5);
        if (at.some((tick) => minuteOf(tick) % round !== 0)) throw new Error('not round');
        const ends = [at[0] - (night + before), night + before + span - at.at(-1)];
        if (at.length > most + 2 || (at.length > 2 && Math.max(...ends) > 2 * usual + shift)) throw new Error('number');
      },
    );
    fc.assert(property, { seed: 1, numRuns: 2000 });
    const spring = timeTicks(Date.parse('2026-03-29T00:00Z') / 1000, Date.parse('2026-03-29T02:10Z') / 1000, 'local', 8);
    const moments = ['2026-10-25T00:30Z', '2026-10-25T01:30Z'].map((at) => formatMoment('en', 'local', Date.parse(at) / 1000));
    console.log(JSON.stringify([spring.at.map(minuteOf), moments]));
  `;

  test.each(ZONES)('%s: ticks are in order, round on the clock and a step apart in real time', (zone) => {
    const written = execFileSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', code], {
      env: { ...process.env, TZ: zone },
      encoding: 'utf8',
    });
    if (zone !== 'Europe/Berlin') return;
    expect(JSON.parse(written)).toEqual([
      [60, 90, 180, 210, 240],
      ['25 Oct 2026, 02:30 UTC+02:00', '25 Oct 2026, 02:30 UTC+01:00'],
    ]);
  });
});

describe('a range', () => {
  test('zooms in and out again', () => {
    expect(zoomIn([0, 100], 100)).toEqual([25, 75]);
    expect(zoomOut([25, 75], 100)).toEqual([0, 100]);
    expect(zoomOut(whole(100), 100)).toBeNull();
    expect(zoomIn([10, 16], 100)).toBeNull();
  });
  test('moving stops at the ends', () => {
    expect(move([0, 20], -1, 100)).toBeNull();
    expect(move([5, 25], -1, 100)).toEqual([0, 20]);
    expect(move([80, 100], 1, 100)).toBeNull();
  });
  test('a range stays inside a series that became shorter', () => expect(withinOf([90, 144], 100)).toEqual([90, 100]));
});

describe('the chart of a series', () => {
  const accepted = [21e15, 21.4e15, null, null, 21.2e15, 22e15];
  const series: Series = {
    from: Date.UTC(2025, 10, 21, 12) / 1000,
    step: 600,
    accepted,
    stale: accepted.map((p) => p && p / 99),
    rejected: accepted.map((p) => p && 0),
  };

  test('has a summary and a table for screen readers, with the gap', async () => {
    await renderPage(<SeriesChart series={series} label="Hashrate of northfield" />);
    const chart = screen.getByRole('slider', { name: 'Hashrate of northfield' });
    expect(chart).toHaveAccessibleDescription(
      /mean 21\.40 PH\/s, lowest 21\.00 PH\/s, highest 22\.00 PH\/s.*No data .*12:20–12:40/,
    );
    expect(screen.getByRole('table', { name: 'Hashrate of northfield' })).toBeInTheDocument();
  });

  test('arrow keys read point by point; a gap is no data, not zero', async () => {
    const { user } = await renderPage(<SeriesChart series={series} label="Hashrate" />);
    const chart = screen.getByRole('slider');
    await user.tab();
    expect(chart).toHaveFocus();
    await user.keyboard('{Home}');
    expect(chart).toHaveAttribute('aria-valuetext', '21 Nov 2025, 12:00 UTC: 21.00 PH/s');
    await user.keyboard('{ArrowRight}{ArrowRight}');
    expect(chart).toHaveAttribute('aria-valuetext', '21 Nov 2025, 12:20 UTC: No data');
    await user.keyboard('{End}{ArrowRight}');
    expect(chart).toHaveAttribute('aria-valuetext', '21 Nov 2025, 12:50 UTC: 22.00 PH/s');
  });

  test('a live point is appended to the same chart', async () => {
    const { rerender, container } = await renderPage(<SeriesChart series={series} label="Hashrate" />);
    const line = () => container.querySelector('path.line')?.getAttribute('d')?.match(/[ML]/g)?.length;
    expect(line()).toBe(4);
    rerender(
      <SeriesChart
        series={{
          ...series,
          accepted: [...accepted, 21e15],
          stale: [...series.stale, 0],
          rejected: [...series.rejected, 0],
        }}
        label="Hashrate"
      />,
    );
    expect(line()).toBe(5);
  });

  /** The chart of `series`; after a click of `next`. */
  function Live({
    first,
    next,
    ...props
  }: Omit<SeriesChartProps, 'series' | 'label'> & { first: Series; next: Series }) {
    const [shown, setShown] = useState(first);
    return (
      <>
        <button onClick={() => setShown(next)}>next</button>
        <SeriesChart {...props} series={shown} label="Hashrate" />
      </>
    );
  }
  /** jsdom has no layout: the chart is one pixel wide. */
  const point = (type: `pointer${'down' | 'move' | 'up' | 'out'}`, clientX: number, pointerType = 'mouse') =>
    fireEvent(
      screen.getByRole('slider'),
      Object.assign(new MouseEvent(type, { bubbles: true, clientX }), { pointerType }),
    );

  test('under a still pointer the card keeps its point while the live series moves', async () => {
    const next = { ...series, from: series.from + 600, accepted: [...accepted.slice(1), 19e15] };
    const { user, container } = await renderPage(<Live first={series} next={next} />);
    const card = () => container.querySelector('.card')?.textContent;
    point('pointermove', 0.8);
    expect(card()).toMatch(/12:40 UTC.*21\.20/);
    await user.click(screen.getByRole('button', { name: 'next' }));
    expect(card()).toMatch(/12:40 UTC.*21\.20/);
  });

  const long: Series = {
    ...series,
    accepted: Array.from({ length: 48 }, (_, i) => (i === 20 ? null : 21e15 + i * 1e12)),
    stale: Array.from({ length: 48 }, () => 1e14),
    rejected: Array.from({ length: 48 }, () => 0),
  };
  const lines = { mean: { value: 21e15, label: '24 h mean 21.00 PH/s' } };

  test('dragging over the chart zooms into it; gap, mean, loss lane and zone stay', async () => {
    const { user, container } = await renderPage(<SeriesChart series={long} label="Hashrate" lane {...lines} />);
    const chart = screen.getByRole('slider');
    const drag = (from: number, to: number, pointerType?: string) => {
      point('pointerdown', from, pointerType);
      point('pointermove', to, pointerType);
      point('pointerup', to, pointerType);
    };
    drag(0.2, 0.6, 'touch');
    expect(chart).toHaveAttribute('aria-valuemax', '47');
    // A reading stays when the finger is lifted, until it taps elsewhere.
    const card = () => container.querySelector('.card');
    point('pointerout', 0.6, 'touch');
    expect(card()).toBeInTheDocument();
    await user.click(document.body);
    expect(card()).not.toBeInTheDocument();
    point('pointermove', 0.6);
    expect(card()).toBeInTheDocument();
    point('pointerout', 0.6);
    expect(card()).not.toBeInTheDocument();
    drag(0.6, 0.3);
    expect(chart).toHaveAttribute('aria-valuemax', '14');
    expect(screen.getByText('21 Nov 2025, 14:20 UTC – 21 Nov 2025, 16:40 UTC')).toBeInTheDocument();
    expect(container.querySelector('rect[fill*=hatch]')).toBeInTheDocument();
    expect(container.querySelector('svg')).toHaveTextContent(/PH\/s.*UTC.*24 h mean 21\.00 PH\/s.*Stale/);
    await user.click(screen.getByRole('button', { name: 'Whole period' }));
    expect(chart).toHaveAttribute('aria-valuemax', '47');
    expect(screen.getByRole('button', { name: 'Zoom in' })).toHaveFocus();
  });

  test('the zoom ends with another timeframe', async () => {
    const { user } = await renderPage(<Live lane first={long} next={{ ...long, step: 3600 }} />);
    await user.click(screen.getByRole('button', { name: 'Zoom in' }));
    await user.click(screen.getByRole('button', { name: 'next' }));
    expect(screen.queryByRole('button', { name: 'Whole period' })).not.toBeInTheDocument();
  });

  test('the zoom is of a time: it stays while the series goes on', async () => {
    const { user } = await renderPage(<Live lane first={long} next={{ ...long, from: long.from + 600 }} />);
    await user.click(screen.getByRole('button', { name: 'Zoom in' }));
    const shown = '21 Nov 2025, 14:00 UTC – 21 Nov 2025, 18:00 UTC';
    expect(screen.getByText(shown)).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'next' }));
    expect(screen.getByText(shown)).toBeInTheDocument();
  });

  test('no rates while the shares are too few for them', async () => {
    const { container } = await renderPage(<SeriesChart series={series} label="Hashrate" lane rates={false} />);
    point('pointermove', 0);
    expect(container).not.toHaveTextContent('%');
  });

  test('without shares shows a message and no slider', async () => {
    await renderPage(
      <SeriesChart
        series={{ ...series, accepted: [null, null], stale: [null, null], rejected: [null, null] }}
        label="Hashrate"
      />,
    );
    expect(screen.queryByRole('slider')).not.toBeInTheDocument();
    expect(screen.getAllByText('No shares in this period yet').length).toBeGreaterThan(0);
  });

  test('stays left to right in Arabic', async () => {
    const { container } = await renderPage(<SeriesChart series={series} label="معدل التجزئة" />, { language: 'ar' });
    expect(container.querySelector('figure')).toHaveAttribute('dir', 'ltr');
  });

  test('columns say what they are, lead to their days, and are also a table for screen readers', async () => {
    const { user, container } = await renderPage(
      <BarChart
        label="Net by month"
        bars={[
          { label: 'Oct', value: 0.541, text: '0.541', href: '/payments/?from=2026-10-01&to=2026-10-31' },
          { label: 'Nov so far', value: 0.349, text: '0.349', current: true },
        ]}
      />,
    );
    expect(screen.getByRole('row', { name: 'Nov so far 0.349' })).toBeInTheDocument();
    const october = container.querySelector('a[href="/payments/?from=2026-10-01&to=2026-10-31"]')!;
    await user.hover(october);
    expect(await screen.findByRole('tooltip')).toHaveTextContent('Oct: 0.541');
  });
});
