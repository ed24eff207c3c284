import {
  Address,
  payout,
  rowsOf,
  textsIn,
  balance,
  type FakeAnswers,
  type FakeApi,
  fakeApi,
  paper,
  phone,
  refusing,
  type RenderOptions,
  renderPage,
  savedFiles,
  stopClockAt,
  payoutSettings,
  problem,
} from '@pool/shared/testing';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { earning, earningChanges, history, months, earningMath } from '../../testing/answers';
import { ALL_ACCOUNTS } from '@pool/shared';
import { closedSums } from './earnings/ledger';
import { taxCsv } from './range/csv';
import { PaymentsPage } from './payments-page';
import { PayoutPanels } from '@pool/shared/ui/payout';
import { differences, recompute } from './math/recompute';

beforeEach(() => stopClockAt('2026-11-20T14:32:00Z'));
afterEach(() => jest.useRealTimers());

const DAYS = [
  earning(),
  earning({ algorithm: 'SCRYPT', meanHashrate: 407.59e9, priceBtc: 0.0092, netSat: 369_357 }),
  earning({ day: '2026-11-19', status: 'final', referralSat: 1_564 }),
];
const answers = (more: FakeAnswers = {}): FakeAnswers => ({
  'GET /timeline': { rows: [], nextCursor: null },
  'GET /payment/': balance(),
  'GET /homePrice/': { price: 97_240, at: null, stale: false },
  'GET /earnings/monthly': months(),
  'GET /earnings/{day}/changes': earningChanges,
  'GET /paymentsHistory/': history(DAYS, [payout()]),
  ...more,
});
const open = (more: FakeAnswers = {}, options: RenderOptions = {}) =>
  renderPage(<PaymentsPage />, { path: '/payments/', api: fakeApi(answers(more)), ...options });
const fail = refusing(503, 'server_error');
const requests = (api: FakeApi) =>
  api.sent('GET /paymentsHistory/').map((options) => (options as { query: Record<string, unknown> }).query);

test('the strip shows the balance and the next payout', async () => {
  await open();
  const strip = await screen.findByRole('region', { name: 'Balance' });
  await waitFor(() =>
    expect(strip).toHaveTextContent(
      'Unpaid0.03412 BTCReaches the threshold when 21 Nov closes. Payout from 22 Nov, 00:30 UTC on.',
    ),
  );
  expect(strip).toHaveTextContent('Yesterday0.01027 BTC$988');
  expect(strip).toHaveTextContent('Today, estimate0.01031 BTC$1,003');
  expect(strip).toHaveTextContent('Threshold0.05 BTC68 % reached');
  expect(strip).toHaveTextContent('Paid in total4.09274 BTC81 payouts');
});

test('yesterday is an estimate until it is closed', async () => {
  await open({ 'GET /payment/': balance({ yesterdayEstimated: true }) });
  expect(await screen.findByRole('region', { name: 'Balance' })).toHaveTextContent('Yesterday, estimate0.01027 BTC');
});

test('the earnings: one row per day, which opens into its algorithms', async () => {
  const { user } = await open();
  const table = await screen.findByRole('table', { name: 'Earnings per day' });
  const rows = () => rowsOf(table);
  expect(rows()).toHaveLength(2);
  expect(rows()[0]).toHaveTextContent(
    '20 NovSHA256SCRYPT21.36 PH/s407.59 GH/s0.000490000.009200000.020933980.00031400—0.01400355$1,362$97,240Estimated',
  );
  // A day of one algorithm is a row with all its figures.
  expect(rows()[1]).toHaveTextContent(
    /^19 NovSHA25621\.36 PH\/s0\.000490000\.01046699.*\$97,240FinalShow the calculation$/,
  );
  const day = within(table).getByRole('button', { name: '20 Nov', expanded: false });
  await user.click(day);
  expect(rows()).toHaveLength(4);
  expect(rows()[1]).toHaveTextContent('SHA25621.36 PH/s0.000490000.01046699');
  expect(rows()[2]).toHaveTextContent('SCRYPT407.59 GH/s0.00920000');
  // The day is seen once, and said in every row.
  expect(within(rows()[1] as HTMLElement).getByRole('rowheader')).toHaveTextContent('20 Nov');
});

