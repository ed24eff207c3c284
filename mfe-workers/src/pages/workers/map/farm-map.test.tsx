import type { Worker } from '@pool/shared';
import { Address, fakeApi, renderPage, textsIn } from '@pool/shared/testing';
import { Route, Routes } from '@pool/shared/router';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { liveWorkers, worker } from '../../../testing/worker';
import { DashboardMap } from './dashboard-map';
import { FarmMap } from './farm-map';
import { cellOf, hallsOf, layoutOf, workerAfter, workerAt } from './map-layout';

const hall = (name: string | null, count: number, facts: Partial<Worker> = {}) =>
  Array.from({ length: count }, (_, n) => worker({ name: `${name ?? 'x'}-${n}`, group: name, ...facts }));

test('halls stand side by side as blocks within the width, each worker in a cell of its own', () => {
  const workers = [...hall('Hall 10', 400), ...hall('Hall 2', 100, { state: 'offline' }), ...hall(null, 3)];
  const halls = hallsOf(workers);
  expect(halls.map(({ name, workers: all }) => [name, all.length])).toEqual([
    ['Hall 2', 100],
    ['Hall 10', 400],
    [null, 3],
  ]);
  for (const width of [1100, 358]) {
    const layout = layoutOf(halls, width);
    const cells = layout.blocks.flatMap(({ hall: { workers: all }, columns, x, y }) => {
      expect(x + columns * layout.step).toBeLessThanOrEqual(width);
      return all.map((one, at) => {
        const [left, top] = [x + (at % columns) * layout.step, y + Math.floor(at / columns) * layout.step];
        expect(workerAt(layout, left + 1, top + 1)).toBe(one);
        expect(top + layout.step).toBeLessThanOrEqual(layout.height);
        return `${left} ${top}`;
      });
    });
    expect(new Set(cells).size).toBe(503);
  }
  expect(layoutOf([], 1100)).toMatchObject({ blocks: [], height: 0 });
});

test('a cell says how much of its usual hour a worker makes', () => {
  const usual = { spark: Array<number>(24).fill(100e12), h24: 100e12 };
  const cells = [
    { ...usual, h1: 99e12 },
    { ...usual, h1: 80e12 },
    { ...usual, state: 'low', h1: 30e12 },
    { ...usual, state: 'offline' },
    { ...usual, disconnectedAt: 1 },
    { ...usual, state: 'inactive' },
  ] as const;
  expect(cells.map((facts) => cellOf(worker(facts)))).toEqual(['all', 'most', 'some', 'off', 'off', 'inactive']);
});

test('arrow keys go over the edge of a hall to the next, and stay within the farm', () => {
  const workers = [...hall('A', 10), ...hall('B', 10)];
  const layout = layoutOf(hallsOf(workers), 1100);
  const from = (at: number, key: string) => workers.indexOf(workerAfter(layout, workers[at]!.id, key)!);
  expect([from(9, 'ArrowRight'), from(0, 'ArrowLeft'), from(0, 'ArrowDown'), from(19, 'ArrowDown')]).toEqual([
    10, 0, 4, 19,
  ]);
  expect(workerAfter(layout, null, 'ArrowRight')).toBe(workers[0]);
  expect(workerAfter(layout, null, 'x')).toBeUndefined();
});

test('by keyboard: what a cell is is read out, and Enter opens its worker', async () => {
  HTMLCanvasElement.prototype.getContext = () => null;
  const rigs = [...hall('Hall A', 2), ...hall('Hall B', 1, { state: 'offline', h1: 0 })];
  const onGroup = jest.fn();
  const { user } = await renderPage(
    <>
      <Routes>
        <Route path=":id?" element={<FarmMap workers={rigs} onGroup={onGroup} />} />
      </Routes>
      <Address />
    </>,
    { path: '/workers/', route: '/workers/*' },
  );
  const map = screen.getByRole('application', { name: /Map of the farm/ });
  map.focus();
  for (const key of ['{ArrowRight}', '{ArrowRight}', '{ArrowRight}']) await user.keyboard(key);
  expect(screen.getByText('0 % of its usual hour')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Hall B-0' })).toBeVisible();
  const legend = screen.getByRole('list', { name: 'Colours of the map' });
  expect(textsIn(within(legend).getAllByRole('listitem'))).toEqual([
    'Off 1',
    'Below 50 % 0',
    'Below 90 % 0',
    'As usual 2',
    'Inactive 0',
  ]);
  await user.keyboard('{Enter}');
  expect(screen.getByRole('status')).toHaveTextContent(`/${rigs[2]!.id}`);
  fireEvent.click(screen.getByRole('button', { name: 'Hall A 2' }));
  expect(onGroup).toHaveBeenCalledWith('Hall A');
});

test('on the dashboard it leads to workers and groups of the list; a few workers need no map', async () => {
  HTMLCanvasElement.prototype.getContext = () => null;
  const rigs = hall('Hall A', 20);
  const open = (workers: Worker[]) =>
    renderPage(
      <>
        <DashboardMap />
        <Address />
      </>,
      { path: '/dashboard/?group=Hall+B', api: fakeApi({ 'GET /liveWorkers/': liveWorkers(workers) }) },
    );
  const few = await open(rigs.slice(1));
  await waitFor(() => expect(few.api.sent('GET /liveWorkers/')).toHaveLength(1));
  await waitFor(() => expect(few.container.querySelector('[class*="skeleton"]')).toBeNull());
  expect(screen.queryByRole('application')).toBeNull();
  few.unmount();

  const { user } = await open(rigs);
  (await screen.findByRole('application')).focus();
  await user.keyboard('{ArrowRight}');
  expect(screen.getByRole('link', { name: 'Hall A-0' })).toHaveAttribute('href', `/workers/${rigs[0]!.id}`);
  await user.keyboard('{Enter}');
  expect(screen.getByRole('status')).toHaveTextContent(`/workers/${rigs[0]!.id}`);
  await user.click(screen.getByRole('button', { name: 'Hall A 20' }));
  expect(screen.getByRole('status')).toHaveTextContent('/workers/?group=Hall+A');
});
