import type { Answer } from '@pool/shared';
import {
  type FakeAnswers,
  fakeApi,
  refusing,
  type RenderOptions,
  renderPage,
  subAccounts,
  testLists,
} from '@pool/shared/testing';
import { screen, waitFor, within } from '@testing-library/react';
import { series } from '../../testing/series';
import { worker } from '../../testing/worker';
import { GroupsPage } from './groups-page';
import { groupTotals, sortGroups } from './group-totals';

const workers = [
  worker({ group: 'Hall A', h1: 90e12 }),
  worker({ group: 'Hall A', state: 'offline', h1: 0 }),
  worker({ group: null, h1: 10e12 }),
];
const live: Answer<'GET /liveWorkers/'> = {
  workers,
  counts: { online: 2, low: 0, offline: 1, inactive: 0, total: 3 },
  total: 3,
  nextCursor: null,
};
const groups = [
  { id: 1, name: 'Hall A', subAccountId: 7, workers: 2 },
  { id: 2, name: 'Hall B', subAccountId: 7, workers: 0 },
  // This group belongs to another sub-account.
  { id: 3, name: 'Elsewhere', subAccountId: 8, workers: 4 },
];
const answers: FakeAnswers = {
  'GET /subAccounts/': subAccounts,
  'GET /workerGroups/': groups,
  'GET /liveWorkers/': live,
};
const open = (more: FakeAnswers = {}, options: RenderOptions = {}) =>
  renderPage(<GroupsPage />, { path: '/workers/groups', api: fakeApi({ ...answers, ...more }), ...options });
const names = () => screen.getAllByRole('rowheader').map((cell) => cell.textContent);

test("totals of the account's groups; each leads to its workers", async () => {
  await open();
  await waitFor(() => expect(names()).toEqual(['Hall A', 'Hall B', 'No group']));
  const [, hall, empty] = screen.getAllByRole('row');
  expect(hall).toHaveTextContent(/Hall A1 \/ 2.*90\.00.TH\/s/);
  expect(empty).toHaveTextContent('0 / 0');
  expect(screen.getByRole('link', { name: 'Hall A' })).toHaveAttribute(
    'href',
    expect.stringMatching(/\/\?group=Hall\+A$/),
  );
  expect(screen.getByRole('link', { name: 'No group' })).toHaveAttribute('href', expect.stringMatching(/\?group=$/));
});

test('a group is made for the picked sub-account; a name that is taken is said in the dialog', async () => {
  const { api, user } = await open({ 'POST /workerGroups/': refusing(409, 'group_name_taken') });
  await user.click(await screen.findByRole('button', { name: 'New group' }));
  const dialog = await screen.findByRole('dialog');
  await user.type(within(dialog).getByLabelText('Name'), 'Hall A');
  await user.click(within(dialog).getByRole('button', { name: 'Create' }));
  expect(await within(dialog).findByText('A group with that name exists.')).toBeVisible();
  expect(api.sent('POST /workerGroups/')[0]).toEqual({ body: { name: 'Hall A', subAccountId: 7 } });
  const made = { id: 4, name: 'Hall C', subAccountId: 7, workers: 0 };
  api.answer({ 'POST /workerGroups/': made, 'GET /workerGroups/': [...groups, made] });
  await user.clear(within(dialog).getByLabelText('Name'));
  await user.type(within(dialog).getByLabelText('Name'), 'Hall C');
  await user.click(within(dialog).getByRole('button', { name: 'Create' }));
  await waitFor(() => expect(names()).toContain('Hall C'));
});

