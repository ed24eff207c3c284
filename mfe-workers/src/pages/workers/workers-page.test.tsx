import { ALL_ACCOUNTS, type Answer, type Worker } from '@pool/shared';
import {
  Address,
  type FakeAnswers,
  fakeApi,
  type RenderOptions,
  renderPage,
  savedFiles,
  subAccounts,
  testLists,
  refusing,
  textsIn,
  upstream,
} from '@pool/shared/testing';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { AppRoutes } from '../../routes';
import { series } from '../../testing/series';
import { happened, liveWorkers, worker } from '../../testing/worker';
import { BulkBar } from './controls/bulk-bar';
import { InspectorMore } from './inspector/inspector-more';
import { TimelineList } from '@pool/shared/ui/timeline';

const now = Math.floor(Date.now() / 1000);
const fleet = [
  worker({ id: 1, name: 'rig-2', group: 'Hall A' }),
  worker({ id: 2, name: 'rig-10', h24: 96e12 }),
  worker({ id: 3, name: 'low-1', state: 'low', m5: 55e12, h1: 55.65e12, h24: 91.93e12, rejectRate: 0.0113 }),
  worker({ id: 4, name: 'off-1', state: 'offline', m5: 0, h1: 0, h24: 83.14e12, lastShareAt: now - 24 * 60 }),
  worker({ id: 5, name: 'gone-1', state: 'inactive', m5: 0, h1: 0, h24: 0, lastShareAt: now - 3 * 86_400 }),
];
const open = (answers: FakeAnswers = {}, options: RenderOptions = {}) =>
  renderPage(
    <>
      <AppRoutes />
      <Address />
    </>,
    {
      path: '/workers/',
      route: '/workers/*',
      api: fakeApi({ 'GET /liveWorkers/': liveWorkers(fleet), 'GET /workers/{id}/hashchart': series(), ...answers }),
      ...options,
    },
  );
const onPage = (path: string) => ({
  page: <AppRoutes />,
  at: { path, route: '/workers/*' },
  answers: {
    'GET /subAccounts/': subAccounts,
    'GET /upstreams': [],
    'GET /liveWorkers/': liveWorkers(fleet),
    'GET /workers/{id}/hashchart': series(),
    'GET /timeline': happened([{ at: now, what: 'offline_over', value: null }]),
  } satisfies FakeAnswers,
});
const rows = () => screen.getAllByRole('row').slice(1);
const names = () => rows().flatMap((row) => textsIn(within(row).queryAllByRole('link')));

test('of all sub-accounts together: the account of each, searched, sorted, and in the file', async () => {
  const files = savedFiles();
  const all = [
    worker({ id: 1, name: 'rig-1', account: 'northfield', group: 'Hall A' }),
    worker({ id: 2, name: 'rig-1', account: 'barn' }),
  ];
  const answers = { 'GET /liveWorkers/': liveWorkers(all) };
  const { user } = await open(answers, { session: { account: ALL_ACCOUNTS }, path: '/workers/?sort=account' });
  const accounts = () => textsIn(rows()).map((text) => /northfield|barn/.exec(text)?.[0]);
  await waitFor(() => expect(accounts()).toEqual(['barn', 'northfield']));
  await user.click(screen.getByRole('button', { name: 'Export the list as CSV' }));
  expect(files.names[0]).toMatch(/^workers-ALL-SHA256/);
  expect((await files.text()).split('\r\n').map((line) => line.split(',').slice(0, 2))).toEqual([
    ['sub_account', 'worker'],
    ['barn', 'rig-1'],
    ['northfield', 'rig-1'],
    [''],
  ]);
  await user.type(screen.getByRole('searchbox'), 'north');
  await waitFor(() => expect(accounts()).toEqual(['northfield']));
});