test('of all sub-accounts together: a day is their sum and opens into each, a payout names its own', async () => {
  const ofBarn = { account: 'barn', meanHashrate: 1e15 };
  const day = { day: '2026-11-19', status: 'final' } as const;
  const rows = [earning(day), earning({ ...day, ...ofBarn }), earning({ ...day, ...ofBarn, day: '2026-11-18' })];
  const options: RenderOptions = { session: { account: ALL_ACCOUNTS } };
  const all = { 'GET /paymentsHistory/': history(rows, [payout({ account: 'barn' })]) };
  const { user, unmount } = await open(all, options);
  const table = await screen.findByRole('table', { name: 'Earnings per day' });
  const lines = () => rowsOf(table);
  expect(lines()[0]).toHaveTextContent(/^19 NovAll sub-accountsSHA25622\.36 PH\/s/);
  expect(lines()[1]).toHaveTextContent(/^18 NovbarnSHA2561\.00 PH\/s/);
  await user.click(within(table).getByRole('button', { name: '19 Nov', expanded: false }));
  const accounts = textsIn(lines()).map((text) => /northfield|barn/.exec(text)?.[0]);
  expect(accounts).toEqual([undefined, 'northfield', 'barn', 'barn']);
  expect(screen.getByText('All sub-accounts · 4.69200 in 12 months')).toBeVisible();
  const strip = screen.getByRole('region', { name: 'Balance' });
  expect(strip).toHaveTextContent('Each sub-account is paid by itself.');
  expect(strip).not.toHaveTextContent('Threshold');
  unmount();
  await open(all, { ...options, path: '/payments/?tab=payouts' });
  expect(await screen.findByRole('rowheader', { name: /barn$/ })).toBeVisible();
});

test('the tax file has a line for each sub-account of a day', () => {
  const day = { day: '2026-11-19', status: 'final' } as const;
  const [, rows] = taxCsv([earning(day), earning({ ...day, account: 'barn', netSat: 5 })], []);
  expect(rows.map(([, , account, , , net]) => [account, net])).toEqual([
    ['northfield', 1_030_998],
    ['barn', 5],
  ]);
});

test('on paper every day is open', async () => {
  paper();
  await open();
  const table = await screen.findByRole('table', { name: 'Earnings per day' });
  expect(within(table).getAllByRole('row').slice(1)).toHaveLength(4);
});

test('shows months as bars, the current one marked as incomplete', async () => {
  await open();
  const chart = await screen.findByRole('table', { name: 'Net earnings by month, BTC' });
  expect(within(chart).getByRole('row', { name: 'Oct 0.391' })).toBeInTheDocument();
  expect(within(chart).getByRole('row', { name: 'Nov so far 0.391' })).toBeInTheDocument();
  expect(screen.getByText('northfield · 4.69200 in 12 months')).toBeVisible();
});

test('no months before the first earning', async () => {
  await open({
    'GET /earnings/monthly': months().map((month, index) =>
      index < 9 ? { ...month, netSat: 0 } : index === 10 ? { ...month, netSat: 0 } : month,
    ),
  });
  const chart = await screen.findByRole('table', { name: 'Net earnings by month, BTC' });
  expect(within(chart).getAllByRole('row').slice(1)).toHaveLength(3);
  expect(within(chart).getByRole('row', { name: 'Oct 0.000' })).toBeInTheDocument();
});

test("requests the app bar's account and the last 30 days", async () => {
  const { api } = await open({}, { session: { account: 'hangar-2' } });
  expect(requests(api)).toEqual([
    { kind: 'earnings', accountName: 'hangar-2', from: '2026-10-22', to: '2026-11-20', limit: 100, cursor: undefined },
  ]);
  expect(api.calls).toContainEqual({
    call: 'GET /payment/',
    options: expect.objectContaining({ query: { currentAccount: 'hangar-2' } }),
  });
});

