import type { Answer, Worker } from '@pool/shared';
import {
  type FakeAnswers,
  fakeApi,
  type RenderOptions,
  renderPage,
  subAccounts,
  testLists,
} from '@pool/shared/testing';
import { useLocation } from '@pool/shared/router';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { AppRoutes } from '../../routes';
import { series } from '../../testing/series';
import { worker } from '../../testing/worker';

const now = Math.floor(Date.now() / 1000);
const fleet = [
  worker({ id: 1, name: 'rig-2', group: 'Hall A' }),
  worker({ id: 2, name: 'rig-10', h24: 96e12 }),
  worker({ id: 3, name: 'low-1', state: 'low', m5: 55e12, h1: 55.65e12, h24: 91.93e12, rejectRate: 0.0113 }),
  worker({ id: 4, name: 'off-1', state: 'offline', m5: 0, h1: 0, h24: 83.14e12, lastShareAt: now - 24 * 60 }),
  worker({ id: 5, name: 'gone-1', state: 'inactive', m5: 0, h1: 0, h24: 0, lastShareAt: now - 3 * 86_400 }),
];
const answer = (workers: Worker[]): Answer<'GET /liveWorkers/'> => {
  const of = (state: string) => workers.filter((w) => w.state === state).length;
  const counts = { online: of('online'), low: of('low'), offline: of('offline'), inactive: of('inactive') };
  return {
    // The page asks for them by name.
    workers: workers.toSorted((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true })),
    counts: { ...counts, total: counts.online + counts.low + counts.offline },
    total: workers.length,
    nextCursor: null,
  };
};
function CurrentSearch() {
  return <output>{useLocation().search}</output>;
}
const open = (answers: FakeAnswers = {}, options: RenderOptions = {}) =>
  renderPage(
    <>
      <AppRoutes />
      <CurrentSearch />
    </>,
    {
      path: '/workers/',
      route: '/workers/*',
      api: fakeApi({ 'GET /liveWorkers/': answer(fleet), 'GET /workers/{id}/hashchart': series(), ...answers }),
      ...options,
    },
  );
const onPage = (path: string) => ({
  page: <AppRoutes />,
  at: { path, route: '/workers/*' },
  answers: {
    'GET /subAccounts/': subAccounts,
    'GET /upstreams': [],
    'GET /liveWorkers/': answer(fleet),
    'GET /workers/{id}/hashchart': series(),
    'GET /workers/{id}/events': [{ at: now, kind: 'offline_over', value: null }],
  } satisfies FakeAnswers,
});
const names = () =>
  screen
    .getAllByRole('row')
    .slice(1)
    .flatMap((row) =>
      within(row)
        .queryAllByRole('link')
        .map((link) => link.textContent),
    );

test('shows problems first, and inactive workers only on their tab', async () => {
  const { user } = await open();
  await waitFor(() => expect(names()).toEqual(['off-1', 'low-1', 'rig-2', 'rig-10']));
  expect(screen.getByText(/2 need attention/)).toBeVisible();
  await user.click(screen.getByText('Inactive'));
  await waitFor(() => expect(names()).toEqual(['gone-1']));
});

test('a silent worker has dashes, not zeros', async () => {
  await open();
  const row = (await screen.findByRole('link', { name: 'off-1' })).closest('tr');
  expect(row).toHaveTextContent(/Offline.*——83\.14/);
  expect(row).toHaveTextContent('24 min');
});

