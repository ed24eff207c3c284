import {
  balance,
  type FakeAnswers,
  fakeApi,
  refusing,
  type RenderOptions,
  renderPage,
  subAccounts,
} from '@pool/shared/testing';
import { act, screen, waitFor, within } from '@testing-library/react';
import { answers, counts, live, series } from '../../testing/answers';
import { DashboardPage } from './dashboard-page';

/** The pool's figures of one algorithm. */
const POOL = {
  algo: 'SHA256_ASICBOOST',
  hashrate: 8e15,
  dailyRevenueBtc: 0.004,
  priceBtc: 0.0005,
  priceSet: true,
} as const;

const open = (more: FakeAnswers = {}, options: RenderOptions = {}) =>
  renderPage(<DashboardPage />, { path: '/dashboard/', api: fakeApi(answers(more)), ...options });
/** The figure that explains itself. */
const figure = async (number: string) => {
  const found = (await screen.findAllByText(number)).find((text) => text.closest('[tabindex="0"]'));
  return found?.closest('[tabindex="0"]') as HTMLElement;
};
const fail = refusing(500, 'server_error');

test('shows the hashrate first, and in the tab title', async () => {
  await open();
  const panel = await screen.findByRole('region', { name: 'Hashrate' });
  await waitFor(() => expect(panel).toHaveTextContent('21.43 PH/s'));
  expect(panel).toHaveTextContent(/1 h21\.38 PH\/s24 h21\.31 PH\/s/);
  expect(document.title).toBe('21.43 PH/s · Dashboard · Mining Pool');
});

test('what is around the account: all sub-accounts together where there are several, the network where a feed is set', async () => {
  const { unmount } = await open();
  await screen.findByText('Northern primary');
  expect(screen.queryByText(/All sub-accounts|Bitcoin network/)).toBeNull();
  unmount();
  const facts = {
    id: 7,
    hashrates: { SHA256_ASICBOOST: 21.4e15 },
    workersOnline: 40,
    workersLow: 1,
    workersOffline: 2,
    unpaidSat: 1_234_567,
    btcAddress: null,
    heldUntil: null,
    minerPasswordSet: false,
    obstacle: null,
  };
  const [mine] = subAccounts.subAccounts;
  await open({
    'GET /subAccounts/': { ...subAccounts, subAccounts: mine ? [mine, { ...mine, id: 8, name: 'barn' }] : [] },
    'GET /subAccounts/facts': [
      facts,
      { ...facts, id: 8, hashrates: { SHA256_ASICBOOST: 1e15, SCRYPT: 3e12 }, workersLow: 0 },
    ],
    'GET /getPoolStatistics': [
      {
        ...POOL,
        feePercent: 1,
        workersOnline: 40,
        minersOnline: 3,
        network: {
          difficulty: 146_472_570_619_930,
          changePercent: -3.25,
          changeAt: '2026-12-03T12:00:00.000Z',
          remainingBlocks: 150,
          at: '2026-11-27T12:00:00.000Z',
        },
      },
    ],
  });
  const all = await screen.findByText('All sub-accounts');
  expect(all.closest('section')).toHaveTextContent(/22\.40.PH\/s.*3\.00.TH\/s.*80.*1.*4.*0\.02469134/);
  expect(all.closest('section')).toHaveTextContent(
    /Bitcoin networkDifficulty .?146,472,570,619,930.? · next change −3\.25 % about 3 Dec/,
  );
});

test('a hashrate that is measured for less than its window is marked in its line, with its error', async () => {
  const { user } = await open({
    'GET /proxyLiveHashchart/': live({ current: { m5: 20e15, m15: 20e15, h1: 20e15, h24: 20e15, measuring: 0.031 } }),
  });
  const marked = await figure('20.00');
  expect(marked).toHaveTextContent('≈ 20.00 PH/s');
  await user.hover(marked);
  await waitFor(() => expect(screen.getByRole('tooltip')).toHaveTextContent('measuring, ± 3.10 %'));
});

test('in the first hours the means say since when, and nothing is compared with a day that is not whole', async () => {
  const { at } = live();
  await open({
    'GET /proxyLiveHashchart/': live({
      current: { m5: 2.2e6, m15: 2.2e6, h1: 2.1e6, h24: 2e6, minedSince: at - 4800 },
      absences: [{ from: at - 3600, until: at - 2700 }],
    }),
  });
  const panel = await screen.findByRole('region', { name: 'Hashrate' });
  await waitFor(() => expect(panel).toHaveTextContent(/24 h · since \d\d:\d\d, 1 h 20 min/));
  expect(panel).toHaveTextContent(/1 h2\.10 MH\/s/);
  const header = screen.getByRole('heading', { level: 1 }).closest('header');
  expect(header).toHaveTextContent(/· The pool was down .?\d\d:\d\d–\d\d:\d\d.? UTC/);
  expect(header).not.toHaveTextContent('24 h average');
});