test('workers of several sub-accounts are moved to groups that each of these has', async () => {
  const own = (id: number, name: string) => ({ ...subAccounts.subAccounts[0]!, id, name });
  const group = (id: number, subAccountId: number, name: string) => ({ id, subAccountId, name, workers: 0 });
  const { user } = await renderPage(
    <BulkBar
      workers={[worker({ id: 1, account: 'northfield' }), worker({ id: 2, account: 'barn' })]}
      satsPerHs={undefined}
      onExport={jest.fn()}
      onCompare={jest.fn()}
      onClear={jest.fn()}
    />,
    {
      session: { account: ALL_ACCOUNTS },
      api: fakeApi({
        'GET /subAccounts/': { ...subAccounts, subAccounts: [own(1, 'northfield'), own(2, 'barn'), own(3, 'shed')] },
        'GET /workerGroups/': [
          group(1, 1, 'Hall A'),
          group(2, 1, 'Hall B'),
          group(3, 2, 'Hall B'),
          group(4, 3, 'Hall C'),
        ],
      }),
    },
  );
  await user.click(screen.getByRole('button', { name: /Move to group/ }));
  const items = await screen.findAllByRole('menuitem');
  expect(textsIn(items)).toEqual(['Hall B', 'Remove from group']);
});

test('shows problems first, and inactive workers only on their tab', async () => {
  const { user } = await open();
  await waitFor(() => expect(names()).toEqual(['off-1', 'low-1', 'rig-2', 'rig-10']));
  expect(screen.getByText(/2 need attention/)).toBeVisible();
  await user.click(screen.getByText('Inactive'));
  await waitFor(() => expect(names()).toEqual(['gone-1']));
});

test('workers that went off together are a sentence, which opens them; who looks after it says until when', async () => {
  const event: Answer<'GET /farmEvents'>[number] = {
    id: 7,
    by: 'group',
    value: 'Hall D',
    total: 400,
    rigs: 400,
    off: 398,
    account: 'northfield',
    since: now - 900,
    until: null,
    hashrate: 41e15,
    satsPerHour: 24_000,
    acknowledged: null,
    note: null,
  };
  const acknowledged = { by: 'kim', until: now + 3600 };
  const { user, api } = await open({
    'GET /farmEvents': [event],
    'GET /farmEvents/{id}/workers': [4],
    'PUT /farmEvents/{id}': [{ ...event, acknowledged }],
  });
  const said = await screen.findByRole('link', {
    name: /^Hall D: 398 of 400 off since \d\d:\d\d, −41\.\d* PH\/s, about 24,000 sats an hour$/,
  });
  await user.click(said);
  await waitFor(() => expect(names()).toEqual(['off-1']));
  await user.click(screen.getByRole('button', { name: 'Look after it' }));
  api.answer({ 'GET /farmEvents': [{ ...event, acknowledged, note: 'breaker 4' }] });
  await user.click(screen.getByRole('menuitem', { name: /^Quiet for an hour, until/ }));
  expect(await screen.findByText(/^kim looks after it until \d\d:\d\d$/)).toBeVisible();
  expect(screen.getByText('breaker 4')).toBeVisible();
  const [{ body }] = api.sent('PUT /farmEvents/{id}') as [{ body: { acknowledged: { until: number } } }];
  expect(Math.abs(body.acknowledged.until - now - 3600)).toBeLessThan(60);
  await user.click(screen.getByRole('link', { name: 'Show all workers' }));
  await waitFor(() => expect(names()).toHaveLength(4));
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
  await waitFor(() => expect(document.querySelector('output')).toHaveTextContent(/^\/workers\/$/));
});

test('a group that was renamed since the address was written is said to be gone', async () => {
  await open({ 'GET /workerGroups/': [], 'GET /subAccounts/': subAccounts }, { path: '/workers/?group=Old' });
  expect(await screen.findByText('The group Old does not exist. It was renamed or deleted.')).toBeVisible();
});

test('opens a worker beside the list; arrow keys go to the next', async () => {
  const { user } = await open();
  await user.click(await screen.findByRole('link', { name: 'low-1' }));
  const inspector = await screen.findByRole('complementary', { name: 'Worker low-1' });
  await within(inspector).findByRole('region', { name: 'Alerts' });
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
      'GET /liveWorkers/': liveWorkers([]),
      'GET /getWorkerCount/': { online: 4, low: 0, offline: 0, inactive: 0, total: 4 },
    },
    { session: { isLegacyUser: true } },
  );
  expect(await screen.findByText('No workers on SHA256 yet')).toBeVisible();
  expect(screen.getByText('4 workers mine SCRYPT.')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Show SCRYPT' })).toHaveAttribute('href', '/workers/?algorithm=SCRYPT');
});

