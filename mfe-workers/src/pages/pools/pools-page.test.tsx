import type { SubAccountPoolConfig } from '@pool/shared';
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
import { hashrates, hold, listed, lists, savedPools, switches, upstream } from '../../testing/pools';
import { PoolsPage } from './pools-page';
import { arranged, moved } from './list/order';

const answers: FakeAnswers = {
  'GET /subAccounts/': subAccounts,
  'GET /subAccountPoolConfigs': lists,
  'GET /poolConfigs/': savedPools,
  'GET /upstreams': [upstream(), upstream({ algorithm: 'SCRYPT', name: 'Litecoin', state: 'down', connections: 0 })],
  'GET /upstreamSwitches': switches,
  'GET /getLiveHashrates/': hashrates,
  'GET /poolHold': hold(),
};
const apiOf = (more: FakeAnswers = {}) => fakeApi({ ...answers, ...more });
const open = async (answers: FakeAnswers = {}, options: RenderOptions = {}) => {
  const api = apiOf(answers);
  const page = await renderPage(<PoolsPage />, { path: '/workers/pools', api, ...options });
  await screen.findByRole('region', { name: 'SHA256' });
  return page;
};
const panel = (name = 'SHA256') => screen.getByRole('region', { name });
const names = () =>
  within(panel())
    .getAllByRole('listitem')
    .map((row) => row.querySelector('bdi')?.textContent);
const row = (name: string) => within(panel()).getByText(name, { selector: 'li bdi' }).closest('li')!;
const choose = async (user: Awaited<ReturnType<typeof open>>['user'], name: string, action: string) => {
  await user.click(within(row(name)).getByRole('button', { name: `Actions for ${name}` }));
  await user.click(await screen.findByRole('menuitem', { name: action }));
};

test('shows where the work goes, and each pool with its state, latency and rejects', async () => {
  await open();
  const flow = await within(panel()).findByRole('group', { name: 'Where SHA256 work goes now' });
  await waitFor(() => expect(flow).toHaveTextContent(/212 workers.*proxy.*North.*21\.38.PH\/s/));
  expect(names()).toEqual(['North', 'Lake', 'Solo']);
  expect(within(panel()).getByText('since', { exact: false })).toBeVisible();
  const north = within(panel()).getAllByRole('listitem')[0]!;
  expect(north).toHaveTextContent(/1North.*Active.*38.ms.*0\.18.%/);
  expect(within(panel()).getAllByRole('listitem')[1]).toHaveTextContent(/Login refused.*check user and password/);
  expect(within(panel('SCRYPT')).getByText('No pool works; workers wait')).toBeVisible();
  expect(screen.getByText('The pool refused the login.', { exact: false })).toBeVisible();
});

test('the only pool has no backup: what happens then is said, and one can be added', async () => {
  const { user } = await open({ 'GET /subAccountPoolConfigs': [listed(1, 'North')] });
  expect(await within(panel()).findByText('No backup: if North fails, workers stay connected and wait.')).toBeVisible();
  await user.click(within(panel()).getByRole('button', { name: 'Add a backup' }));
  const dialog = await screen.findByRole('dialog', { name: /Add a pool/ });
  expect(dialog).toBeVisible();
  expect(within(dialog).getByRole('textbox', { name: 'User or wallet' })).toHaveAccessibleDescription(
    /with wallet\.\{worker\} the pool sets the difficulty of each machine/,
  );
});

test('a pool moves at once, and stays when the server agrees', async () => {
  let answer: (list: SubAccountPoolConfig[]) => void = () => undefined;
  const { api, user } = await open({
    'PUT /subAccountPoolConfigs/reorder': () => new Promise((resolve) => (answer = resolve)),
  });
  await choose(user, 'Lake', 'Move up');
  await waitFor(() => expect(names()).toEqual(['Lake', 'North', 'Solo']));
  expect(api.sent('PUT /subAccountPoolConfigs/reorder')[0]).toEqual({
    body: { reorderedConfigs: [2, 1, 3].map((id) => ({ id, algo: 'SHA256_ASICBOOST', subAccountId: 7 })) },
  });
  const after = [listed(2, 'Lake', { priority: 1 }), listed(1, 'North', { priority: 2 }), ...lists.slice(2)];
  api.answer({ 'GET /subAccountPoolConfigs': after });
  answer(after);
  await waitFor(() => expect(names()).toEqual(['Lake', 'North', 'Solo']));
});

