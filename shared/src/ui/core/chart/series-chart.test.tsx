import { screen } from '@testing-library/react';
import type { Series } from '../../../api/schemas';
import { renderPage } from '../../../testing';
import { BarChart, SeriesChart } from '..';

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
  expect(chart).toHaveAttribute('aria-valuetext', '21 Nov 12:00 UTC: 21.00 PH/s');
  await user.keyboard('{ArrowRight}{ArrowRight}');
  expect(chart).toHaveAttribute('aria-valuetext', '21 Nov 12:20 UTC: No data');
  await user.keyboard('{End}{ArrowRight}');
  expect(chart).toHaveAttribute('aria-valuetext', '21 Nov 12:50 UTC: 22.00 PH/s');
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

test('the loss lane shows the loss of the whole period', async () => {
  const { container } = await renderPage(<SeriesChart series={series} label="Hashrate" lane />);
  expect(container.querySelector('svg')).toHaveTextContent(/Stale \+ rejected.*1\.00/);
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

test('columns are also a table for screen readers', async () => {
  await renderPage(
    <BarChart
      label="Net by month"
      bars={[
        { label: 'Oct', value: 0.541, text: '0.541' },
        { label: 'Nov so far', value: 0.349, text: '0.349', current: true },
      ]}
    />,
  );
  expect(screen.getByRole('row', { name: 'Nov so far 0.349' })).toBeInTheDocument();
});