test('until a whole day is mined it says what one brings at the measured hashrate, and when that is first paid', async () => {
  const { at } = live();
  await open({
    'GET /proxyLiveHashchart/': live({ current: { m5: 2e15, m15: 2e15, h1: 2e15, h24: 1e15, minedSince: at - 4800 } }),
    'GET /payment/': balance({
      unpaidSat: 0,
      paidTotalSat: 0,
      nextPayout: { at: '2026-12-06T00:30:00Z', reason: 'below_threshold' },
    }),
    'GET /getPoolStatistics': [{ ...POOL, feePercent: 2, workersOnline: 1, minersOnline: 1 }],
  });
  const header = (await screen.findByRole('heading', { level: 1 })).closest('header');
  await waitFor(() =>
    expect(header).toHaveTextContent(
      /· At 1\.00 PH\/s, measured over 1 h 20 min, about 0\.00049000 BTC a day\. First payout about .*6/,
    ),
  );
});

test('a verdict leads: what needs attention, with its workers, and the change of the hashrate', async () => {
  const { api, services } = await open({
    'GET /proxyLiveHashchart/': live({ current: { m5: 20e15, m15: 20e15, h1: 20.4e15, h24: 21.31e15 } }),
  });
  const header = (await screen.findByRole('heading', { level: 1 })).closest('header') as HTMLElement;
  await waitFor(() => expect(header).toHaveTextContent('Dashboard6 low · 5 offline · 4 % below the 24 h average'));
  expect(within(header).getByRole('link', { name: '6 low' })).toHaveAttribute('href', '/workers/?state=low');
  expect(within(header).getByRole('link', { name: '5 offline' })).toHaveAttribute('href', '/workers/?state=offline');
  api.answer({ 'GET /getWorkerCount/': counts({ low: 0, offline: 0 }), 'GET /proxyLiveHashchart/': live() });
  await act(() => services.queryClient.invalidateQueries());
  await waitFor(() => expect(header).toHaveTextContent('DashboardAll running · at the 24 h average'));
});

test('the age of the figures stands beside the title, and grows', async () => {
  const { services } = await open();
  await screen.findByText('21.43');
  expect(await screen.findByText(/^Updated \d+ s ago$/)).toBeVisible();
  const { queryKey } = services.queryClient.getQueryCache().findAll({ queryKey: ['hashrate'], type: 'active' })[0]!;
  act(() => {
    services.queryClient.setQueryData(queryKey, live(), { updatedAt: Date.now() - 60_000 });
  });
  expect(await screen.findByText('Updated 1 min ago')).toBeVisible();
});

test('shows the balance, the progress to the threshold and the next payout', async () => {
  await open();
  // Days of another year than this one have it.
  const next = /^Reaches the threshold when 21 Nov( 2026)? closes\. Payout from 22 Nov( 2026)?, 00:30 UTC on\.$/;
  expect(await screen.findByText(next)).toBeVisible();
  expect(screen.getByRole('progressbar', { name: /threshold/ })).toHaveAttribute('aria-valuenow', '68');
  expect(screen.getByText('0.03412')).toBeVisible();
  expect(await screen.findByText('$3,318')).toBeVisible();
  expect(screen.getByText('0.01027')).toBeVisible();
  expect(within(screen.getByRole('table', { name: /Net earnings/ })).getAllByRole('row')).toHaveLength(1 + 14);
});

test('the timeframe in the URL is the one requested', async () => {
  const { api, user } = await open({}, { path: '/dashboard/?timeframe=d30' });
  await waitFor(() => expect(screen.getByLabelText('30d')).toBeChecked());
  expect(api.sent('GET /proxyHashchart/')[0]).toMatchObject({
    query: { historyTimeframe: 'd30', userName: 'northfield', algorithm: 'SHA256_ASICBOOST' },
  });
  await user.click(screen.getByText('7d'));
  await waitFor(() =>
    expect(api.sent('GET /proxyHashchart/').at(-1)).toMatchObject({ query: { historyTimeframe: 'd7' } }),
  );
});