test('an order that is refused with 409 is undone; the list is read again and the reason is said', async () => {
  const { api, user } = await open({ 'PUT /subAccountPoolConfigs/reorder': refusing(409, 'not_the_list') });
  api.answer({ 'GET /subAccountPoolConfigs': [...lists, listed(9, 'Newest', { priority: 4 })] });
  await choose(user, 'North', 'Move down');
  expect(await within(panel()).findByRole('alert')).toHaveTextContent('changed elsewhere');
  await waitFor(() => expect(names()).toEqual(['North', 'Lake', 'Solo', 'Newest']));
});

test('a pool is switched off, and taken out after a question', async () => {
  const { api, user } = await open({
    'PUT /subAccountPoolConfigs/{id}': lists.map((pool) =>
      pool.id === 1 ? { ...pool, enabled: false, state: 'disabled' as const } : pool,
    ),
    'DELETE /subAccountPoolConfigs/{id}': lists.slice(1),
  });
  await user.click(screen.getByRole('switch', { name: 'Use North' }));
  await waitFor(() => expect(api.calls.at(-1)).toBeDefined());
  expect(api.sent('PUT /subAccountPoolConfigs/{id}')[0]).toEqual({ params: { id: 1 }, body: { enabled: false } });
  api.answer({ 'GET /subAccountPoolConfigs': lists.slice(1) });
  await choose(user, 'North', 'Remove from list…');
  const dialog = await screen.findByRole('dialog');
  expect(dialog).toHaveTextContent('Remove North from the list?');
  await user.click(within(dialog).getByRole('button', { name: 'Remove' }));
  await waitFor(() => expect(names()).toEqual(['Lake', 'Solo']));
});

test.each([
  ['ok', ['Connected', 'Subscribed', 'Signed in', 'Got work: the pool can be used']],
  ['auth_failed', ['Connected', 'Subscribed', expect.stringMatching(/^Login refused/)]],
  ['refused', [expect.stringMatching(/^Not reached/)]],
] as const)('a test that finds %s says how far it came', async (result, steps) => {
  const { api, user } = await open({ 'POST /poolConfigs/test': { result } });
  await choose(user, 'North', 'Test connection');
  const found = () => within(row('North')).getAllByRole('listitem');
  await waitFor(() => expect(found().map(({ textContent }) => textContent)).toEqual(steps));
  expect(api.sent('POST /poolConfigs/test')[0]).toEqual({ body: { id: 101 } });
});

test('a new pool is checked before it is sent, then saved and put into the list', async () => {
  const { api, user } = await open({
    'POST /poolConfigs/': { ...savedPools[0]!, id: 120, name: 'Fresh' },
    'POST /subAccountPoolConfigs': [...lists, listed(5, 'Fresh', { priority: 4 })],
  });
  api.answer({ 'GET /subAccountPoolConfigs': [...lists, listed(5, 'Fresh', { priority: 4 })] });
  await user.click(screen.getByRole('button', { name: 'Add pool' }));
  const dialog = await screen.findByRole('dialog');
  const field = (label: string) => within(dialog).getByLabelText(label);
  await user.type(field('Name'), 'Fresh');
  await user.type(field('Address'), 'fresh.example');
  await user.type(field('User or wallet'), 'me.rig');
  await user.click(within(dialog).getByRole('button', { name: 'Add pool' }));
  expect(await within(dialog).findByText(/Enter an address like stratum\+tcp/)).toBeVisible();
  await user.clear(field('Address'));
  await user.type(field('Address'), 'stratum+ssl://fresh.example:443');
  await user.click(within(dialog).getByRole('button', { name: 'Add pool' }));
  await waitFor(() => expect(names()).toEqual(['North', 'Lake', 'Solo', 'Fresh']));
  expect(api.sent('POST /poolConfigs/')[0]).toEqual({
    body: {
      name: 'Fresh',
      algorithm: 'SHA256_ASICBOOST',
      url: 'stratum+ssl://fresh.example:443',
      user: 'me.rig',
    },
  });
  expect(api.sent('POST /subAccountPoolConfigs')[0]).toEqual({
    query: { subAccountId: 7 },
    body: { poolConfigId: 120 },
  });
});