test('typing filters at once, and is in the URL when it pauses; without a match a button clears it', async () => {
  const { user } = await open({}, { path: '/workers/?account=northfield' });
  const search = await screen.findByRole('searchbox', { name: 'Search workers' });
  await user.type(search, 'RIG');
  await waitFor(() => expect(names()).toEqual(['rig-2', 'rig-10']));
  // The tabs and the heading count what the search finds.
  expect(screen.getByRole('radio', { name: 'All 2' })).toBeVisible();
  expect(screen.getByText(/^All running/)).toBeVisible();
  await user.type(search, 'zz');
  expect(await screen.findByText(/^No results for “RIGzz”/)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Show all' }));
  await waitFor(() => expect(names()).toHaveLength(4));
  expect(search).toHaveValue('');
  await user.type(search, 'rig');
  await waitFor(() => expect(document.querySelector('output')).toHaveTextContent('?account=northfield&q=rig'));
  await user.type(search, '-10');
  await waitFor(() => expect(document.querySelector('output')).toHaveTextContent('?account=northfield&q=rig-10'));
  expect(search).toHaveValue('rig-10');
});

test('reads tab, search and sort from the URL', async () => {
  await open({}, { path: '/workers/?state=online&q=rig&sort=name&dir=desc' });
  await waitFor(() => expect(names()).toEqual(['rig-10', 'rig-2']));
  expect(screen.getByRole('searchbox')).toHaveValue('rig');
  expect(screen.getByLabelText(/Online/)).toBeChecked();
});

test('shows and counts one group, or the workers of none, and says so in the URL', async () => {
  const { user } = await open({}, { path: '/workers/?group=Hall+A' });
  await waitFor(() => expect(names()).toEqual(['rig-2']));
  expect(screen.getByText(/All running/)).toBeVisible();
  expect(screen.getByRole('radio', { name: 'All 1' })).toBeChecked();
  await user.click(screen.getByRole('button', { name: 'Hall A' }));
  await user.click(await screen.findByRole('menuitemradio', { name: 'No group' }));
  await waitFor(() => expect(names()).toEqual(['off-1', 'low-1', 'rig-10']));
  await waitFor(() => expect(document.querySelector('output')).toHaveTextContent('?group='));
  await user.click(screen.getByRole('button', { name: 'No group' }));
  await user.click(await screen.findByRole('menuitemradio', { name: 'All groups' }));
  await waitFor(() => expect(names()).toHaveLength(4));
  await waitFor(() => expect(document.querySelector('output')).toBeEmptyDOMElement());
});

test('a group that was renamed since the address was written is said to be gone', async () => {
  await open({ 'GET /workerGroups/': [], 'GET /subAccounts/': subAccounts }, { path: '/workers/?group=Old' });
  expect(await screen.findByText('The group Old does not exist. It was renamed or deleted.')).toBeVisible();
});

test('opens a worker beside the list; arrow keys go to the next', async () => {
  const { user } = await open();
  await user.click(await screen.findByRole('link', { name: 'low-1' }));
  const inspector = await screen.findByRole('complementary', { name: 'Worker low-1' });
  await within(inspector).findByRole('region', { name: 'Events' });
  expect(within(inspector).getByText('Running at 60.5 % of its 24 h mean.', { exact: false })).toBeVisible();
  expect(within(inspector).getByText('1.13 %')).toBeVisible();
  // The keyboard is in it at once, not behind the rest of the list.
  expect(within(inspector).getByRole('heading', { name: 'low-1' })).toHaveFocus();
  await user.keyboard('{ArrowDown}');
  expect(await screen.findByRole('complementary', { name: 'Worker rig-2' })).toBeVisible();
  act(() => screen.getByRole('link', { name: 'rig-2' }).focus());
  await user.keyboard('{ArrowDown}{ArrowUp}');
  expect(screen.getByRole('link', { name: 'rig-2' })).toHaveFocus();
  await user.keyboard('{ArrowUp}{ArrowUp}');
  expect(await screen.findByRole('complementary', { name: 'Worker off-1' })).toBeVisible();
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('complementary')).not.toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'off-1' })).toHaveFocus();
});

test('a deep link opens a worker that the filter hides', async () => {
  await open({}, { path: '/workers/5?state=online' });
  const inspector = await screen.findByRole('complementary', { name: 'Worker gone-1' });
  expect(within(inspector).getByText(/No share for 3 d\./)).toBeVisible();
  expect(within(inspector).getByRole('heading', { name: 'gone-1' })).toHaveFocus();
});