test('the live view requests no history and updates itself', async () => {
  const { api, services } = await open({}, { path: '/dashboard/?timeframe=h2' });
  const chart = await screen.findByRole('slider', { name: 'Hashrate, Live' });
  expect(chart).toHaveAttribute('aria-valuemax', '119');
  expect(api.calls.map(({ call }) => call)).not.toContain('GET /proxyHashchart/');
  const grown = live();
  api.answer({
    'GET /proxyLiveHashchart/': {
      ...grown,
      current: { ...grown.current, m5: 22e15 },
      series: {
        ...grown.series,
        accepted: [...grown.series.accepted, 22e15],
        stale: [...grown.series.stale, 0],
        rejected: [...grown.series.rejected, 0],
      },
    },
  });
  await act(() => services.queryClient.invalidateQueries({ queryKey: ['hashrate'] }));
  await waitFor(() => expect(chart).toHaveAttribute('aria-valuemax', '120'));
  expect(document.title).toMatch(/^22\.00 PH\/s/);
});

test('a new miner sees the live view by default, and the day when chosen', async () => {
  const gaps = Array.from({ length: 143 }, () => null);
  const { user } = await open({ 'GET /proxyHashchart/': series({ accepted: gaps, stale: gaps, rejected: gaps }) });
  await waitFor(() => expect(screen.getByLabelText('Live')).toBeChecked());
  expect(await screen.findByRole('slider', { name: 'Hashrate, Live' })).toBeVisible();
  await user.click(screen.getByText('24h'));
  await waitFor(() => expect(screen.getByLabelText('24h')).toBeChecked());
  // The figure above says that there are shares.
  expect(await screen.findByText(/^The first point appears at \d\d:\d\d$/, { selector: 'p[class]' })).toBeVisible();
});

test('a legacy user sees the whole account', async () => {
  const { api } = await open(
    { 'GET /liveHashchart/': live(), 'GET /hashchart/': series() },
    { session: { isLegacyUser: true } },
  );
  await screen.findByText('21.43');
  expect(api.calls.map(({ call }) => call)).toEqual(expect.arrayContaining(['GET /liveHashchart/', 'GET /hashchart/']));
  expect(api.calls.map(({ call }) => call)).not.toContain('GET /proxyHashchart/');
});

test('shows the upstreams and the connection settings', async () => {
  await open();
  const upstream = await screen.findByRole('region', { name: 'Upstream pool' });
  await waitFor(() => expect(upstream).toHaveTextContent('Northern primaryeu1.upstream.example:443Active'));
  expect(upstream).toHaveTextContent('1 / 4');
  expect(upstream).toHaveTextContent('23 ms');
  expect(upstream).toHaveTextContent('LTC backupltc2.backup.example:443Down');
  const connection = screen.getByRole('region', { name: 'Connection' });
  expect(connection).toHaveTextContent('stratum+tcp://sha.pool.example:3311');
  expect(within(connection).getByRole('button', { name: 'Copy Pool URL' })).toBeVisible();
});

test('an outage never shows zero money, hashrate or workers', async () => {
  await open({
    'GET /payment/': fail,
    'GET /proxyLiveHashchart/': fail,
    'GET /proxyHashchart/': fail,
    'GET /getWorkerCount/': fail,
    'GET /upstreams': fail,
    'GET /connectionInfo/': fail,
  });
  await waitFor(() => expect(screen.getAllByRole('alert').length).toBeGreaterThanOrEqual(5));
  expect(document.body).not.toHaveTextContent(/0\.00|(?<![\d.])0 ?(BTC|H\/s)/);
  expect(screen.queryByText('Connect your first worker')).not.toBeInTheDocument();
});

test('no stale or reject rate before there are shares enough for one', async () => {
  const few = { accepted: 65, stale: 35, rejected: 0, shares: 99 };
  await open({ 'GET /proxyLiveHashchart/': live({ quality24h: few }) });
  const quality = await screen.findByRole('region', { name: 'Share quality, 24 h' });
  await waitFor(() => expect(quality).toHaveTextContent('Accepted—Stale—Rejected—'));
  expect(screen.getByRole('slider').closest('figure')).not.toHaveTextContent('%');
});

test('shows the QR code on request', async () => {
  const { user } = await open();
  await user.click(await screen.findByRole('button', { name: 'Show as a QR code' }));
  expect(await screen.findByRole('img', { name: 'Scan to set up a miner' })).toBeVisible();
});
