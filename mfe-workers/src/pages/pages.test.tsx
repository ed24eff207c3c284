import { minerSettings, minerUri, type SubAccountPoolConfig } from '@pool/shared';
import {
  Address,
  type FakeAnswers,
  fakeApi,
  refusing,
  type RenderOptions,
  renderPage,
  subAccounts,
  testLists,
  connection,
  textsIn,
  upstream,
} from '@pool/shared/testing';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { series } from '../testing/series';
import { liveWorkers, worker } from '../testing/worker';
import { GroupsPage } from './groups/groups-page';
import { groupTotals, sortGroups } from './groups/group-totals';
import { ConnectionPage } from './connection/connection-page';
import { linesFor } from './connection/miner-settings';
import { hashrates, hold, listed, lists, savedPools, switches } from '../testing/pools';
import { PoolsPage } from './pools/pools-page';
import { arranged, moved } from './pools/list/order';

describe('groups', () => {
  const workers = [
    worker({ group: 'Hall A', h1: 90e12 }),
    worker({ group: 'Hall A', state: 'offline', h1: 0 }),
    worker({ group: null, h1: 10e12 }),
  ];
  const live = liveWorkers(workers);
  const groups = [
    {
      id: 1,
      name: 'Hall A',
      subAccountId: 7,
      workers: 2,
      limit: 0.8,
      isBelow: true as const,
      power: { usdPerKwh: 0.06, kilowatts: 7, machines: 2, draws: 7 },
    },
    { id: 2, name: 'Hall B', subAccountId: 7, workers: 0 },
    // This group belongs to another sub-account.
    { id: 3, name: 'Elsewhere', subAccountId: 8, workers: 4 },
  ];
  const answers: FakeAnswers = {
    'GET /subAccounts/': subAccounts,
    'GET /workerGroups/': groups,
    'GET /liveWorkers/': live,
    'GET /homePrice/': { price: 100_000, at: null, stale: false },
  };
  const open = (more: FakeAnswers = {}, options: RenderOptions = {}) =>
    renderPage(<GroupsPage />, { path: '/workers/groups', api: fakeApi({ ...answers, ...more }), ...options });
  const names = () => textsIn(screen.getAllByRole('rowheader'));

  test("totals of the account's groups; each leads to its workers", async () => {
    await open();
    await waitFor(() => expect(names()).toEqual(['Hall ABelow 80 %', 'Hall B', 'No group']));
    const [, hall, empty] = screen.getAllByRole('row');
    expect(hall).toHaveTextContent(/%1 \/ 2.*90\.00.TH\/s.*181\.00.TH\/s\D*49.%/);
    expect(empty).toHaveTextContent('0 / 0');
    expect(screen.getByRole('link', { name: 'Hall A' })).toHaveAttribute(
      'href',
      expect.stringMatching(/\/\?group=Hall\+A$/),
    );
    expect(screen.getByRole('link', { name: 'No group' })).toHaveAttribute('href', expect.stringMatching(/\?group=$/));
  });

  test('what power costs and earns is shown where a price is given; a loss is said', async () => {
    const answer = { 'GET /liveWorkers/': { ...live, satsPerHs: 5e-11 } };
    await open({ ...answer, 'GET /workerGroups/': groups.map((group) => ({ ...group, power: null })) });
    await waitFor(() => expect(names()).toContain('Hall B'));
    expect(screen.queryByRole('columnheader', { name: /kWh/ })).toBeNull();
    cleanup();
    // 90 TH/s earn $4.50 a day with 3.5 of the 7 kW, which are 84 kWh at $0.06.
    await open(answer);
    const hall = (await screen.findByRole('link', { name: 'Hall A' })).closest('tr');
    await waitFor(() => expect(hall).toHaveTextContent(/\$5\.04Loss0\.054 \/ 0\.060/));
    expect(screen.getByText('At a loss now: Hall A.')).toBeVisible();
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
      'PUT /workerGroups/{name}': groups[0]!,
      'DELETE /workerGroups/{name}': { deleted: true, workers: [1, 2] },
      'POST /workerGroups/': groups[0]!,
      'POST /workers/bulk': { changed: 2 },
    });
    const choose = async (action: string) => {
      await user.click(await screen.findByRole('button', { name: 'Actions for Hall A' }));
      await user.click(await screen.findByRole('menuitem', { name: action }));
      return screen.findByRole('dialog');
    };
    const change = await choose('Name, alert limit, power…');
    const type = async (label: string, text: string) => {
      const field = within(change).getByLabelText(label);
      await user.clear(field);
      if (text) await user.type(field, text);
    };
    const save = () => user.click(within(change).getByRole('button', { name: 'Save' }));
    expect(within(change).getByLabelText('Name')).toHaveValue('Hall A');
    expect(within(change).getByLabelText('Tell me below, % of its last week')).toHaveValue('80');
    await type('Name', '');
    await type('Price of power, $ a kWh', '');
    await save();
    expect(await within(change).findByText('Give the group a name.')).toBeVisible();
    expect(within(change).getByText('Say what a kWh costs.')).toBeVisible();
    await type('Name', 'Hall 1');
    await type('Tell me below, % of its last week', '90');
    await type('Price of power, $ a kWh', '0.055');
    await type('Draw with all machines on, kW', '6.5');
    await save();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    const hall = { params: { name: 'Hall A' }, query: { subAccountId: 7 } };
    const changed = { name: 'Hall 1', limit: 0.9, power: { usdPerKwh: 0.055, kilowatts: 6.5 } };
    expect(api.sent('PUT /workerGroups/{name}')).toEqual([{ ...hall, body: changed }]);
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
    // Undo sets its limit and power again.
    expect(api.sent('PUT /workerGroups/{name}')[1]).toEqual({
      ...hall,
      body: { limit: 0.8, power: { usdPerKwh: 0.06, kilowatts: 7 } },
    });
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
      const totals = groupTotals(
        workers,
        ['Hall 2', 'Hall 10', 'Empty'].map((name, id) => ({ id, name, subAccountId: 7, workers: 1 })),
      );
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
      expect(totals[2]).toMatchObject({ total: 0, h1: 0, expected: 0, share: null });
      expect(totals[3]).toMatchObject({ offline: 1, total: 1, h24: 40e12, lost: 91e12, expected: 91e12, share: 0 });
      const by = (key: string, order: 'ascend' | 'descend') =>
        sortGroups(totals, { key, order }).map(({ name }) => name);
      expect(by('name', 'descend')).toEqual(['Hall 10', 'Hall 2', 'Empty', null]);
      expect(by('offline', 'descend')[0]).toBeNull();
      // A group of which nothing is expected is after those that make less than they should.
      expect(by('share', 'ascend').at(-1)).toBe('Empty');
      expect(by('share', 'ascend')[0]).toBeNull();
      expect(by('online', 'descend')[0]).toBe('Hall 2');
    });
  });
});

