import {
  payout,
  rowsOf,
  textsIn,
  balance,
  type FakeAnswers,
  type FakeApi,
  fakeApi,
  renderPage,
  savedFiles,
  testLists,
} from '@pool/shared/testing';
import { cleanup, screen, within } from '@testing-library/react';
import { PaymentsRoutes } from '../../routes';
import { closedSums, daysOf, linesOf, sumOf } from '../payments/earnings/ledger';
import { earning, history, months } from '../../testing/answers';
import { csvTable, toCsv } from '@pool/shared/ui/core';
import type { Earning } from '@pool/shared';
import { courseOf } from '../payments/payouts/course';
import { presetDays, rangeOf } from '../payments/range/range';
import { CSV, taxCsv } from '../payments/range/csv';

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
  const lines = textsIn(rowsOf(table));
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
  const { style } = document.documentElement;
  expect(style.getPropertyValue('--paper-of')).toMatch(new RegExp(`^"Statement ${YEAR + 1} · .* · northfield"$`));
  expect(style.getPropertyValue('--paper-page')).toBe('"Page " counter(page) " of " counter(pages) ""');
  cleanup();
  // Paper of other pages says nothing of it.
  expect(style.getPropertyValue('--paper-of')).toBe('');
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
  'GET /timeline': { rows: [], nextCursor: null },
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