test('a saved pool goes into the list; one in use cannot be deleted', async () => {
  const { api, user } = await open({ 'POST /subAccountPoolConfigs': lists });
  const library = screen.getByRole('region', { name: 'Saved pools' });
  expect(await within(library).findByText('Spare')).toBeVisible();
  expect(within(library).queryByRole('button', { name: 'Delete North' })).toBeNull();
  expect(within(library).getByRole('button', { name: 'Delete Spare' })).toBeVisible();
  await user.click(within(library).getByRole('button', { name: 'Add Spare to the list' }));
  await waitFor(() =>
    expect(api.sent('POST /subAccountPoolConfigs')[0]).toEqual({
      query: { subAccountId: 7 },
      body: { poolConfigId: 109 },
    }),
  );
});

test('where the sub-accounts cannot be read, the error has Retry, and the rest of the page lives on', async () => {
  const api = apiOf({ 'GET /subAccounts/': refusing(503, 'server_error') });
  const { user } = await renderPage(<PoolsPage />, { path: '/workers/pools', api });
  const alert = await screen.findByRole('alert');
  expect(await screen.findByText('Spare')).toBeVisible();
  api.answer({ 'GET /subAccounts/': subAccounts });
  await user.click(within(alert).getByRole('button', { name: 'Retry' }));
  await waitFor(() => expect(names()).toEqual(['North', 'Lake', 'Solo']));
});

const poolsPage = { page: <PoolsPage />, at: { path: '/workers/pools' }, answers };
testLists([
  {
    ...poolsPage,
    list: 'SHA256',
    call: 'GET /subAccountPoolConfigs',
    row: 'Solo',
    none: { answer: { 'GET /subAccountPoolConfigs': [] }, says: 'No SHA256 pool of your own' },
  },
  { ...poolsPage, list: 'Saved pools', call: 'GET /poolConfigs/', row: 'Spare' },
  {
    ...poolsPage,
    list: 'Switches, last 24 h',
    call: 'GET /upstreamSwitches',
    row: 'Lake',
    none: { answer: { 'GET /upstreamSwitches': [] }, says: 'No switches.' },
  },
]);

test('changes that are held: when they take effect, where work goes until then; cancelled after a question', async () => {
  const held = hold({
    until: new Date(Date.now() + 71.5 * 3_600_000).toISOString(),
    inForce: [
      { subAccountId: 7, algo: 'SHA256_ASICBOOST', name: 'North', url: '' },
      { subAccountId: 7, algo: 'SHA256_ASICBOOST', name: 'Lake', url: '' },
      { subAccountId: 8, algo: 'SHA256_ASICBOOST', name: 'Elsewhere', url: '' },
    ],
  });
  const { api, user } = await open({ 'GET /poolHold': held, 'DELETE /poolHold': hold() });
  const notice = (await screen.findByText(/Your changes take effect on/)).closest('[role=status]')!;
  expect(notice).toHaveTextContent(
    /2.d 23.h left.*Until then SHA256 goes to North, Lake.*SCRYPT goes to this pool’s own/,
  );
  await user.click(within(notice as HTMLElement).getByRole('button', { name: 'Cancel changes' }));
  api.answer({ 'GET /poolHold': hold() });
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Cancel changes' }));
  await waitFor(() => expect(notice).not.toBeInTheDocument());
  expect(api.calls.map(({ call }) => call)).toContain('DELETE /poolHold');
});

describe('the order', () => {
  const list = [{ id: 1 }, { id: 2 }, { id: 3 }];

  test('a list in the order given, however it changed meanwhile', () => {
    expect(arranged(list, null)).toBe(list);
    expect(arranged(list, [3, 1, 2]).map(({ id }) => id)).toEqual([3, 1, 2]);
    // 2 is new, 9 is gone.
    expect(arranged(list, [3, 9, 1]).map(({ id }) => id)).toEqual([3, 1, 2]);
  });

  test('one entry goes to another place, the others keep their order', () => {
    expect(moved([1, 2, 3, 4], 0, 2)).toEqual([2, 3, 1, 4]);
    expect(moved([1, 2, 3, 4], 3, 0)).toEqual([4, 1, 2, 3]);
  });
});