test('a group is renamed, and deleted after a question that says what becomes of its workers', async () => {
  const { api, user } = await open({
    'PUT /workerGroups/{name}': { ...groups[0]!, name: 'Hall 1' },
    'DELETE /workerGroups/{name}': { deleted: true, workers: [1, 2] },
    'POST /workerGroups/': groups[0]!,
    'POST /workers/bulk': { changed: 2 },
  });
  const choose = async (action: string) => {
    await user.click(await screen.findByRole('button', { name: 'Actions for Hall A' }));
    await user.click(await screen.findByRole('menuitem', { name: action }));
    return screen.findByRole('dialog');
  };
  const rename = await choose('Rename');
  const field = within(rename).getByLabelText('Name');
  expect(field).toHaveValue('Hall A');
  await user.clear(field);
  await user.type(field, 'Hall 1');
  await user.click(within(rename).getByRole('button', { name: 'Rename' }));
  await waitFor(() =>
    expect(api.sent('PUT /workerGroups/{name}')[0]).toEqual({
      params: { name: 'Hall A' },
      query: { subAccountId: 7 },
      body: { name: 'Hall 1' },
    }),
  );
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const remove = await choose('Delete…');
  expect(remove).toHaveTextContent('Its 2 workers stay, without a group.');
  await user.click(within(remove).getByRole('button', { name: 'Delete' }));
  await waitFor(() =>
    expect(api.sent('DELETE /workerGroups/{name}')[0]).toEqual({
      params: { name: 'Hall A' },
      query: { subAccountId: 7 },
    }),
  );
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  await waitFor(() =>
    expect(api.sent('POST /workers/bulk')).toEqual([{ body: { ids: [1, 2], action: 'group', groupName: 'Hall A' } }]),
  );
  expect(api.sent('POST /workerGroups/')).toEqual([{ body: { name: 'Hall A', subAccountId: 7 } }]);
});

test("the account's groups and the user's accounts are compared on one chart, whose choice is in the address", async () => {
  const { api, user } = await open(
    {
      'GET /subAccounts/': {
        ...subAccounts,
        subAccounts: [7, 8].map((id) => ({
          ...subAccounts.subAccounts[0]!,
          id,
          name: id === 7 ? 'northfield' : 'barn',
        })),
      },
      'GET /proxyHashchart/': series(),
    },
    { path: '/workers/groups?compare=g1,g3,a8' },
  );
  // A group of another account is not one of this page.
  expect(await screen.findByRole('slider', { name: 'Hashrates of Hall A, barn' })).toBeVisible();
  const line = { historyTimeframe: 'd1', algorithm: 'SHA256_ASICBOOST' };
  expect(api.sent('GET /proxyHashchart/')).toMatchObject([
    { query: { ...line, userName: 'northfield', group: 'Hall A' } },
    { query: { ...line, userName: 'barn' } },
  ]);
  const panel = screen.getByRole('region', { name: 'Compared groups and accounts' });
  await user.click(within(panel).getByRole('button', { name: 'Close' }));
  await user.click(await screen.findByRole('button', { name: 'Compare' }));
  expect(await screen.findByRole('slider', { name: 'Hashrates of Hall A, Hall B, northfield, barn' })).toBeVisible();
});

const groupsPage = { page: <GroupsPage />, at: { path: '/workers/groups' }, answers, list: 'Groups', row: 'Hall A' };
testLists([
  {
    ...groupsPage,
    call: 'GET /workerGroups/',
    none: { answer: { 'GET /workerGroups/': [] }, says: /^A group is a hall/ },
  },
  { ...groupsPage, call: 'GET /liveWorkers/' },
]);

describe('totals', () => {
  test('sums hashrates and states per group; inactive workers are counted apart', () => {
    const workers = [
      worker({ group: 'Hall 2', h1: 90e12, h24: 91e12 }),
      worker({ group: 'Hall 10', h1: 10e12, h24: 20e12 }),
      worker({ group: 'Hall 10', state: 'low', h1: 5e12, h24: 30e12 }),
      worker({ group: 'Hall 10', state: 'inactive', h1: 0, h24: 7e12 }),
      worker({ group: null, state: 'offline', h1: 0, h24: 40e12 }),
    ];
    const totals = groupTotals(workers, ['Hall 2', 'Hall 10', 'Empty'], 1_795_184_000);
    // What loses most first, then by name, workers of no group last.
    expect(totals.map(({ name }) => name)).toEqual(['Hall 10', 'Hall 2', 'Empty', null]);
    expect(totals[0]).toMatchObject({
      name: 'Hall 10',
      online: 1,
      low: 1,
      offline: 0,
      inactive: 1,
      total: 2,
      m5: 2 * 91.2e12,
      h1: 15e12,
      h24: 50e12,
    });
    expect(totals[2]).toMatchObject({ total: 0, h1: 0 });
    expect(totals[3]).toMatchObject({ offline: 1, total: 1, h24: 40e12, lost: 91e12 });
    const by = (key: string, order: 'ascend' | 'descend') => sortGroups(totals, { key, order }).map(({ name }) => name);
    expect(by('name', 'descend')).toEqual(['Hall 10', 'Hall 2', 'Empty', null]);
    expect(by('offline', 'descend')[0]).toBeNull();
    expect(by('online', 'descend')[0]).toBe('Hall 2');
  });
});
