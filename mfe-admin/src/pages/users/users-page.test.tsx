import { type AdminUser, type Answer, ApiError } from '@pool/shared';
import {
  desktop,
  type FakeAnswers,
  fakeApi,
  type FakeApi,
  problem,
  type RenderOptions,
  renderPage,
  testLists,
  keepsNames,
  rowsOf,
  textsIn,
} from '@pool/shared/testing';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { csvTable, toCsv } from '@pool/shared/ui/core';
import { CSV } from './csv';
import { UsersPage } from './users-page';
import { EditUsers } from './edit-users';
import {
  differencesOf,
  type Drafts,
  type EditField,
  filledDown,
  numberOf,
  withCell,
  withPasted,
} from '../../parts/edit/fields';
import type { Account } from '../../api/edit';
import { SubAccountsPage } from '../sub-accounts/sub-accounts-page';

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

test('without a match shows a message and a button that clears search and filter', async () => {
  const { api, user: person } = await open(page([]), { path: '/admin/users?q=zzz' });
  expect(await screen.findByText('No user matches')).toBeVisible();
  await person.click(screen.getByRole('button', { name: 'Clear search and filter' }));
  await waitFor(() => expect(requests(api).at(-1)).toMatchObject({ search: undefined }));
  expect(screen.getByRole('searchbox')).toHaveValue('');
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

describe('editing', () => {
  type EditUser = Answer<'GET /admin/editUsers'>['rows'][number];

  const user = (id: number, facts: Partial<EditUser> = {}): EditUser => ({
    id,
    userName: ['north', 'kestrel', 'saltflat'][id - 1] ?? `user-${id}`,
    email: null,
    role: 'miner',
    isLegacyUser: false,
    createdAt: '2025-03-01T10:00:00.000Z',
    feePercent: null,
    disabled: false,
    version: 4,
    subAccounts: [],
    ...facts,
  });
  const answer = (rows: EditUser[]): FakeAnswers['GET /admin/editUsers'] => ({
    rows,
    total: rows.length,
    nextCursor: null,
  });
  const open = (answers: FakeAnswers = {}) => {
    const onClose = jest.fn();
    return renderPage(<EditUsers ids={[1, 2, 3]} onClose={onClose} />, {
      role: 'admin',
      api: fakeApi({
        'GET /admin/editUsers': answer([user(1), user(2), user(3)]),
        'PUT /bulkUpdateUsers': { changed: 3 },
        ...answers,
      }),
    }).then((rendered) => ({ ...rendered, onClose }));
  };
  const updates = (api: FakeApi) =>
    (api.bodies('PUT /bulkUpdateUsers') as { updates: unknown[] }[]).map((body) => body.updates);

  test('a pasted block and fill down are reviewed as a difference before all are changed at once', async () => {
    const { api, user: person, onClose } = await open();
    const role = await screen.findByLabelText('north: Role');
    fireEvent.paste(role, { clipboardData: { getData: () => 'Miner\tYes\nadmin\tno\n' } });
    const fee = screen.getByLabelText('north: Fee, %');
    await person.type(fee, '1,25');
    await person.keyboard('{Control>}d{/Control}');
    expect(screen.getByLabelText('saltflat: Fee, %')).toHaveValue('1,25');
    await person.keyboard('{ArrowDown}');
    expect(screen.getByLabelText('kestrel: Fee, %')).toHaveFocus();
    await person.click(screen.getByRole('button', { name: 'Review changes: 3' }));
    const differences = screen.getByRole('table', { name: 'Changes' });
    expect(textsIn(rowsOf(differences))).toEqual([
      'northLegacyNoYes',
      'northFee, %—1,25',
      'kestrelRoleMinerAdmin',
      'kestrelFee, %—1,25',
      'saltflatFee, %—1,25',
    ]);
    expect(updates(api)).toEqual([]);
    await person.click(screen.getByRole('button', { name: 'Save: 3' }));
    await waitFor(() => expect(onClose).toHaveBeenCalled());
    expect(updates(api)).toEqual([
      [
        { id: 1, version: 4, isLegacyUser: true, feePercent: 1.25 },
        { id: 2, version: 4, role: 'admin', feePercent: 1.25 },
        { id: 3, version: 4, feePercent: 1.25 },
      ],
    ]);
  });

  test('what is not valid cannot be saved', async () => {
    const { user: person } = await open();
    await person.type(await screen.findByLabelText('kestrel: Fee, %'), '101');
    await person.click(screen.getByRole('button', { name: 'Review changes: 1' }));
    expect(screen.getByText('Cells to correct: 1')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Save: 1' })).toBeDisabled();
  });

  test('a row that somebody else has changed is named and read again; nothing is overwritten unseen', async () => {
    const { api, user: person } = await open({
      'PUT /bulkUpdateUsers': () => {
        throw new ApiError({
          ...problem(422, 'changed_meanwhile').problem,
          errors: [{ path: 'updates.0', message: 'changed' }],
        });
      },
    });
    await person.type(await screen.findByLabelText('kestrel: Fee, %'), '2');
    await person.click(screen.getByRole('button', { name: 'Review changes: 1' }));
    api.answer({ 'GET /admin/editUsers': answer([user(1), user(2, { feePercent: 5, version: 5 }), user(3)]) });
    await person.click(screen.getByRole('button', { name: 'Save: 1' }));
    expect(await screen.findByText(/kestrel/, { selector: '[role=alert] bdi' })).toBeVisible();
    expect(screen.getByText(/The rows were reloaded/)).toBeVisible();
    expect(await screen.findByText('5')).toBeVisible();
    expect(screen.getByRole('table', { name: 'Changes' })).toHaveTextContent('kestrelFee, %52');
    api.answer({ 'PUT /bulkUpdateUsers': { changed: 1 } });
    await person.click(screen.getByRole('button', { name: 'Save: 1' }));
    await waitFor(() => expect(updates(api).at(-1)).toEqual([{ id: 2, version: 5, feePercent: 2 }]));
  });
});

describe('cells', () => {
  type Row = { id: number; role: string; fee: string };
  const rows: Row[] = [1, 2, 3].map((id) => ({ id, role: 'miner', fee: '1.5' }));
  const fields: EditField<Row>[] = [
    {
      key: 'role',
      title: 'Role',
      text: ({ role }) => role,
      choices: [
        { value: 'miner', label: 'Майнер' },
        { value: 'admin', label: 'Админ' },
      ],
      isValid: (text) => text === 'miner' || text === 'admin',
      rule: '',
    },
    { key: 'fee', title: 'Fee', text: ({ fee }) => fee, isValid: (text) => numberOf(text) !== null, rule: '' },
  ];
  const none: Drafts = new Map();
  const shown = (drafts: Drafts) =>
    differencesOf(drafts, rows, fields).map(({ row, field, before, after, valid }) => [
      row.id,
      field.key,
      before,
      after,
      valid,
    ]);

  test('a block of a spreadsheet is pasted from a cell on, by value or label; what sticks out is left', () => {
    const pasted = withPasted(none, rows, fields, {
      rowAt: 1,
      fieldAt: 0,
      text: 'Админ\t2\t9\r\nadmin\tx\r\nminer\t1\r\n',
    });
    expect(shown(pasted)).toEqual([
      [2, 'role', 'miner', 'admin', true],
      [2, 'fee', '1.5', '2', true],
      [3, 'role', 'miner', 'admin', true],
      [3, 'fee', '1.5', 'x', false],
    ]);
  });

  test('fill down copies a cell, changed or not; the text that was read is no change', () => {
    const drafts = withCell(none, rows[0]!, fields[1]!, '3');
    const filled = filledDown(drafts, rows, fields[1]!, 0);
    expect(shown(filled).map(([id, , , after]) => [id, after])).toEqual([
      [1, '3'],
      [2, '3'],
      [3, '3'],
    ]);
    const back = withCell(filled, rows[0]!, fields[1]!, '1.5');
    expect(shown(filledDown(back, rows, fields[1]!, 0))).toEqual([]);
  });

  test('after a row is read again the difference is to what it is now', () => {
    const drafts = withCell(none, rows[0]!, fields[1]!, '3');
    expect(differencesOf(drafts, [{ ...rows[0]!, fee: '2' }], fields)).toMatchObject([{ before: '2', after: '3' }]);
    expect(differencesOf(drafts, [{ ...rows[0]!, fee: '3' }], fields)).toEqual([]);
  });

  test('numbers as people write them', () => {
    expect(['1.5', '1,5', '١٫٥'].map(numberOf)).toEqual([1.5, 1.5, 1.5]);
    expect(['', '1e3', '-1', '0x10'].map(numberOf)).toEqual(Array(4).fill(null));
  });
});

describe('sub-accounts', () => {
  const account = (id: number, facts: Partial<Account> = {}): Account => ({
    id,
    name: `hall-${id}`,
    ports: {},
    proxyPort: null,
    owner: 'north',
    btcAddress: null,
    thresholdSat: 5_000_000,
    version: 1,
    isLegacyUser: false,
    heldUntil: null,
    paused: false,
    unpaidSat: 0,
    workersOnline: 3,
    ...facts,
  });
  const OLD = '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2';
  const NEW = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';

  beforeEach(desktop);

  test('names keep their signs at their end in Arabic', () =>
    keepsNames({ 'GET /admin/subAccounts': { rows: [account(1)], total: 1, nextCursor: null } }, 'hall-1', (odd) =>
      renderPage(<SubAccountsPage />, {
        path: '/admin/sub-accounts',
        role: 'admin',
        api: fakeApi(odd),
        language: 'ar',
      }),
    ));

  test('an address is changed in the panel of its account; a first one is its owner’s to set', async () => {
    const rows = [account(1, { btcAddress: OLD }), account(2)];
    const asked: unknown[] = [];
    const { user, api } = await renderPage(<SubAccountsPage />, {
      path: '/admin/sub-accounts',
      role: 'admin',
      api: fakeApi({
        'GET /admin/subAccounts': { rows, total: 2, nextCursor: null },
        'PUT /admin/wallet': (options: unknown) => {
          asked.push(options);
          if (asked.length === 1) throw problem(400, 'address_checksum');
          return { btcAddress: NEW, history: [] };
        },
      }),
    });
    await user.click(await screen.findByText('hall-2'));
    const panel = within(await screen.findByRole('dialog', { name: 'hall-2' }));
    expect(panel.queryByRole('button', { name: 'Change address' })).toBeNull();
    await user.click(panel.getByRole('button', { name: 'Close' }));
    await user.click(screen.getByText('hall-1'));
    await user.click(await screen.findByRole('button', { name: 'Change address' }));
    const address = await screen.findByLabelText('New address');
    expect(address).toHaveFocus();
    await user.keyboard(`${NEW}{Enter}`);
    expect(await screen.findByText(/checksum does not match/)).toBeVisible();
    await user.keyboard('{Enter}');
    await waitFor(() => expect(screen.queryByLabelText('New address')).toBeNull());
    expect(api.sent('PUT /admin/wallet').at(-1)).toMatchObject({
      query: { accountName: 'hall-1' },
      body: { btcAddress: NEW },
    });
  });
});