test("another account's worker, or a deleted one, shows as missing", async () => {
  const { user } = await open({}, { path: '/workers/99' });
  expect(await screen.findByText('It is not among the workers of northfield on SHA256.')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Back to the list' }));
  expect(screen.queryByRole('complementary')).not.toBeInTheDocument();
});

test('who mines another algorithm only is led there', async () => {
  await open(
    {
      'GET /liveWorkers/': answer([]),
      'GET /getWorkerCount/': { online: 4, low: 0, offline: 0, inactive: 0, total: 4 },
    },
    { session: { isLegacyUser: true } },
  );
  expect(await screen.findByText('No workers on SHA256 yet')).toBeVisible();
  expect(screen.getByText('4 workers mine SCRYPT.')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Show SCRYPT' })).toHaveAttribute('href', '/workers/?algorithm=SCRYPT');
});

test('without workers links to what a miner needs', async () => {
  await open({ 'GET /liveWorkers/': answer([]) });
  expect(await screen.findByText('No workers yet')).toBeVisible();
  expect(screen.getByRole('link', { name: 'How to connect' })).toHaveAttribute('href', '/workers/connection');
  expect(screen.queryByRole('searchbox')).not.toBeInTheDocument();
});

testLists([
  {
    ...onPage('/workers/'),
    list: 'Workers',
    call: 'GET /liveWorkers/',
    row: 'rig-2',
    none: { answer: { 'GET /liveWorkers/': answer([]) }, says: 'No workers yet' },
  },
  {
    ...onPage('/workers/1'),
    list: 'Events',
    call: 'GET /workers/{id}/events',
    row: 'Back online',
    none: { answer: { 'GET /workers/{id}/events': [] }, says: 'No faults or changes in 90 days.' },
  },
]);

test('nothing moves under the pointer; when it has left, trouble stands first', async () => {
  const { api, services } = await open();
  const table = await screen.findByRole('table', { name: 'Workers' });
  const before = names();
  fireEvent.pointerEnter(table.parentElement!.parentElement!, { pointerType: 'mouse' });
  api.answer({
    'GET /liveWorkers/': answer([
      ...fleet.map((w) => (w.id === 2 ? { ...w, state: 'offline' as const, lastShareAt: now - 700 } : w)),
      worker({ id: 6, name: 'new-1', state: 'offline', lastShareAt: now - 650 }),
    ]),
  });
  await act(() => services.queryClient.invalidateQueries({ queryKey: ['workers'] }));
  await waitFor(() => expect(names()).toEqual([...before, 'new-1']));
  fireEvent.pointerLeave(table.parentElement!.parentElement!);
  await waitFor(() => expect(names().slice(0, 3)).toEqual(['new-1', 'rig-10', 'off-1']));
});

test('a long list begins with trouble, says how many there are, and is whole in the end', async () => {
  const whole = answer(fleet);
  let come = () => {};
  const later = new Promise<void>((resolve) => (come = resolve));
  const part = { ...whole, version: 'a.1' };
  const { api, user } = await open({
    'GET /liveWorkers/': async ({ query }) => {
      if (!query?.cursor) return { ...whole, workers: whole.workers.slice(1, 3), nextCursor: 'o0' };
      await later;
      return query.cursor === 'o0'
        ? { ...part, workers: whole.workers.slice(0, 3), nextCursor: 'o3' }
        : { ...part, workers: whole.workers.slice(2) };
    },
  });
  await waitFor(() => expect(names()).toEqual(['off-1', 'low-1']));
  expect(screen.getByText(/2 need attention/)).not.toHaveTextContent('H/s');
  expect(screen.getByRole('button', { name: 'Export the list as CSV' })).toBeDisabled();
  await user.click(screen.getByText('Online'));
  expect(screen.getByRole('group', { name: 'Workers' })).toHaveAttribute('aria-busy', 'true');
  await act(async () => come());
  await waitFor(() => expect(names()).toEqual(['rig-2', 'rig-10']));
  expect(api.sent('GET /liveWorkers/')).toMatchObject([
    { query: { worst: 1000 } },
    { query: { cursor: 'o0' } },
    { query: { cursor: 'o3' } },
  ]);
});

test('of a long list, an update asks for changes of its version only, and shows them', async () => {
  const whole = answer(fleet);
  const { api, services } = await open({ 'GET /liveWorkers/': { ...whole, version: 'a.1' } });
  await screen.findByRole('link', { name: 'rig-10' });
  const second = worker({ id: 2, name: 'rig-10', h24: 96e12 });
  const changed: Worker = { ...second, state: 'offline', lastShareAt: now - 700, spark: [90e12, null] };
  api.answer({
    'GET /liveWorkers/': { ...whole, workers: [worker({ id: 3, name: 'low-1', group: 'Hall B' })], numbers: [changed] },
  });
  await act(() => services.queryClient.invalidateQueries({ queryKey: ['workers'] }));
  await waitFor(() => expect(names()[0]).toBe('rig-10'));
  expect(api.sent('GET /liveWorkers/')).toMatchObject([
    { query: { sort: 'name' } },
    { query: { sort: 'name', since: 'a.1' } },
  ]);
  const data = services.queryClient.getQueriesData<typeof whole>({ queryKey: ['workers', 'live'] })[0]?.[1];
  expect(data?.workers).toEqual(
    whole.workers.map((old) =>
      old.id === second.id
        ? { ...second, ...changed, spark: [...second.spark.slice(0, 22), 90e12, null] }
        : old.id === 3
          ? expect.objectContaining({ id: 3, group: 'Hall B' })
          : old,
    ),
  );
});

test('another order of a long list is shown from its top', async () => {
  const many = Array.from({ length: 200 }, (_, i) => worker({ id: i + 1, name: `rig-${i}` }));
  const { user } = await open({ 'GET /liveWorkers/': answer(many) });
  const table = await screen.findByRole('table', { name: 'Workers' });
  const scrolled = jest.spyOn(Element.prototype, 'scrollIntoView');
  await user.click(within(table).getByRole('button', { name: 'Worker' }));
  expect(scrolled.mock.contexts).toEqual([
    expect.objectContaining({ dataset: expect.objectContaining({ index: '0' }) }),
  ]);
});

test('names of strangers are removed with one click, or confirmed', async () => {
  const strangers = [worker({ id: 8, name: 'x1', strange: true }), worker({ id: 9, name: 'x2', strange: true })];
  const api = fakeApi({ 'GET /liveWorkers/': answer([...fleet, ...strangers]), 'POST /workers/bulk': { changed: 2 } });
  const { user } = await open({}, { api });
  expect(await screen.findByText('2 new worker names since yesterday:')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Remove them' }));
  expect(await screen.findByText('2 names removed')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'They are mine' }));
  const sent = api.sent('POST /workers/bulk');
  expect(sent).toEqual([{ body: { ids: [8, 9], action: 'delete' } }, { body: { ids: [8, 9], action: 'confirm' } }]);
});
