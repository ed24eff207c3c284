import type { Answer } from '@pool/shared';
import { type FakeAnswers, fakeApi, refusing, type RenderOptions, renderPage, testLists } from '@pool/shared/testing';
import { screen, waitFor, within } from '@testing-library/react';
import { accrual, ADDRESS, payment } from '../../testing/answers';
import { ReferralPage } from './referral-page';
import { MoneySection } from './money/money-section';
import { ShareDialog } from './money/share-dialog';
import type { Accrual } from '../../api/lists';
import { incomeByDay } from './income';

// The chart library draws on a canvas, which jsdom does not have; the amounts in words are beside it.

const CODE = { code: 'K7PQ4XW2MN', link: 'https://pool.example/sign-up?ref=K7PQ4XW2MN', ratePercent: 10, months: 12 };
const NO_CODE = { ...CODE, code: null, link: null };
const STATS = { referred: 12, active: 7, accruedSat: 1_234_567, paidSat: 1_000_000, availableSat: 234_567 };
const LIST: Answer<'GET /referral/list'> = [
  { name: 'ho***', joinedAt: '2026-11-11T10:00:00.000Z', active: true, hashrate24h: 3.2e15, earnedSat: 123_456 },
  { name: 'au***s', joinedAt: '2026-10-02T10:00:00.000Z', active: false, hashrate24h: 0, earnedSat: 0 },
];
const rows = <Row,>(...some: Row[]) => ({ rows: some, total: some.length, nextCursor: null });
const answers = (more: FakeAnswers = {}): FakeAnswers => ({
  'GET /referral/code': CODE,
  'GET /referral/stats': STATS,
  'GET /referral/list': LIST,
  'GET /referral/accruals': rows(),
  'GET /referral/payments': rows(),
  'GET /referral/wallet': { walletAddress: null },
  ...more,
});
const open = (more: FakeAnswers = {}, options: RenderOptions = {}) =>
  renderPage(<ReferralPage />, { path: '/referral/', api: fakeApi(answers(more)), ...options });

test('shows the terms, what to share, the totals and who was invited', async () => {
  await open();
  // The usual terms hold their place, hidden, until the user's are known.
  const terms = 'You get 10 % of the pool fee of every miner you invite, for 12 months. It costs them nothing.';
  await waitFor(() => expect(screen.getByText(terms)).toBeVisible());
  const panel = screen.getByRole('region', { name: 'Invite a miner' });
  expect(panel).toHaveTextContent('https://pool.example/sign-up?ref=K7PQ4XW2MN');
  expect(within(panel).getByRole('button', { name: 'Copy Your code' })).toBeEnabled();
  expect(await within(panel).findByRole('img', { name: 'QR code of your referral link' })).toBeInTheDocument();
  const strip = await screen.findByRole('region', { name: 'Referral totals' });
  await waitFor(() => expect(strip).toHaveTextContent('Available0.00234567 BTC'));
  expect(strip).toHaveTextContent('Accrued0.01234567 BTC');
  expect(strip).toHaveTextContent('Paid0.01000000 BTC');
  expect(strip).toHaveTextContent('Referred12');
  expect(strip).toHaveTextContent('Active7');
  const table = await screen.findByRole('table', { name: 'Miners you invited' });
  expect(await within(table).findByText('ho***')).toBeVisible();
  expect(table).toHaveTextContent('11 Nov 2026Active3.20 PH/s0.00123456');
  expect(table).toHaveTextContent('2 Oct 2026Inactive');
  expect(screen.queryByRole('region', { name: 'Referral earnings by day' })).not.toBeInTheDocument();
});

