import { fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import type { Series } from '../../../api/schemas';
import { renderPage } from '../../../testing';
import { SeriesChart } from '..';
import { BarChart } from '../../chart';
import type { SeriesChartProps } from './series-chart';

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
function Live({ first, next, ...props }: Omit<SeriesChartProps, 'series' | 'label'> & { first: Series; next: Series }) {
  const [shown, setShown] = useState(first);
  return (
    <>
      <button onClick={() => setShown(next)}>next</button>
      <SeriesChart {...props} series={shown} label="Hashrate" />
    </>
  );
}
/** jsdom has no layout: the chart is one pixel wide. */
const point = (type: 'pointerdown' | 'pointermove' | 'pointerup', clientX: number, pointerType = 'mouse') =>
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
