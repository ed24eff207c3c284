import type { AdminUser } from '@pool/shared';
import {
  desktop,
  type FakeAnswers,
  fakeApi,
  phone,
  type RenderOptions,
  renderPage,
  testLists,
} from '@pool/shared/testing';
import { screen, waitFor, within } from '@testing-library/react';
import { csvTable, toCsv } from '@pool/shared/ui/core';
import { CSV } from './csv';
import { UsersPage } from './users-page';

const user = (facts: Partial<AdminUser> = {}): AdminUser => ({
  id: 1,
  userName: 'northfield',
  email: 'ops@northfield.example',
  role: 'miner',
  isLegacyUser: false,
  createdAt: '2025-03-01T10:00:00.000Z',
  feePercent: 1.5,
  hashrate24h: 21.31e15,
  unpaidSat: 3_412_000,
  workersOnline: 212,
  lastSeenAt: '2026-11-20T14:00:00.000Z',
  disabled: false,
  ...facts,
});
const LEGACY = user({ id: 2, userName: 'kestrel', email: null, isLegacyUser: true, disabled: true, lastSeenAt: null });
const page = (rows: AdminUser[], total = rows.length, nextCursor: string | null = null) => ({
  rows,
  total,
  nextCursor,
});
const open = (answer: FakeAnswers['GET /users/'] = page([user(), LEGACY]), options: RenderOptions = {}) =>
  renderPage(<UsersPage />, {
    path: '/admin/users',
    role: 'admin',
    api: fakeApi({ 'GET /users/': answer }),
    ...options,
  });
const requests = (api: ReturnType<typeof fakeApi>) =>
  api.calls.map(({ options }) => (options as { query: Record<string, unknown> }).query);

beforeEach(desktop);
afterEach(() => {
  jest.restoreAllMocks();
});

test('lists the users with their figures and states', async () => {
  await open();
  const table = await screen.findByRole('table', { name: 'Users' });
  const row = (await within(table).findByText('northfield')).closest('tr');
  expect(row).toHaveTextContent(
    'northfieldops@northfield.exampleMiner1.50 %21.31 PH/s0.034120002121 Mar 202520 Nov 2026Enabled',
  );
  const legacy = within(table).getByText('kestrel').closest('tr');
  expect(legacy).toHaveTextContent(/^kestrel Legacy/);
  expect(legacy).toHaveTextContent(/NeverDisabled$/);
  expect(screen.getByText('2 users')).toBeVisible();
});

test('search, filter and sort are in the URL and in the request', async () => {
  const { api } = await open(undefined, { path: '/admin/users?q=north&legacy=false&sort=-unpaidSat' });
  expect(screen.getByRole('searchbox', { name: 'Name or e-mail' })).toHaveValue('north');
  expect(screen.getByRole('radio', { name: 'Non-legacy' })).toBeChecked();
  expect(requests(api)).toEqual([
    { search: 'north', legacy: 'false', sort: '-unpaidSat', limit: 100, cursor: undefined },
  ]);
  expect(await screen.findByRole('columnheader', { name: /Unpaid, BTC/ })).toHaveAttribute('aria-sort', 'descending');
});

test('searches once when typing pauses', async () => {
  const { api, user: person } = await open();
  await person.type(screen.getByRole('searchbox'), 'kes');
  await waitFor(() => expect(requests(api).at(-1)).toMatchObject({ search: 'kes' }));
  expect(requests(api).filter(({ search }) => search !== undefined)).toHaveLength(1);
});

test('a row opens all that is known of its user', async () => {
  const { user: person } = await open();
  const table = await screen.findByRole('table', { name: 'Users' });
  within(table).getByText('kestrel').closest('button')?.focus();
  await person.keyboard('{Enter}');
  const drawer = await screen.findByRole('dialog', { name: 'kestrel' });
  expect(drawer).toHaveTextContent(/Legacy ?Yes/);
  expect(drawer).toHaveTextContent(/Registered1 Mar 2025, 10:00 UTC.*Last seenNever/);
  await person.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
});