describe('connection', () => {
  const both = [
    connection({ dedicated: true, port: 13_311, tlsPort: 4433 }),
    connection({ algorithm: 'SCRYPT', host: 'ltc.pool.example', port: 3312 }),
  ];
  const open = (options: RenderOptions = {}) =>
    renderPage(
      <>
        <ConnectionPage />
        <Address />
      </>,
      { path: '/workers/connection', api: fakeApi({ 'GET /connectionInfo/': both }), ...options },
    );
  const panel = (name: string) => screen.getByRole('region', { name });

  test('addresses of every algorithm, with TLS and own ports where there are some; the picked one first', async () => {
    await open({ session: { algorithm: 'SCRYPT' } });
    const sha = await screen.findByRole('region', { name: 'SHA256' });
    expect(within(sha).getByText('stratum+tcp://sha.pool.example:13311')).toBeVisible();
    expect(within(sha).getByText('stratum+ssl://sha.pool.example:4433')).toBeVisible();
    expect(within(sha).getByText('Own port')).toBeVisible();
    expect(within(panel('SCRYPT')).queryByText(/stratum\+ssl/)).toBeNull();
    expect(panel('SCRYPT').compareDocumentPosition(sha)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  });

  test('the worker name goes into the fields, the lines and the URL; one that miners cannot have does not', async () => {
    const { user } = await open();
    const name = await screen.findByRole('textbox', { name: 'Worker name' });
    await user.clear(name);
    await user.type(name, 'hall.7');
    const sha = panel('SHA256');
    await waitFor(() => expect(within(sha).getByText('northfield.hall.7')).toBeVisible());
    expect(within(sha).getByLabelText('Settings to paste for SHA256')).toHaveTextContent('northfield.hall.7');
    expect(document.querySelector('output')).toHaveTextContent('?name=hall.7');
    await user.type(name, ' 8');
    expect(screen.getByRole('alert')).toHaveTextContent('1 to 64 letters');
    expect(within(sha).getByText('northfield.hall.7')).toBeVisible();
  });

  test('difficulty and software come from the URL', async () => {
    await open({ path: '/workers/connection?name=a&d=4096&software=BFGMiner' });
    const line = await screen.findByLabelText('Settings to paste for SHA256');
    expect(line).toHaveTextContent('bfgminer -o stratum+tcp://sha.pool.example:13311 -u northfield.a -p d=4096');
    // Not for SCRYPT: its first line stands.
    expect(screen.getByLabelText('Settings to paste for SCRYPT')).toHaveTextContent(
      'minerd -a scrypt -o stratum+tcp://ltc.pool.example:3312',
    );
  });

  test('an account with a miner password is told where it goes', async () => {
    await open({ api: fakeApi({ 'GET /connectionInfo/': [connection({ passwordSet: true })] }) });
    expect(await screen.findByText(/put it in place of PASSWORD/)).toBeVisible();
  });

  testLists([
    {
      list: 'SHA256',
      page: <ConnectionPage />,
      at: { path: '/workers/connection' },
      answers: { 'GET /connectionInfo/': both },
      call: 'GET /connectionInfo/',
      row: /sha\.pool\.example:13311/,
    },
  ]);

  test('a legacy user sees its own algorithm only; in Arabic', async () => {
    await open({ session: { isLegacyUser: true, algorithm: 'SCRYPT' }, language: 'ar' });
    expect(await screen.findByRole('region', { name: 'SCRYPT' })).toBeVisible();
    expect(screen.queryByRole('region', { name: 'SHA256' })).toBeNull();
    expect(screen.getByRole('textbox', { name: 'اسم الجهاز' })).toBeVisible();
  });

  describe('settings of a miner', () => {
    const plain = { name: 'rig-01', difficulty: null };

    test('the password carries the difficulty and the miner password, which stays out of the QR code', () => {
      const wish = { name: 'hall.7', difficulty: 1024 };
      const open = minerSettings(connection(), wish);
      expect(open.password).toBe('d=1024');
      expect(minerUri(open)).toBe('stratum+tcp://northfield.hall.7:d%3D1024@sha.pool.example:3311');
      const closed = minerSettings(connection({ passwordSet: true }), wish);
      expect(closed.password).toBe('d=1024,PASSWORD');
      expect(minerUri(closed)).toBe('stratum+tcp://northfield.hall.7@sha.pool.example:3311');
    });

    test('lines are whole: every one has the address, the worker and the password', () => {
      for (const algorithm of ['SHA256_ASICBOOST', 'SCRYPT'] as const) {
        const settings = minerSettings(connection({ algorithm }), { name: 'a', difficulty: 64 });
        const lines = linesFor(algorithm);
        expect(lines.length).toBeGreaterThan(2);
        for (const { text } of lines)
          for (const part of [settings.url, settings.user, settings.password]) expect(text(settings)).toContain(part);
      }
      expect(linesFor('SCRYPT').map(({ text }) => text(minerSettings(connection({ port: 3312 }), plain)))).toContain(
        'minerd -a scrypt -o stratum+tcp://sha.pool.example:3312 -u northfield.rig-01 -p x',
      );
    });
  });
});

describe('pools', () => {
  const answers: FakeAnswers = {
    'GET /subAccounts/': subAccounts,
    'GET /subAccountPoolConfigs': lists,
    'GET /poolConfigs/': savedPools,
    'GET /upstreams': [upstream(), upstream({ algorithm: 'SCRYPT', name: 'Litecoin', state: 'down', connections: 0 })],
    'GET /timeline': switches,
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
    expect(await screen.findByText(/Upstream pool North lost: login refused$/)).toBeVisible();
  });

  test('the only pool has no backup: what happens then is said, and one can be added', async () => {
    const { user } = await open({ 'GET /subAccountPoolConfigs': [listed(1, 'North')] });
    expect(
      await within(panel()).findByText('No backup: if North fails, workers stay connected and wait.'),
    ).toBeVisible();
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
    await waitFor(() =>
      expect(api.sent('PUT /subAccountPoolConfigs/{id}')).toEqual([{ params: { id: 1 }, body: { enabled: false } }]),
    );
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
    await waitFor(() => expect(textsIn(found())).toEqual(steps));
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
    api.answer({ 'POST /poolConfigs/test': refusing(422, 'upstream_not_allowed') });
    await user.click(within(dialog).getByRole('button', { name: 'Test connection' }));
    expect(await within(dialog).findByText(/^This address cannot be used/)).toBeVisible();
    api.answer({ 'POST /poolConfigs/': refusing(422, 'upstream_not_allowed') });
    await user.click(within(dialog).getByRole('button', { name: 'Add pool' }));
    await waitFor(() => expect(api.sent('POST /poolConfigs/')).toHaveLength(1));
    // Said once, at its field.
    expect(await within(dialog).findByText(/^This address cannot be used/)).toBeVisible();
    expect(field('Address')).toBeInvalid();
    // What is typed is not thrown away by a key.
    await user.keyboard('{Escape}');
    await user.click(await screen.findByRole('button', { name: 'Keep editing' }));
    expect(field('Name')).toHaveValue('Fresh');
    const fresh = { ...savedPools[0]!, id: 120, name: 'Fresh' };
    api.answer({ 'POST /poolConfigs/': fresh, 'POST /subAccountPoolConfigs': refusing(409, 'list_full') });
    await user.click(within(dialog).getByRole('button', { name: 'Add pool' }));
    expect(await within(dialog).findByRole('alert')).toBeVisible();
    // It is saved by now: the next try changes it, and does not find its own name taken.
    api.answer({
      'PUT /poolConfigs/{id}': fresh,
      'POST /subAccountPoolConfigs': [...lists, listed(5, 'Fresh', { priority: 4 })],
    });
    await user.click(within(dialog).getByRole('button', { name: 'Add pool' }));
    await waitFor(() => expect(names()).toEqual(['North', 'Lake', 'Solo', 'Fresh']));
    expect(api.sent('PUT /poolConfigs/{id}')[0]).toMatchObject({ params: { id: 120 } });
    expect(api.sent('POST /poolConfigs/').at(-1)).toEqual({
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
      list: 'Switches',
      call: 'GET /timeline',
      row: 'SHA256 · Upstream pool Lake, then North: the preferred pool works again',
      none: {
        answer: { 'GET /timeline': { rows: [], nextCursor: null } },
        says: 'None in the last year.',
      },
    },
  ]);

  test('changes that are held: when they take effect, where work goes until then; cancelled after a question', async () => {
    const place = { account: 'barn', algorithm: 'SHA256_ASICBOOST', url: '', user: 'me', enabled: true } as const;
    const held = hold({
      until: new Date(Date.now() + 71.5 * 3_600_000).toISOString(),
      shown: {
        before: { places: ['North', 'Lake'].map((name) => ({ ...place, name })) },
        after: { places: [{ ...place, name: 'Lake' }] },
      },
    });
    const { api, user } = await open({ 'GET /poolHold': held, 'DELETE /poolHold': hold() });
    const notice = (await screen.findByText(/Your changes take effect on/)).closest('[role=status]')!;
    expect(notice).toHaveTextContent(/2.d 23.h left/);
    expect(await within(notice as HTMLElement).findByRole('region', { name: 'Now' })).toHaveTextContent(/North.*Lake/);
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
});
