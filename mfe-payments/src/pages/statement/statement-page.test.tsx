import {
  balance,
  type FakeAnswers,
  type FakeApi,
  fakeApi,
  renderPage,
  savedFiles,
  testLists,
} from '@pool/shared/testing';
import { screen, within } from '@testing-library/react';
import { PaymentsRoutes } from '../../routes';
import { closedSums } from '../payments/earnings/ledger';
import { earning, history, months, payout } from '../../testing/answers';

const YEAR = new Date().getUTCFullYear() - 1;
const rows = [
  // Not closed, so in no sum.
  earning({ day: `${YEAR}-03-03`, status: 'estimated', grossSat: 77, feeSat: 7, netSat: 70 }),
  earning({ day: `${YEAR}-03-02`, status: 'final', grossSat: 200, feeSat: 3, netSat: 197, btcPriceUsd: 50_000_000 }),
  earning({ day: `${YEAR}-03-01`, status: 'final', grossSat: 100, feeSat: 2, netSat: 98, btcPriceUsd: 100_000_000 }),
  earning({ day: `${YEAR}-03-01`, algorithm: 'SCRYPT', status: 'final', grossSat: 10, feeSat: 0, netSat: 10 }),
  earning({ day: `${YEAR}-01-31`, status: 'final', grossSat: 50, feeSat: 1, netSat: 49 }),
];
const payouts = [
  payout({ id: 2, status: 'confirmed', amountSat: 300, sentAt: `${YEAR}-04-01T08:00:00.000Z`, txid: 'aa'.repeat(32) }),
  payout({ id: 1, status: 'confirmed', amountSat: 700, sentAt: `${YEAR - 1}-12-31T23:59:00.000Z` }),
  payout({ id: 3, status: 'pending' }),
];
/** Nothing was earned in the two years between. */
const longAgo = earning({ day: `${YEAR - 3}-07-01`, status: 'final' });
const open = (path = `/payments/statement?year=${YEAR}`) =>
  renderPage(<PaymentsRoutes />, {
    path,
    route: '/payments/*',
    session: { account: 'northfield' },
    api: fakeApi({
      'GET /paymentsHistory/': ({ query }) =>
        query?.kind === 'payouts'
          ? { kind: 'payouts', rows: payouts, total: payouts.length, nextCursor: null, explorer: null }
          : {
              kind: 'earnings',
              rows: query?.limit === 1 ? [longAgo] : rows,
              total: rows.length,
              sums: closedSums(rows),
              nextCursor: null,
            },
    }),
  });
const queries = (api: FakeApi) =>
  api
    .sent('GET /paymentsHistory/')
    .map((options) => (options as { query: Record<string, unknown> }).query)
    .filter(({ limit }) => limit !== 1);

test('a year of a sub-account: months, sums at the price of each day, and the payouts sent in it', async () => {
  const { api } = await open();
  expect(await screen.findByRole('heading', { level: 1, name: `Statement ${YEAR}` })).toBeVisible();
  const table = await screen.findByRole('table', { name: 'Earnings by month' });
  const lines = within(table)
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.textContent);
  expect(lines).toEqual([
    expect.stringMatching(/^Jan.*10\.000000500\.000000010\.00000049/),
    // 197 sat at $50M and 98 sat at $100M are $196.50, 10 sat at $97,240 a cent.
    expect.stringMatching(/^Mar.*20\.000003100\.000000050\.00000305\$197$/),
    expect.stringMatching(/^Year30\.000003600\.000000060\.00000354/),
  ]);
  const paid = screen.getByRole('table', { name: 'Payouts in the year' });
  expect(within(paid).getAllByRole('row')).toHaveLength(2);
  expect(paid).toHaveTextContent('aa'.repeat(32));
  expect(queries(api)).toEqual([
    expect.objectContaining({
      kind: 'earnings',
      accountName: 'northfield',
      from: `${YEAR}-01-01`,
      to: `${YEAR}-12-31`,
    }),
    expect.objectContaining({ kind: 'payouts', to: `${YEAR}-12-31` }),
  ]);
});

test('the year for the tax return is one click', async () => {
  const { user } = await open();
  const { names } = savedFiles();
  await screen.findByRole('table', { name: 'Earnings by month' });
  await user.click(screen.getByRole('button', { name: 'Tax file (CSV)' }));
  expect(names).toEqual([`tax-northfield-${YEAR}.csv`]);
});

test('another year is one tap away, and paper another', async () => {
  const { api, user } = await open();
  await screen.findByRole('table', { name: 'Earnings by month' });
  await user.click(await screen.findByText(String(YEAR + 1)));
  expect(await screen.findByRole('heading', { level: 1, name: `Statement ${YEAR + 1}` })).toBeVisible();
  expect(queries(api).at(-1)).toMatchObject({ to: `${YEAR + 1}-12-31` });
  window.print = jest.fn();
  await user.click(await screen.findByRole('button', { name: 'Print' }));
  expect(window.print).toHaveBeenCalled();
});

test('years of long ago are reached one by one', async () => {
  const { user } = await open();
  await user.click(await screen.findByText(String(YEAR - 3)));
  expect(await screen.findByRole('heading', { level: 1, name: `Statement ${YEAR - 3}` })).toBeVisible();
  expect(screen.getByText(String(YEAR + 1))).toBeVisible();
});

test('a year that has not come is this year', async () => {
  await open('/payments/statement?year=9999');
  expect(await screen.findByRole('heading', { level: 1, name: `Statement ${YEAR + 1}` })).toBeVisible();
});

const all: FakeAnswers = {
  'GET /payment/': balance(),
  'GET /homePrice/': { price: 97_240, at: null, stale: false },
  'GET /earnings/monthly': months(),
  'GET /paymentsHistory/': history(rows, payouts),
};
const none = { 'GET /paymentsHistory/': history([]) };
const on = (path: string) => ({
  page: <PaymentsRoutes />,
  at: { path: `/payments/${path}`, route: '/payments/*' },
  answers: all,
  call: 'GET /paymentsHistory/' as const,
});
testLists([
  { ...on(''), list: 'Earnings per day', row: /^2 Mar/, none: { answer: none, says: 'Nothing earned in these days' } },
  { ...on('?tab=payouts'), list: 'Payouts', row: /^19 Nov 2026/, none: { answer: none, says: 'No payouts yet' } },
  {
    ...on(`statement?year=${YEAR}`),
    list: 'Earnings by month',
    row: /^Mar/,
    none: { answer: none, says: 'Nothing earned in this year' },
  },
  { ...on(''), list: 'Net earnings by month, BTC', call: 'GET /earnings/monthly', row: '0.391' },
]);