describe('parts of the payments', () => {
  describe('the ledger', () => {
    const ROWS = [
      earning({ algorithm: 'SCRYPT', netSat: 369_357 }),
      earning(),
      earning({ day: '2026-11-19', status: 'final' }),
      earning({ day: '2026-11-18', status: 'final' }),
      earning({ day: '2026-11-18', status: 'adjusted', algorithm: 'SCRYPT', netSat: -50 }),
    ];

    test('one line per day with the sums of its parts, and what is not final about it', () => {
      const days = daysOf(ROWS, true);
      expect(days.map(({ day, netSat, status }) => [day, netSat, status])).toEqual([
        ['2026-11-20', 1_400_355, 'estimated'],
        ['2026-11-19', 1_030_998, 'final'],
        ['2026-11-18', 1_030_948, 'adjusted'],
      ]);
      expect(days[0]?.parts.map(({ algorithm }) => algorithm)).toEqual(['SHA256_ASICBOOST', 'SCRYPT']);
      expect(sumOf(days)).toEqual(sumOf(ROWS));
      // A corrected day is closed too.
      expect(closedSums(ROWS)).toMatchObject({ days: 2, netSat: 2_061_946 });
    });

    test('a day that may go on on the next page waits for it', () => {
      expect(daysOf(ROWS, false).map(({ day }) => day)).toEqual(['2026-11-20', '2026-11-19']);
    });

    test('an opened day is followed by its parts; one part is the day', () => {
      const lines = linesOf(daysOf(ROWS, true), new Set(['2026-11-20', '2026-11-19']));
      expect(lines.map(({ day, part }) => [day.day, part?.algorithm])).toEqual([
        ['2026-11-20', undefined],
        ['2026-11-20', 'SHA256_ASICBOOST'],
        ['2026-11-20', 'SCRYPT'],
        ['2026-11-19', 'SHA256_ASICBOOST'],
        ['2026-11-18', undefined],
      ]);
    });
  });

  describe('the course of a payout', () => {
    const CREATED = '2026-11-19T00:30:00.000Z';
    const APPROVED = '2026-11-19T05:00:00.000Z';
    const SENT = '2026-11-19T06:12:00.000Z';
    const CONFIRMED = '2026-11-19T07:02:00.000Z';
    const DUE = ['earned past -', `pending past ${CREATED}`];
    const words = (facts: Parameters<typeof payout>[0]) =>
      courseOf(payout({ createdAt: CREATED, ...facts })).map(({ state, when, at }) => `${state} ${when} ${at ?? '-'}`);

    test('the usual way: what was has its time, what comes has none', () => {
      expect(words({ status: 'pending' })).toEqual([
        'earned past -',
        `pending now ${CREATED}`,
        'queued next -',
        'sent next -',
        'confirmed next -',
      ]);
      expect(words({ status: 'queued', queuedAt: APPROVED }).slice(2)).toEqual([
        `queued now ${APPROVED}`,
        'sent next -',
        'confirmed next -',
      ]);
      expect(words({ status: 'sent', queuedAt: APPROVED, sentAt: SENT })).toEqual([
        ...DUE,
        `queued past ${APPROVED}`,
        `sent now ${SENT}`,
        'confirmed next -',
      ]);
      // Written down before approvals had a time.
      expect(words({ status: 'confirmed', sentAt: SENT, confirmedAt: CONFIRMED })).toEqual([
        ...DUE,
        'queued past -',
        `sent past ${SENT}`,
        `confirmed now ${CONFIRMED}`,
      ]);
    });

    test('failed after it was sent, failed before, cancelled: nothing comes after', () => {
      const approved = `queued past ${APPROVED}`;
      expect(words({ status: 'failed', queuedAt: APPROVED, sentAt: SENT })).toEqual([
        ...DUE,
        approved,
        `sent past ${SENT}`,
        'failed now -',
      ]);
      expect(words({ status: 'unknown', queuedAt: APPROVED })).toEqual([...DUE, approved, 'unknown now -']);
      expect(words({ status: 'cancelled' })).toEqual([...DUE, 'cancelled now -']);
    });

    test('approved again after it was sent in vain: what failed then is no step any more', () => {
      const again = '2026-11-20T05:00:00.000Z';
      expect(words({ status: 'failed', queuedAt: again, sentAt: SENT })).toEqual([
        ...DUE,
        `queued past ${again}`,
        'failed now -',
      ]);
    });
  });

  describe('days', () => {
    const TODAY = '2026-11-20';

    test('each preset is whole UTC days', () => {
      expect(presetDays('days30', TODAY)).toEqual({ from: '2026-10-22', to: TODAY });
      expect(presetDays('month', TODAY)).toEqual({ from: '2026-11-01', to: TODAY });
      expect(presetDays('last-month', TODAY)).toEqual({ from: '2026-10-01', to: '2026-10-31' });
      expect(presetDays('last-month', '2026-01-31')).toEqual({ from: '2025-12-01', to: '2025-12-31' });
      expect(presetDays('last-month', '2028-03-05')).toEqual({ from: '2028-02-01', to: '2028-02-29' });
      expect(presetDays('last-year', TODAY)).toEqual({ from: '2025-01-01', to: '2025-12-31' });
      expect(presetDays('all', TODAY)).toEqual({});
    });

    test('days of the URL, then its preset, else the default: 30 days for earnings, all time for payouts', () => {
      expect(rangeOf({}, 'earnings', TODAY)).toEqual({ preset: 'days30', from: '2026-10-22', to: TODAY });
      expect(rangeOf({}, 'payouts', TODAY)).toEqual({ preset: 'all' });
      expect(rangeOf({ range: 'month' }, 'payouts', TODAY)).toMatchObject({ preset: 'month', from: '2026-11-01' });
      const days = { from: '2026-02-01', to: '2026-02-10' };
      expect(rangeOf({ ...days, range: 'month' }, 'earnings', TODAY)).toEqual({ preset: null, ...days });
      expect(rangeOf({ from: days.to, to: days.from }, 'earnings', TODAY).preset).toBe('days30');
      expect(rangeOf({ from: days.from }, 'earnings', TODAY).preset).toBe('days30');
    });
  });

  describe('files', () => {
    const text = (csv: Parameters<typeof toCsv>) =>
      toCsv(...csv)
        .trimEnd()
        .split('\r\n');

    const earning: Earning = {
      day: '2026-11-19',
      account: 'northfield',
      algorithm: 'SHA256_ASICBOOST',
      meanHashrate: 21.28e15 + 0.0417,
      priceBtc: 0.00049,
      grossSat: 1_042_637,
      feeSat: 15_640,
      referralSat: 0,
      netSat: 1_026_997,
      btcPriceUsd: 96_810,
      status: 'final',
    };

    test('earnings: raw units and exact amounts', () => {
      expect(text(csvTable(CSV.earnings, [earning, { ...earning, netSat: -50, status: 'adjusted' }]))).toEqual([
        'day_utc,sub_account,algorithm,mean_hashrate_hs,price_btc,price_per,gross_btc,pool_fee_btc,referral_btc,net_btc,btc_price_usd,net_usd,status',
        '2026-11-19,northfield,SHA256_ASICBOOST,21280000000000000,0.00049,PH/s,0.01042637,0.00015640,0.00000000,0.01026997,96810,994.24,final',
        '2026-11-19,northfield,SHA256_ASICBOOST,21280000000000000,0.00049,PH/s,0.01042637,0.00015640,0.00000000,-0.00000050,96810,-0.05,adjusted',
      ]);
    });

    const failed = payout({
      address: 'bc1qggn2',
      txid: 'f4184fc5',
      status: 'failed',
      reason: '=HYPERLINK("http://evil")',
      sentAt: '2026-11-19T00:31:00.000Z',
      usdAtSend: 97_240,
    });

    test('payouts: UTC times, formulas are escaped, unknown values are empty', () => {
      const [header, row] = text(csvTable(CSV.payouts, [failed]));
      expect(header).toBe(
        'id,created_utc,sub_account,period_from_utc,period_to_utc,amount_btc,network_fee_btc,address,txid,status,reason,sent_utc,confirmed_utc,btc_price_usd_at_send',
      );
      expect(row).toBe(
        `48131,2026-11-19T00:30:00.000Z,northfield,2026-10-01,2026-11-18,0.05474000,0.00000310,bc1qggn2,f4184fc5,failed,"'=HYPERLINK(""http://evil"")",2026-11-19T00:31:00.000Z,,97240`,
      );
    });

    test('a year for the tax return: a row for each closed day and each payout, whole satoshis, oldest first', () => {
      const scrypt: Earning = { ...earning, algorithm: 'SCRYPT', grossSat: 10, feeSat: 1, netSat: 9 };
      const today: Earning = { ...earning, day: '2026-11-25', status: 'estimated' };
      const sent = { ...failed, reason: null, status: 'confirmed' } as const;
      expect(text(taxCsv([today, earning, scrypt, { ...earning, day: '2026-01-02' }], [sent]))).toEqual([
        'kind,date_utc,sub_account,gross_sat,pool_fee_sat,net_sat,paid_sat,btc_price_usd,usd,status,address,txid',
        'earning,2026-01-02,northfield,1042637,15640,1026997,,96810,994.24,final,,',
        'earning,2026-11-19,northfield,1042647,15641,1027006,,96810,994.24,final,,',
        'payout,2026-11-19T00:31:00.000Z,northfield,,,,5474000,97240,5322.92,confirmed,bc1qggn2,f4184fc5',
      ]);
    });
  });
});