test('without a code shows a button that creates it', async () => {
  const { user } = await open({ 'GET /referral/code': NO_CODE, 'GET /referral/list': [], 'POST /referral/code': CODE });
  expect(await screen.findByText('Create your code above, then send the link to a miner.')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Create my code' }));
  expect(await screen.findByText('K7PQ4XW2MN')).toBeVisible();
  expect(screen.getByText('Nobody has joined with your code yet')).toBeVisible();
});

const listPage = {
  page: <ReferralPage />,
  at: { path: '/referral/' },
  answers: answers({ 'GET /referral/accruals': rows(accrual), 'GET /referral/payments': rows(payment) }),
};
testLists([
  {
    ...listPage,
    list: 'Miners you invited',
    call: 'GET /referral/list',
    row: 'ho***',
    none: { answer: { 'GET /referral/list': [] }, says: 'Nobody has joined with your code yet' },
  },
  {
    ...listPage,
    list: 'Earnings by day',
    call: 'GET /referral/accruals',
    // A day of another year than this one has the year.
    row: /^19 Nov( 2026)?$/,
    none: { answer: { 'GET /referral/accruals': rows() }, says: 'Nothing earned yet' },
  },
  {
    ...listPage,
    list: 'Payments',
    at: { path: '/referral/?money=payments' },
    call: 'GET /referral/payments',
    row: 'Confirmed',
    none: { answer: { 'GET /referral/payments': rows() }, says: 'No payments yet' },
  },
]);

describe('activating a code', () => {
  const activate = async (answer: FakeAnswers['POST /referral/activate'], typed = 'ABCD2345') => {
    const page = await open({ 'POST /referral/activate': answer });
    await page.user.type(screen.getByLabelText('Referral code'), typed);
    await page.user.click(screen.getByRole('button', { name: 'Activate' }));
    return page;
  };

  test('a refusal is said and keeps the input, until the code is edited', async () => {
    const text = /This is your own code/;
    const { user } = await activate(refusing(409, 'referral_own'));
    expect(await screen.findByRole('alert')).toHaveTextContent(text);
    const input = screen.getByLabelText('Referral code');
    expect(input).toHaveValue('ABCD2345');
    expect(input).toBeInvalid();
    expect(input).toHaveAccessibleDescription(text);
    await user.type(input, '6');
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  });

  test('success shows a message', async () => {
    const { api } = await activate({ activated: true }, ' abcd2345 ');
    expect(await screen.findByText('Code abcd2345 is active.')).toBeVisible();
    expect(api.calls).toContainEqual({
      call: 'POST /referral/activate',
      options: { body: { referralCode: 'abcd2345' } },
    });
  });

  test('does not send text that cannot be a code', async () => {
    const { api } = await activate({ activated: true }, 'ab');
    expect(screen.getByRole('alert')).toHaveTextContent('4 to 32 letters and digits');
    expect(api.sent('POST /referral/activate')).toEqual([]);
  });

  test("takes the code from an invitation's link", async () => {
    await open({}, { path: '/referral/?code=K7PQ4XW2MN' });
    expect(screen.getByLabelText('Referral code')).toHaveValue('K7PQ4XW2MN');
  });
});

test('what the referred miners brought is a chart, in words too', async () => {
  const row = { algorithm: 'SHA256_ASICBOOST', baseFeeSat: 1000, ratePercent: 10, status: 'accrued' } as const;
  const rows = [
    { ...row, day: '2026-11-20', name: 'ho***', amountSat: 123 },
    { ...row, day: '2026-11-19', name: 'au***s', amountSat: 77 },
  ];
  await open({ 'GET /referral/accruals': { rows, total: 2, nextCursor: null } });
  const panel = await screen.findByRole('region', { name: 'Referral earnings by day' });
  expect(panel).toHaveTextContent('200 sats');
  expect(panel).toHaveTextContent('20 Nov 2026, ho***: 123 sats');
});

describe('money', () => {
  const OLD = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa';
  const open = (more: FakeAnswers = {}) =>
    renderPage(<MoneySection />, {
      path: '/referral/',
      api: fakeApi({
        'GET /referral/accruals': { rows: [accrual], total: 1, nextCursor: null },
        'GET /referral/payments': { rows: [payment], total: 1, nextCursor: null },
        'GET /referral/wallet': { walletAddress: null },
        ...more,
      }),
    });

  test('what came of each day, or what was paid', async () => {
    const { user } = await open();
    const accruals = await screen.findByRole('table', { name: 'Earnings by day' });
    expect(within(accruals).getAllByRole('row')[1]).toHaveTextContent('ho***SHA2560.0001570010.00 %0.00001570Payable');
    await user.click(screen.getByText('Payments'));
    const payments = await screen.findByRole('table', { name: 'Payments' });
    expect(within(payments).getAllByRole('row')[1]).toHaveTextContent(/19 Nov 2026, 00:300\.00200000.*Confirmed/);
  });

  test('the address is set; a changed one is held, and the change is taken back by setting the one before', async () => {
    const { api, user } = await open({ 'PUT /referral/wallet': refusing(400, 'address_length') });
    const type = async (address: string) => {
      await user.type(await screen.findByLabelText('Bitcoin address'), address);
      await user.click(screen.getByRole('button', { name: 'Set address' }));
    };
    await type('bc1qw');
    expect(await screen.findByRole('alert')).toHaveTextContent('This address has 5 characters');
    const until = new Date(Date.now() + 3_600_000).toISOString();
    api.answer({ 'PUT /referral/wallet': { walletAddress: ADDRESS, hold: { until, oldAddress: OLD } } });
    await type(ADDRESS);
    expect(await screen.findByText(/Nothing is paid out until/)).toBeVisible();
    expect(screen.getByRole('button', { name: 'Change address' })).toHaveFocus();
    api.answer({ 'PUT /referral/wallet': { walletAddress: OLD } });
    await user.click(screen.getByRole('button', { name: 'Cancel the change' }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Cancel the change' }));
    await waitFor(() => expect(screen.queryByText(/Nothing is paid out until/)).toBeNull());
    expect(api.calls.filter(({ call }) => call.startsWith('PUT')).map(({ options }) => options)).toEqual([
      { body: { walletAddress: 'bc1qw' } },
      { body: { walletAddress: `bc1qw${ADDRESS}` } },
      { body: { walletAddress: OLD } },
    ]);
  });

  test('the text to send is in the language of who reads it', async () => {
    const link = 'https://pool.example/sign-up?ref=K7PQ4XW2MN';
    const { user } = await renderPage(<ShareDialog link={link} onClose={() => undefined} />, { path: '/referral/' });
    expect(screen.getByText(/^I mine here/)).toHaveTextContent(link);
    await user.click(screen.getByText('العربية'));
    expect(screen.getByText(/^أعدّن هنا/)).toHaveAttribute('dir', 'rtl');
  });
});

describe('income', () => {
  const accrual = (day: string, name: string, amountSat: number, more: Partial<Accrual> = {}): Accrual => ({
    day,
    name,
    amountSat,
    algorithm: 'SHA256_ASICBOOST',
    baseFeeSat: amountSat * 10,
    ratePercent: 10,
    status: 'accrued',
    ...more,
  });

  test('adds the algorithms of a user and day, oldest day first', () => {
    const rows = [
      accrual('2026-11-20', 'ho***', 7),
      accrual('2026-11-19', 'ho***', 5),
      accrual('2026-11-19', 'ho***', 2, { algorithm: 'SCRYPT' }),
    ];
    expect(incomeByDay(rows, 'Others')).toEqual({
      parts: [
        { day: '2026-11-19', name: 'ho***', value: 7 },
        { day: '2026-11-20', name: 'ho***', value: 7 },
      ],
      totalSat: 14,
    });
  });

  test('reversed earnings do not count', () => {
    expect(incomeByDay([accrual('2026-11-20', 'ho***', 7, { status: 'reversed' })], 'Others').totalSat).toBe(0);
  });

  test('the five users that earned most are named, the rest is one part', () => {
    const rows = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name, index) => accrual('2026-11-20', name, 10 + index));
    const { parts, totalSat } = incomeByDay(rows, 'Others');
    expect(parts.map(({ name }) => name).sort()).toEqual(['Others', 'c', 'd', 'e', 'f', 'g']);
    expect(parts.find(({ name }) => name === 'Others')?.value).toBe(21);
    expect(totalSat).toBe(91);
  });
});