testLists([
  {
    ...onPage('/workers/'),
    list: 'Workers',
    call: 'GET /liveWorkers/',
    row: 'rig-2',
    none: { answer: { 'GET /liveWorkers/': liveWorkers([]) }, says: 'No workers yet' },
  },
  {
    ...onPage('/workers/1'),
    page: (
      <section aria-label="Events">
        <TimelineList worker={1} />
      </section>
    ),
    list: 'Events',
    call: 'GET /timeline',
    row: 'Back online',
    none: { answer: { 'GET /timeline': happened([]) }, says: 'No faults or changes in 90 days.' },
  },
]);

test('nothing moves under the pointer; when it has left, trouble stands first', async () => {
  const { api, services } = await open();
  const table = await screen.findByRole('table', { name: 'Workers' });
  const before = names();
  fireEvent.pointerEnter(table.parentElement!.parentElement!, { pointerType: 'mouse' });
  api.answer({
    'GET /liveWorkers/': liveWorkers([
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
  const whole = liveWorkers(fleet);
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
  const whole = liveWorkers(fleet);
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
  const { user } = await open({ 'GET /liveWorkers/': liveWorkers(many) });
  const table = await screen.findByRole('table', { name: 'Workers' });
  const scrolled = jest.spyOn(Element.prototype, 'scrollIntoView');
  await user.click(within(table).getByRole('button', { name: 'Worker' }));
  expect(scrolled.mock.contexts).toEqual([
    expect.objectContaining({ dataset: expect.objectContaining({ index: '0' }) }),
  ]);
});

const offerOf = (worker: number) => ({
  worker,
  name: 'rig-10',
  former: 5,
  formerName: 'gone-1',
  since: now - 600,
  goneAt: now - 840,
});

test('a new name that looks like a former one is said above the list, joined, and parted again', async () => {
  const offer = offerOf(2);
  const done = { id: 3, worker: 5, name: 'rig-10', former: 'gone-1', at: now };
  let joins: Answer<'GET /workerJoins'> = { offers: [offer], joins: [] };
  const { user, api } = await open({
    'GET /workerJoins': () => joins,
    'POST /workerJoins': () => (joins = { offers: [], joins: [done] }),
    'POST /workerJoins/part': () => ({ ...(joins = { offers: [], joins: [] }), kept: [] }),
  });
  await user.click(await screen.findByRole('button', { name: 'rig-10 looks like gone-1' }));
  expect(await screen.findByText(/last share 4 min earlier/)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Join' }));
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(screen.queryByText(/rig-10 was gone-1/)).toBeNull());
  expect(api.sent('POST /workerJoins')).toEqual([
    expect.objectContaining({ body: { pairs: [{ worker: 2, former: 5 }], same: true } }),
  ]);
  expect(api.sent('POST /workerJoins/part')).toEqual([expect.objectContaining({ body: { ids: [3] } })]);
});

test('what one click joined, one click parts again; what stays joined is named', async () => {
  const joins = [5, 4, 3, 2].map((id) => ({
    id,
    worker: id,
    name: `new-${id}`,
    former: `old-${id}`,
    at: now - (id % 5),
  }));
  joins[0]!.at = joins[1]!.at = now;
  let shown: Answer<'GET /workerJoins'> = { offers: [], joins };
  const { user, api } = await open({
    'GET /workerJoins': () => shown,
    'POST /workerJoins/part': () => ({ ...(shown = { offers: [], joins: joins.slice(1) }), kept: [4] }),
  });
  await user.click(await screen.findByRole('button', { name: '4 workers joined this week' }));
  const many = (await screen.findByText(/2 workers were joined/)).closest('section, div');
  await user.click(within(many as HTMLElement).getByRole('button', { name: 'Undo' }));
  expect(await screen.findByText(/has the former name now: old-4/)).toBeVisible();
  expect(api.sent('POST /workerJoins/part')).toEqual([expect.objectContaining({ body: { ids: [5, 4] } })]);
});

test('in the panel of the new name it is joined too, and the panel follows to its history', async () => {
  const offer = { worker: 2, name: 'rig-10', former: 1, formerName: 'rig-2', since: now - 600, goneAt: now - 500 };
  let workers = fleet;
  const { user } = await open(
    {
      'GET /liveWorkers/': () => liveWorkers(workers),
      'GET /workerJoins': { offers: [offer], joins: [] },
      'POST /workerJoins': () => {
        workers = fleet.slice(2).concat({ ...fleet[0]!, name: 'rig-10' });
        return { offers: [], joins: [] };
      },
    },
    { path: '/workers/2' },
  );
  const panel = await screen.findByRole('complementary', { name: 'Worker rig-10' });
  await user.click(await within(panel).findByRole('button', { name: 'Join' }));
  expect(await screen.findByRole('complementary', { name: 'Worker rig-10' })).toBeVisible();
  await waitFor(() => expect(screen.getByRole('link', { name: 'rig-10' })).toHaveAttribute('data-worker', '1'));
  expect(screen.queryByText('No such worker')).toBeNull();
});

test('names of strangers are removed with one click, or confirmed', async () => {
  const strangers = [worker({ id: 8, name: 'x1', strange: true }), worker({ id: 9, name: 'x2', strange: true })];
  const api = fakeApi({
    'GET /liveWorkers/': liveWorkers([...fleet, ...strangers]),
    'POST /workers/bulk': { changed: 2 },
  });
  const { user } = await open({}, { api });
  expect(await screen.findByText('2 new worker names since yesterday:')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Remove them' }));
  expect(await screen.findByText('2 names removed')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'They are mine' }));
  const sent = api.sent('POST /workers/bulk');
  expect(sent).toEqual([{ body: { ids: [8, 9], action: 'delete' } }, { body: { ids: [8, 9], action: 'confirm' } }]);
});

describe('the bulk bar', () => {
  const workers = [worker({ id: 11 }), worker({ id: 12, muted: true }), worker({ id: 13, state: 'inactive' })];
  const open = async (answers: FakeAnswers = {}, of = workers) => {
    const clear = jest.fn();
    const compare = jest.fn();
    const onExport = jest.fn();
    const api = fakeApi({
      'GET /subAccounts/': subAccounts,
      'GET /workerGroups/': [{ id: 1, name: 'Hall A', subAccountId: 7, workers: 2 }],
      'POST /workers/bulk': { changed: of.length },
      ...answers,
    });
    const page = await renderPage(
      <BulkBar workers={of} satsPerHs={0.5e-9} onExport={onExport} onCompare={compare} onClear={clear} />,
      { api },
    );
    const sent = () => api.sent('POST /workers/bulk');
    return { ...page, clear, compare, onExport, sent };
  };

  test('moves all selected workers into a group, or out of theirs', async () => {
    const { user, sent, clear } = await open();
    expect(screen.getByRole('status')).toHaveTextContent(
      '3 selected1 h 272.40 TH/s24 h 275.70 TH/s438 sats a day lost',
    );
    await user.click(screen.getByRole('button', { name: 'Move to group' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Hall A' }));
    await waitFor(() =>
      expect(sent()).toEqual([{ body: { ids: [11, 12, 13], action: 'group', groupName: 'Hall A' } }]),
    );
    await waitFor(() => expect(clear).toHaveBeenCalled());
    await user.click(screen.getByRole('button', { name: 'Move to group' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Remove from group' }));
    await waitFor(() => expect(sent()[1]).toEqual({ body: { ids: [11, 12, 13], action: 'group', groupName: null } }));
  });

  test('moves them into a group that is made for them', async () => {
    const { user, api, sent } = await open({
      'POST /workerGroups/': { id: 2, name: 'Hall B', subAccountId: 7, workers: 0 },
    });
    await user.click(screen.getByRole('button', { name: 'Move to group' }));
    const item = await screen.findByRole('menuitem', { name: 'New group…' });
    await act(() => user.click(item));
    const dialog = await screen.findByRole('dialog', { name: 'New group' });
    await user.type(within(dialog).getByRole('textbox'), 'Hall B{Enter}');
    await waitFor(() =>
      expect(sent()).toEqual([{ body: { ids: [11, 12, 13], action: 'group', groupName: 'Hall B' } }]),
    );
    expect(api.calls.map(({ call }) => call)).toContain('POST /workerGroups/');
  });

  test('two to five workers can be compared; of more it is said', async () => {
    const { user, compare, unmount } = await open();
    await user.click(screen.getByRole('button', { name: 'Compare' }));
    expect(compare).toHaveBeenCalledWith([11, 12, 13]);
    unmount();
    const six = await open(
      {},
      Array.from({ length: 6 }, (_, id) => worker({ id: id + 1 })),
    );
    await six.user.click(screen.getByRole('button', { name: 'Compare' }));
    expect(await screen.findByText('Select 2 to 5 workers to compare')).toBeVisible();
    expect(six.compare).not.toHaveBeenCalled();
  });

  test('deletes the inactive ones only, after a question; a refusal is said and keeps the selection', async () => {
    const { user, sent, clear } = await open({
      'POST /workers/bulk': refusing(409, 'worker_active', 'Only workers without a share in 24 hours can be deleted.'),
    });
    await user.click(screen.getByRole('button', { name: 'Delete 1 inactive' }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(sent()).toEqual([{ body: { ids: [13], action: 'delete' } }]));
    expect(await screen.findByRole('alert')).toHaveTextContent('Only workers without a share');
    expect(clear).not.toHaveBeenCalled();
  });

  test('more than 50 are changed after a question that says how many and of which groups, and the toast takes it back', async () => {
    const of = Array.from({ length: 51 }, (_, id) =>
      worker({ id: id + 1, group: id < 50 ? 'Hall A' : null, muted: id === 0 }),
    );
    const { user, sent, unmount } = await open({}, of);
    await user.click(screen.getByRole('button', { name: 'Mute alerts' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Until I unmute them' }));
    const dialog = await screen.findByRole('dialog', { name: 'Mute the alerts of 51 workers?' });
    expect(dialog).toHaveTextContent('They are now in: Hall A, No group.');
    expect(sent()).toEqual([]);
    await user.click(within(dialog).getByRole('button', { name: 'Mute alerts' }));
    await waitFor(() => expect(sent()).toHaveLength(1));
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    // The first one was muted before.
    await waitFor(() =>
      expect(sent()[1]).toEqual({ body: { ids: of.slice(1).map(({ id }) => id), action: 'unmute' } }),
    );
    unmount();
  });

  test('alerts are muted for a time, of those that are not muted', async () => {
    const { user, sent } = await open();
    await user.click(screen.getByRole('button', { name: 'Mute alerts' }));
    await user.click(await screen.findByRole('menuitem', { name: /^Quiet for 4 hours, until/ }));
    const until = expect.any(Number) as number;
    await waitFor(() => expect(sent()).toEqual([{ body: { ids: [11, 13], action: 'mute', until } }]));
  });

  test('workers moved by mistake are put back into the groups they were in', async () => {
    const of = [worker({ id: 21, group: 'Hall B' }), worker({ id: 22 }), worker({ id: 23, group: 'Hall B' })];
    const { user, sent } = await open({}, of);
    await user.click(screen.getByRole('button', { name: 'Move to group' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Hall A' }));
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    await waitFor(() =>
      expect(sent().slice(1)).toEqual([
        { body: { ids: [21, 23], action: 'group', groupName: 'Hall B' } },
        { body: { ids: [22], action: 'group', groupName: null } },
      ]),
    );
  });
});

describe('the choice of columns', () => {
  const open = () =>
    renderPage(<AppRoutes />, {
      path: '/workers/',
      route: '/workers/*',
      api: fakeApi({
        'GET /liveWorkers/': liveWorkers([worker({ name: 'rig-1' })]),
      }),
    });
  const headings = async () =>
    textsIn(
      within(await screen.findByRole('table'))
        .getAllByRole('columnheader')
        .slice(1),
    );
  beforeEach(() => localStorage.clear());

  test('columns and rows are chosen beside the list, remembered, and reset', async () => {
    const { user, unmount } = await open();
    expect((await headings()).slice(0, 4)).toEqual(['Worker', 'Group', 'State', 'Last 24 h']);
    await user.click(screen.getByRole('button', { name: 'Columns and rows' }));
    const drawer = within(await screen.findByRole('dialog', { name: 'Columns and rows' }));
    expect(drawer.getByRole('checkbox', { name: 'Worker' })).toBeDisabled();
    expect(drawer.getByRole('checkbox', { name: 'Last share' })).toBeChecked();
    await user.click(drawer.getByRole('checkbox', { name: 'Last 24 h' }));
    await user.click(drawer.getByRole('button', { name: 'Move State up' }));
    await user.click(drawer.getByText('Compact'));
    expect((await headings()).slice(0, 4)).toEqual(['Worker', 'State', 'Group', expect.stringMatching(/^5 min/)]);
    expect(screen.getByRole('table').style.getPropertyValue('--row-height')).toBe('36px');
    unmount();

    const again = await open();
    expect((await headings()).slice(0, 3)).toEqual(['Worker', 'State', 'Group']);
    await again.user.click(screen.getByRole('button', { name: 'Columns and rows' }));
    await again.user.click(await screen.findByRole('button', { name: 'Reset' }));
    expect((await headings()).slice(0, 4)).toEqual(['Worker', 'Group', 'State', 'Last 24 h']);
    expect(screen.getByRole('table').style.getPropertyValue('--row-height')).toBe('50px');
    expect(localStorage.getItem('workers.view')).toBeNull();
  });
});

describe('the inspector', () => {
  const open = (facts: Partial<Worker> = {}, answers: FakeAnswers = {}) =>
    renderPage(
      <>
        <InspectorMore worker={worker({ id: 5, group: 'Hall A', ...facts })} />
        <TimelineList worker={5} />
      </>,
      {
        api: fakeApi({
          'GET /subAccounts/': subAccounts,
          'GET /upstreams': [upstream({ name: 'North' })],
          'GET /workers/{id}/hashchart': series({ difficulty: [512, null, 65_536] }),
          'GET /timeline': happened([
            { at: 1_795_184_000, what: 'offline_over', value: null },
            { at: 1_795_183_000, what: 'group', value: 'Hall A' },
            { at: 1_795_182_000, what: 'alert_limit', value: 0.5 },
          ]),
          'GET /workers/{id}/uptime': {
            h24: 0.9931,
            d7: 0.97,
            model: { name: 'Antminer S21', hashrate: 200e12, by: 'name' },
          },
          'PUT /workers/{id}': { id: 5, alertLimit: 0.75 },
          'POST /workers/bulk': { changed: 1 },
          ...answers,
        }),
      },
    );

  test('says where its work goes, how much it mined and what its model would, how its difficulty went, and what happened to it', async () => {
    await open({ h24: 190e12 });
    expect(await screen.findByText('North')).toBeVisible();
    const fact = async (label: string) => (await screen.findByText(label)).nextElementSibling;
    await waitFor(async () => expect(await fact('Uptime, 24 h · 7 days')).toHaveTextContent('99.31 % · 97.00 %'));
    expect(await fact('Model')).toHaveTextContent('Antminer S21, says its name');
    expect(await fact('24 h, of its nominal 200.00 TH/s')).toHaveTextContent('95.00 %');
    expect(screen.getByText('Hall A')).toBeVisible();
    expect(await screen.findByText('512 – 65,536')).toBeVisible();
    const events = await screen.findAllByRole('listitem');
    expect(textsIn(events)).toEqual([
      expect.stringContaining('Back online'),
      expect.stringContaining('Moved to Hall A'),
      expect.stringContaining('Alert limit set to 50'),
    ]);
  });

  test('a worker that is not connected has no upstream', async () => {
    await open({ connectedAt: null });
    await screen.findByText('512 – 65,536');
    expect(screen.queryByText('North')).toBeNull();
  });

  test('its alert limit is sent once the slider rests; its alerts are switched off, and on again by the toast', async () => {
    const { api, user } = await open();
    const slider = await screen.findByRole('slider', { name: 'Alert limit, of the 24 h mean' });
    fireEvent.change(slider, { target: { value: '80' } });
    fireEvent.change(slider, { target: { value: '75' } });
    expect(api.sent('PUT /workers/{id}')[0]).toBeUndefined();
    fireEvent.keyUp(slider);
    await waitFor(() =>
      expect(api.sent('PUT /workers/{id}')[0]).toEqual({ params: { id: 5 }, body: { alertLimit: 0.75 } }),
    );
    await user.click(screen.getByRole('switch', { name: 'Alerts for this worker' }));
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    await waitFor(() =>
      expect(api.sent('POST /workers/bulk')).toEqual([
        { body: { ids: [5], action: 'mute' } },
        { body: { ids: [5], action: 'unmute' } },
      ]),
    );
  });
});