test('a click on a heading sorts, largest first', async () => {
  const { api, user: person } = await open();
  // The largest miners come first unless another order is wanted.
  expect(requests(api).at(-1)).toMatchObject({ sort: '-hashrate24h' });
  await person.click(await screen.findByRole('button', { name: 'Unpaid, BTC' }));
  await waitFor(() => expect(requests(api).at(-1)).toMatchObject({ sort: '-unpaidSat' }));
  await person.click(screen.getByRole('button', { name: 'Unpaid, BTC' }));
  await waitFor(() => expect(requests(api).at(-1)).toMatchObject({ sort: 'unpaidSat' }));
});

test('the filter requests legacy users only', async () => {
  const { api, user: person } = await open();
  await person.click(screen.getByRole('radio', { name: 'Legacy' }));
  await waitFor(() => expect(requests(api).at(-1)).toMatchObject({ legacy: 'true' }));
});

test('loads one page at a time', async () => {
  const { api, user: person } = await open(({ query }) =>
    query?.cursor === 'n' ? page([LEGACY], 100_000) : page([user()], 100_000, 'n'),
  );
  expect(await screen.findByText('100,000 users')).toBeVisible();
  expect(screen.getByText('1 of 100,000 shown')).toBeVisible();
  await person.click(screen.getByRole('button', { name: 'Show 100 more' }));
  expect(await screen.findByText('kestrel')).toBeVisible();
  expect(requests(api)).toHaveLength(2);
});

test('without a match shows a message and a button that clears search and filter', async () => {
  const { api, user: person } = await open(page([]), { path: '/admin/users?q=zzz' });
  expect(await screen.findByText('No user matches')).toBeVisible();
  await person.click(screen.getByRole('button', { name: 'Clear search and filter' }));
  await waitFor(() => expect(requests(api).at(-1)).toMatchObject({ search: undefined }));
  expect(screen.getByRole('searchbox')).toHaveValue('');
});

test('the export loads all pages', async () => {
  URL.createObjectURL = () => 'blob:csv';
  URL.revokeObjectURL = () => undefined;
  jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
  const { api, user: person } = await open(
    ({ query }) => (query?.cursor === 'n' ? page([LEGACY], 2) : page([user()], 2, 'n')),
    { path: '/admin/users?q=e' },
  );
  await screen.findByText('northfield');
  await person.click(screen.getByRole('button', { name: 'Export CSV' }));
  expect(await screen.findByText('Exported 2 users')).toBeInTheDocument();
  expect(requests(api).slice(1)).toEqual([
    { search: 'e', legacy: undefined, sort: '-hashrate24h', limit: 500, cursor: undefined },
    { search: 'e', legacy: undefined, sort: '-hashrate24h', limit: 500, cursor: 'n' },
  ]);
});

test('CSV: raw units, UTC times, unknown values are empty', () => {
  expect(
    toCsv(...csvTable(CSV, [user(), LEGACY]))
      .trimEnd()
      .split('\r\n'),
  ).toEqual([
    'id,user_name,email,role,legacy,disabled,fee_percent,hashrate_24h_hs,unpaid_btc,workers_online,registered_utc,last_seen_utc',
    '1,northfield,ops@northfield.example,miner,false,false,1.5,21310000000000000,0.03412000,212,2025-03-01T10:00:00.000Z,2026-11-20T14:00:00.000Z',
    '2,kestrel,,miner,true,true,1.5,21310000000000000,0.03412000,212,2025-03-01T10:00:00.000Z,',
  ]);
});

test('on a phone users are cards, with a menu to sort by', async () => {
  phone();
  await open();
  const list = await screen.findByRole('list', { name: 'Users' });
  expect(within(list).getAllByRole('listitem')[0]).toHaveTextContent(
    'northfield0.03412000 BTCops@northfield.example21.31 PH/s',
  );
  expect(screen.getByRole('combobox', { name: 'Sort by' })).toBeInTheDocument();
});

testLists([
  {
    list: 'Users',
    page: <UsersPage />,
    at: { path: '/admin/users' },
    answers: { 'GET /users/': page([user(), LEGACY]) },
    call: 'GET /users/',
    row: 'kestrel',
    none: { answer: { 'GET /users/': page([]) }, says: 'No users yet' },
  },
]);