test('tab and days are in the URL', async () => {
  const { api } = await open({}, { path: '/payments/?tab=payouts&from=2026-11-01&to=2026-11-19' });
  expect(await screen.findByRole('table', { name: 'Payouts' })).toHaveTextContent('Due19 Nov, 00:30');
  expect(screen.getByRole('link', { name: 'Payouts' })).toHaveAttribute('aria-current', 'page');
  expect(screen.getByRole('link', { name: 'Earnings' })).toHaveAttribute(
    'href',
    '/payments/?from=2026-11-01&to=2026-11-19',
  );
  expect(screen.getByRole('button', { name: /^Date range, UTC days: 1\s–\s19 Nov 2026$/ })).toBeVisible();
  expect(requests(api)).toEqual([expect.objectContaining({ kind: 'payouts', from: '2026-11-01', to: '2026-11-19' })]);
});

test('one payout: its course as a line, and where it can be seen; closing it leaves the list', async () => {
  const sent = payout({
    status: 'sent',
    txid: 'aa'.repeat(32),
    queuedAt: '2026-11-19T05:00:00.000Z',
    sentAt: '2026-11-19T06:12:00.000Z',
  });
  const explorer = 'https://explorer.test/tx/{txid}';
  const answer = history([], [sent], undefined, null, explorer);
  const { user } = await open(
    { 'GET /paymentsHistory/': answer },
    { path: `/payments/?tab=payouts&payout=${sent.id}` },
  );
  const dialog = await screen.findByRole('dialog', { name: 'Payout of 19 Nov 2026' });
  for (const part of [screen.getByRole('table', { name: 'Payouts' }), dialog]) {
    const course = within(within(part).getByRole('list', { name: 'Payout progress' })).getAllByRole('listitem');
    expect(textsIn(course)).toEqual([
      expect.stringMatching(/^Earned1 Oct\s–\s18 Nov 2026$/),
      'Due19 Nov, 00:30',
      'Approved19 Nov, 05:00',
      'Sent19 Nov, 06:12',
      'Confirmed',
    ]);
    expect(course.map((step) => step.getAttribute('aria-current'))).toEqual([null, null, null, 'step', null]);
  }
  expect(within(dialog).getByRole('link', { name: 'View in the block explorer' })).toHaveAttribute(
    'href',
    `https://explorer.test/tx/${'aa'.repeat(32)}`,
  );
  await user.click(within(dialog).getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('a payout that waits says why', async () => {
  const held = payout({ id: 7, status: 'pending', reason: 'address_hold' });
  const answer = history([], [held]);
  await open({ 'GET /paymentsHistory/': answer }, { path: '/payments/?tab=payouts&payout=7' });
  const [step] = await screen.findAllByRole('listitem', { current: 'step' });
  expect(step).toHaveTextContent('Due19 Nov, 00:30new address on hold');
});

test('a payout says why it has its amount: days, gross, fee, what else was owed, and its dollars when sent', async () => {
  const sent = payout({ status: 'sent', sentAt: '2026-11-19T06:12:00.000Z', usdAtSend: 97_240, amountSat: 2_058_000 });
  const days = ['2026-11-18', '2026-11-17'].map((day) => earning({ day, status: 'final' }));
  const { api } = await open(
    { 'GET /paymentsHistory/': history(days, [sent]) },
    { path: `/payments/?tab=payouts&account=northfield&payout=${sent.id}` },
  );
  const why = await screen.findByRole('region', { name: 'Why this amount' });
  await waitFor(() =>
    expect(why).toHaveTextContent(
      /2 days1 Oct.{1,3}18 Nov 2026Gross0\.02093398 BTCPool fee−0\.00031400 BTCBonus, corrections, other days−0\.00003996 BTCAmount of the payout0\.02058000 BTCWorth when sent\$2,001Network fee, paid by the pool0\.00000310 BTC/,
    ),
  );
  expect(requests(api).at(-1)).toMatchObject({ kind: 'earnings', from: '2026-10-01', to: '2026-11-18' });
  expect(within(why).getByRole('link', { name: /1 Oct/ })).toHaveAttribute(
    'href',
    '/payments/?account=northfield&from=2026-10-01&to=2026-11-18',
  );
  expect(within(why).getByRole('link', { name: 'Pool fee' })).toHaveAttribute('href', '/pages/faq#fee');
});

test('a payout of referrals has no days; one that waits for an address says where it is set', async () => {
  const referral = payout({ id: 5, trigger: 'referral', status: 'pending', reason: 'review' });
  const waits = payout({ id: 6, status: 'pending', reason: 'no_address', address: null });
  const rest = {
    'GET /paymentsHistory/': history([], [waits, referral]),
    'GET /payment/': balance({ nextPayout: { at: null, reason: 'no_address', sooner: null } }),
  };
  await open(rest, { path: '/payments/?tab=payouts&payout=5' });
  const why = await screen.findByRole('region', { name: 'Why this amount' });
  expect(within(why).getByRole('link', { name: 'Earned by referrals' })).toHaveAttribute('href', '/referral/');
  expect(why).not.toHaveTextContent('Gross');
  cleanup();
  await open(rest, { path: '/payments/?tab=payouts&payout=6' });
  const dialog = await screen.findByRole('dialog');
  expect(await within(dialog).findByText(/^No payout address is set\./)).toBeVisible();
  expect(within(dialog).getByRole('link', { name: 'Add a payout address' })).toHaveAttribute(
    'href',
    '/payments/?tab=settings',
  );
});

test('payouts: what comes next', async () => {
  await open({}, { path: '/payments/?tab=payouts' });
  expect(await screen.findByRole('region', { name: 'Unpaid' })).toHaveTextContent(
    'Unpaid · 0.03412000 BTCReaches the threshold when 21 Nov closes.',
  );
});

test('payouts: months with what was sent in them; one is found by its transaction, in whatever days', async () => {
  const sums = months().map((month, index) => ({ ...month, paidSat: index === 10 ? 30_000_000 : 0 }));
  const { api, user } = await open({ 'GET /earnings/monthly': sums }, { path: '/payments/?tab=payouts&range=month' });
  expect(await screen.findByLabelText('Payouts by month, BTC')).toHaveTextContent('0.300');
  const field = await screen.findByRole('searchbox', { name: 'Transaction or address' });
  api.answer({ 'GET /paymentsHistory/': history([], []) });
  await user.click(field);
  await user.paste(` ${'ab'.repeat(32)} `);
  expect(await screen.findByText('No such payout')).toBeVisible();
  const asked = requests(api).at(-1);
  expect(asked).toMatchObject({ kind: 'payouts', search: 'ab'.repeat(32) });
  expect(asked).not.toHaveProperty('from');
  await user.click(screen.getByRole('button', { name: 'Show all payouts' }));
  expect(field).toHaveValue('');
  expect(screen.queryByText('No such payout')).not.toBeInTheDocument();
});

test('choosing days requests them', async () => {
  const { api, user } = await open();
  await user.click(screen.getByRole('button', { name: /Date range/ }));
  await user.click(screen.getByRole('button', { name: 'Last month' }));
  await waitFor(() => expect(requests(api).at(-1)).toMatchObject({ from: '2026-10-01', to: '2026-10-31' }));
  expect(await screen.findByRole('button', { name: /1\s–\s31 Oct 2026$/ })).toHaveFocus();
});

test('custom days are typed and read as days of the page; the first must not be after the last', async () => {
  const { api, user } = await open({}, { path: '/payments/?from=2026-11-01&to=2026-11-10' });
  await user.click(screen.getByRole('button', { name: /Date range/ }));
  const from = await screen.findByLabelText('From');
  expect(from).toHaveValue('1 Nov 2026');
  for (const [text, said] of [
    ['12/11/2026', 'Enter 10 Nov 2026 or an earlier day.'],
    ['soon', 'Enter a day like 24 Nov 2026.'],
  ] as const) {
    await user.clear(from);
    await user.type(from, `${text}{Enter}`);
    expect(await screen.findByRole('alert')).toHaveTextContent(said);
    expect(from).toBeInvalid();
    expect(screen.getByRole('button', { name: 'Show' })).toBeDisabled();
  }
  expect(requests(api)).toHaveLength(1);
  await user.clear(from);
  await user.type(from, '5 Nov 2026{Enter}');
  await waitFor(() => expect(requests(api).at(-1)).toMatchObject({ from: '2026-11-05', to: '2026-11-10' }));
});

test('Show more loads the next page; the total is that of the whole range before', async () => {
  const sums = { days: 365, grossSat: 7, feeSat: 2, referralSat: 0, netSat: 5, netUsd: 12 };
  const { api, user } = await open({
    'GET /paymentsHistory/': ({ query }) =>
      query?.cursor === '100'
        ? {
            kind: 'earnings',
            rows: [earning({ day: '2026-11-01', status: 'final' })],
            total: 4,
            sums,
            nextCursor: null,
          }
        : { kind: 'earnings', rows: DAYS, total: 4, sums, nextCursor: '100' },
  });
  expect(await screen.findByText('3 of 4 shown')).toBeVisible();
  expect(screen.getByRole('region', { name: 'Total of 365 closed days' })).toHaveTextContent(
    'Gross0.00000007 BTCPool fee0.00000002 BTCNet0.00000005 BTCNet, at the day’s price$12',
  );
  // The 19th may go on on the next page.
  expect(screen.queryByText('19 Nov')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Show 1 more' }));
  expect(await screen.findByText('1 Nov')).toBeVisible();
  expect(screen.queryByRole('button', { name: /^Show \d/ })).toBeNull();
  expect(requests(api)).toHaveLength(2);
});

test('the export pages through the whole range', async () => {
  const saved = savedFiles();
  const { api, user } = await open({
    'GET /paymentsHistory/': ({ query }) => ({
      kind: 'earnings',
      rows: [earning({ day: query?.cursor === 'b' ? '2026-11-01' : '2026-11-20' })],
      total: 2,
      sums: closedSums([]),
      nextCursor: query?.cursor === 'b' ? null : 'b',
    }),
  });
  await user.click(await screen.findByRole('button', { name: 'Export CSV' }));
  expect(await screen.findByText('Exported 2 rows')).toBeInTheDocument();
  expect(requests(api).slice(-2)).toEqual([
    expect.objectContaining({ limit: 500, cursor: undefined }),
    expect.objectContaining({ limit: 500, cursor: 'b' }),
  ]);
  const text = await saved.text();
  expect(text.trim().split('\r\n')).toHaveLength(3);
  expect(text).toContain('2026-11-01,northfield,SHA256_ASICBOOST,21360000000000000,0.00049,PH/s,0.01046699');
});

test('a failed export saves nothing and shows an error', async () => {
  const { names } = savedFiles();
  const { api, user } = await open();
  await screen.findByRole('table', { name: 'Earnings per day' });
  api.answer({ 'GET /paymentsHistory/': fail });
  await user.click(screen.getByRole('button', { name: 'Export CSV' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('The pool could not answer');
  expect(names).toEqual([]);
});

test('on a phone the rows are cards that open', async () => {
  phone();
  await open();
  const list = await screen.findByRole('list', { name: 'Earnings per day' });
  const [card] = within(list).getAllByRole('listitem');
  expect(card).toHaveTextContent('20 Nov · northfield0.01400355 BTC$1,362SHA256 + SCRYPTEstimated');
  expect(within(card as HTMLElement).getAllByText('Pool fee')).toHaveLength(2);
});

describe('payout settings', () => {
  const open = async (more: Parameters<typeof fakeApi>[0] = {}, options: Parameters<typeof renderPage>[1] = {}) => {
    const api = fakeApi({
      'GET /wallet/': { btcAddress: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', history: [] },
      'GET /payoutSettings': payoutSettings,
      'GET /payment/': balance({ paceSat: 100_000 }),
      ...more,
    });
    const page = await renderPage(<PayoutPanels account="northfield" />, { api, ...options });
    await screen.findByText(/Payout threshold/);
    const sent = () => api.sent('PUT /payoutSettings');
    return { ...page, sent, threshold: () => screen.getByLabelText('Payout threshold') };
  };

  test('shows where the account is paid to, its threshold and bounds', async () => {
    const { threshold } = await open();
    expect(await screen.findByText('bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq')).toBeVisible();
    expect(threshold()).toHaveValue('0.005');
    expect(threshold()).toHaveAccessibleDescription(/0\.0001 to 100 BTC/);
    expect(screen.getByRole('button', { name: 'Save threshold' })).toBeDisabled();
    expect(screen.getByRole('switch', { name: 'Pause payouts' })).not.toBeChecked();
  });

  test('a threshold is saved in satoshis; what is no amount or outside the bounds is said and nothing is sent', async () => {
    const { user, threshold, sent } = await open({
      'PUT /payoutSettings': ({ body }) => ({ ...payoutSettings, ...body }),
    });
    for (const wrong of ['', '1e3', '0.00009999', '100.00000001']) {
      await user.clear(threshold());
      if (wrong) await user.type(threshold(), wrong);
      await user.click(screen.getByRole('button', { name: 'Save threshold' }));
      expect(threshold()).toBeInvalid();
      expect(screen.getByRole('alert')).toHaveTextContent('Enter an amount between 0.0001 and 100 BTC.');
    }
    expect(sent()).toEqual([]);
    await user.clear(threshold());
    await user.type(threshold(), '0,01{Enter}');
    expect(await screen.findByText('Threshold saved')).toBeVisible();
    expect(sent()).toEqual([{ query: { accountName: 'northfield' }, body: { thresholdSat: 1_000_000 } }]);
  });

  test('how far the threshold is at this pace is said; where that is years, a nearer one is one click', async () => {
    const near = await open();
    await waitFor(() => expect(near.threshold()).toHaveAccessibleDescription(/At this pace that is about 5 days\.$/));
    expect(screen.queryByRole('button', { name: /^Set it to/ })).toBeNull();
    near.unmount();
    const { user, sent } = await open({
      'GET /payment/': balance({ paceSat: 100 }),
      'PUT /payoutSettings': ({ body }) => ({ ...payoutSettings, ...body }),
    });
    await user.click(await screen.findByRole('button', { name: 'Set it to 0.0001 BTC: about 3 months' }));
    expect(sent()).toEqual([{ query: { accountName: 'northfield' }, body: { thresholdSat: 10_000 } }]);
  });

  test('a threshold that a link offers is filled in and not saved; another can be saved in its place', async () => {
    let rules = payoutSettings;
    const { user, threshold, sent } = await open(
      {
        'GET /payoutSettings': () => rules,
        'PUT /payoutSettings': ({ body }) => (rules = { ...rules, ...body }),
      },
      { path: '/payments/?tab=settings&threshold=200000' },
    );
    expect(threshold()).toHaveValue('0.002');
    expect(threshold()).toHaveFocus();
    expect(sent()).toEqual([]);
    await user.clear(threshold());
    await user.type(threshold(), '0.003');
    await user.click(screen.getByRole('button', { name: 'Save threshold' }));
    expect(await screen.findByText('Threshold saved')).toBeVisible();
    expect(threshold()).toHaveValue('0.003');
    expect(screen.getByRole('button', { name: 'Save threshold' })).toBeDisabled();
  });

  test('payouts are paused; a failure is said and the switch is as it was', async () => {
    let rules = payoutSettings;
    const { user, sent } = await open({
      'GET /payoutSettings': () => rules,
      'PUT /payoutSettings': ({ body }) => {
        if (rules.paused) throw problem(503, 'server_error');
        return (rules = { ...payoutSettings, ...body });
      },
    });
    const pause = screen.getByRole('switch', { name: 'Pause payouts' });
    await user.click(pause);
    expect(await screen.findByText('Payouts paused')).toBeVisible();
    await waitFor(() => expect(pause).toBeChecked());
    expect(sent()).toHaveLength(1);
    await user.click(pause);
    expect(await screen.findByRole('alert')).toHaveTextContent(/could not answer/);
    expect(pause).toBeChecked();
  });

  test('who only reads changes nothing', async () => {
    await open({ 'GET /payoutSettings': { ...payoutSettings, paused: true } }, { readOnly: true });
    expect(await screen.findByText('Payouts paused')).toBeVisible();
    expect(screen.queryByRole('switch')).toBeNull();
    for (const name of [/Save/, /Change address/]) expect(screen.queryByRole('button', { name })).toBeNull();
  });
});

describe('how an earning was computed', () => {
  const DAYS = [earning(), earning({ day: '2026-11-19', status: 'final' })];
  const open = (more: FakeAnswers = {}, path = '/payments/') =>
    renderPage(
      <>
        <PaymentsPage />
        <Address />
      </>,
      {
        path,
        session: { account: 'northfield' },
        api: fakeApi({
          'GET /payment/': balance(),
          'GET /homePrice/': { price: 97_240, at: null, stale: false },
          'GET /earnings/monthly': months(),
          'GET /paymentsHistory/': history(DAYS),
          'GET /earnings/{day}/math': earningMath(),
          'GET /earnings/{day}/changes': earningChanges,
          ...more,
        }),
      },
    );
  const drawer = () => screen.findByRole('dialog', { name: 'SHA256, 19 Nov 2026' });

  test('a closed day shows how its earning was computed, computed again to the same figures; a day that goes on does not', async () => {
    const { api, user } = await open();
    const buttons = await screen.findAllByRole('button', { name: /^Show the calculation/ });
    expect(buttons.map((button) => button.getAttribute('aria-label'))).toEqual([
      'Show the calculation, 19 Nov 2026, SHA256',
    ]);
    await user.click(buttons[0] as HTMLElement);
    const steps = await within(await drawer()).findByRole('list', { name: 'Calculation' });
    expect(document.querySelector('output')).toHaveTextContent('?math=2026-11-19.SHA256_ASICBOOST.northfield');
    expect(api.calls.find(({ call }) => call === 'GET /earnings/{day}/math')).toMatchObject({
      options: { params: { day: '2026-11-19' }, query: { accountName: 'northfield', algorithm: 'SHA256_ASICBOOST' } },
    });
    expect(await drawer()).toHaveTextContent('Checked: your browser gets the same figures.');
    expect(steps).toHaveTextContent('Gross0.01046640 BTC21.36 PH/s × 0.00049 BTC = 1046640');
    expect(steps).toHaveTextContent('Pool fee0.00015700 BTC1,046,640 sat × 1.50 %');
    expect(steps).toHaveTextContent('Referral, from the fee0.00001570 BTC15,700 sat × 10.00 %');
    expect(steps).toHaveTextContent('Net0.01030940 BTC1,046,640 − 15,700 = 1,030,940 sat');
    expect(steps).toHaveTextContent('Net, at the day’s price$1,002');
    await user.click(within(await drawer()).getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(document.querySelector('output')).toHaveTextContent(/^\/payments\/$/));
  });

  test('its address opens it; a figure that differs is said, with both numbers to take along', async () => {
    const saved = savedFiles();
    const path = '/payments/?math=2026-11-19.SHA256_ASICBOOST.northfield';
    const { user } = await open({ 'GET /earnings/{day}/math': earningMath({ netSat: 1_030_941 }) }, path);
    expect(await drawer()).toHaveTextContent('1 figure differs');
    expect(within(await drawer()).getAllByText('differs')).toHaveLength(1);
    await user.click(within(await drawer()).getByRole('button', { name: 'Download as JSON' }));
    expect(JSON.parse(await saved.text())).toMatchObject({
      netSat: 1_030_941,
      recomputed: { netSat: 1_030_940 },
      differences: ['netSat'],
    });
  });

  test('a day without an earning is an error of the drawer, not of the page', async () => {
    const missing = refusing(404, 'not_found');
    await open({ 'GET /earnings/{day}/math': missing }, '/payments/?math=2026-11-19.SHA256_ASICBOOST.northfield');
    expect(await within(await drawer()).findByRole('alert')).toBeInTheDocument();
    expect(await screen.findByRole('table', { name: 'Earnings per day' })).toBeInTheDocument();
  });

  test('why a closed day differs is one line per cause, above the earnings in one click and in its computation', async () => {
    const { user } = await open();
    const summary = await screen.findByText('Why did it change?');
    expect(summary.parentElement).toHaveTextContent('19 Nov: −10,000 sats−1.00 % · Why did it change?');
    await user.click(summary);
    const rows = () => screen.getAllByRole('row', { name: /^(Hashrate|Uptime|Price|Difference) / });
    expect(rows().map((row) => row.textContent?.replace(/\s/g, ' '))).toEqual([
      'Hashrate−15,000 sats−1.50 %—',
      'Price+5,000 sats+0.50 %—',
      'Uptime—+10,000 sats+1.02 %',
      'Difference−10,000 sats−1.00 %+10,000 sats+1.02 %',
    ]);
    await user.click((await screen.findAllByRole('button', { name: /^Show the calculation/ }))[0] as HTMLElement);
    expect(await within(await drawer()).findByRole('row', { name: /^Difference / })).toBeVisible();
  });

  describe('the computation', () => {
    test('every figure of an earning follows from its work, price and terms', () => {
      const math = earningMath();
      expect(recompute(math)).toMatchObject({
        measuredHashrate: 21.36e15,
        meanHashrate: 21.36e15,
        computedGrossSat: 1_046_640,
        grossSat: 1_046_640,
        feeSat: 15_700,
        netSat: 1_030_940,
        referralSat: 1_570,
        poolSat: 14_130,
      });
      expect(differences(math)).toEqual([]);
    });

    test("a newcomer's hashrate is adjusted; an admin's correction replaces the computed amount", () => {
      const newcomer = earningMath({ newcomer: { adjustPercent: 10, poolPriceBtc: 0.0004 } });
      expect(recompute(newcomer).meanHashrate).toBeCloseTo(23.496e15, -3);
      const note = 'clock was wrong';
      const adjustments = [{ at: '2026-11-21T08:00:00.000Z', grossSatBefore: 1_046_640, grossSat: 900_000, note }];
      const adjusted = earningMath({
        adjustments,
        grossSat: 900_000,
        feeSat: 13_500,
        netSat: 886_500,
        referralSat: 1_350,
      });
      expect(recompute(adjusted)).toMatchObject({ computedGrossSat: 1_046_640, grossSat: 900_000, netSat: 886_500 });
      expect(differences({ ...adjusted, poolSat: 12_150 })).toEqual([]);
    });

    test('a satoshi more or less is a difference', () => {
      expect(differences(earningMath({ netSat: 1_030_941 }))).toEqual(['netSat']);
      expect(differences(earningMath({ work: 1 }))).toHaveLength(9);
    });

    test.each([
      [1, 50, 1],
      [3, 50, 2],
      [199, 0.5, 1],
      [100, 0.4, 0],
    ])('of %d sat a fee of %d %% is %d sat', (gross, percent, fee) => {
      const note = 'as in the test';
      const adjustments = [{ at: '2026-11-21T08:00:00.000Z', grossSatBefore: 1, grossSat: gross, note }];
      expect(recompute(earningMath({ adjustments, feePercent: percent })).feeSat).toBe(fee);
    });
  });
});

test("payouts: what comes next, and transactions at the operator's explorer", async () => {
  const sent = payout({ txid: 'f4184fc596403b9d638783cf57adfe4c75c605f6356fbc91338530e9831e9e16', status: 'sent' });
  const explorer = 'https://explorer.example/tx/{txid}';
  const answer = history([], [sent], undefined, null, explorer);
  await open({ 'GET /paymentsHistory/': answer }, { path: '/payments/?tab=payouts' });
  expect(await screen.findByRole('link', { name: /^f4184fc5/ })).toHaveAttribute(
    'href',
    `https://explorer.example/tx/${sent.txid}`,
  );
  expect(await screen.findByRole('region', { name: 'Unpaid' })).toHaveTextContent(
    'Unpaid · 0.03412000 BTCReaches the threshold when 21 Nov closes.',
  );
});

test('an outage never shows zero money', async () => {
  await open({ 'GET /payment/': fail, 'GET /paymentsHistory/': fail });
  await waitFor(() => expect(screen.getAllByText(/The pool could not answer/)).toHaveLength(2));
  expect(screen.queryByText('Nothing earned yet')).toBeNull();
  expect(screen.queryByText('Unpaid')).toBeNull();
});
