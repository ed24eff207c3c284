import {
  Address,
  balance,
  poolStatistics,
  type FakeAnswers,
  fakeApi,
  type RenderOptions,
  renderPage,
} from '@pool/shared/testing';
import type { Answer, Arrivals } from '@pool/shared';
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { answers, arrivals, counts } from '../../testing/answers';
import { DashboardPage } from '../dashboard/dashboard-page';
import { estimateOf } from './estimate';
import { findingsOf } from './findings';

const none = counts({ online: 0, low: 0, offline: 0, inactive: 0, total: 0 });
const open = (more: FakeAnswers = {}, options: RenderOptions = {}) =>
  renderPage(
    <>
      <DashboardPage />
      <Address />
    </>,
    {
      ...options,
      path: '/dashboard/',
      api: fakeApi(
        answers({
          'GET /getWorkerCount/': none,
          'GET /arrivals': arrivals(),
          'GET /alerts': { mailEvents: ['payment'], quiet: null },
          'GET /push': { publicKey: null, subscriptions: [] },
          ...more,
        }),
      ),
    },
  );

test('an admin without a machine is led to the overview', async () => {
  await open({}, { role: 'admin' });
  expect(await screen.findByText('/admin/overview')).toBeVisible();
});

test('without a worker shows the first-run page, which updates itself', async () => {
  const { api, services } = await open();
  expect(await screen.findByRole('heading', { level: 1, name: 'Connect your first worker' })).toBeVisible();
  expect(await screen.findByText('stratum+tcp://sha.pool.example:3311')).toBeVisible();
  expect(screen.getByText('Listening for northfield')).toBeVisible();
  expect(screen.getByText(/^No connection yet\. .*port 3311 .*“northfield\.”/)).toBeVisible();
  expect(await screen.findByText('At 0.05 BTC')).toBeVisible();
  expect(await screen.findByRole('img', { name: 'Scan to set up a miner' })).toBeVisible();

  api.answer({ 'GET /arrivals': arrivals(1) });
  await act(() => services.queryClient.invalidateQueries({ queryKey: ['upstreams'] }));
  expect(await screen.findByText('1 machine connected and authorized')).toBeVisible();

  // Its first share: no longer listed as waiting for one, and not counted by the dashboard yet.
  api.answer({ 'GET /arrivals': { ...arrivals(), mining: { SHA256_ASICBOOST: 1 } } });
  await act(() => services.queryClient.invalidateQueries({ queryKey: ['upstreams'] }));
  expect(await screen.findByText('The first share has arrived. Your dashboard opens now.')).toBeVisible();
  expect(screen.getByText('1 machine connected and authorized')).toBeVisible();
  for (const title of ['Point the machine at the pool', 'Give it a name', 'Wait for the first share'])
    expect(screen.getByRole('heading', { level: 2, name: `${title} (done)` })).toBeVisible();

  api.answer({ 'GET /getWorkerCount/': counts({ online: 1, low: 0, offline: 0, inactive: 0, total: 1 }) });
  await act(() => services.queryClient.invalidateQueries({ queryKey: ['workers'] }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
});

test('one click tells of machines that stop, says where, and can be taken back', async () => {
  const before: Answer<'GET /alerts'> = { mailEvents: ['payment'], quiet: null };
  const after: Answer<'GET /alerts'> = { mailEvents: ['payment', 'offline', 'recovered'], quiet: null };
  const { api } = await open({ 'POST /alerts/stopped': after, 'PUT /alerts': before });
  const button = await screen.findByRole('button', { name: 'Alert me when a machine stops' });
  await waitFor(() => expect(button).toBeEnabled());
  api.answer({ 'GET /alerts': after });
  act(() => button.click());
  expect(await screen.findByText('You get an alert when a machine stops: on this page and by e-mail.')).toBeVisible();
  api.answer({ 'GET /alerts': before });
  act(() => screen.getByRole('button', { name: 'Undo' }).click());
  expect(await screen.findByRole('button', { name: 'Alert me when a machine stops' })).toBeVisible();
  expect(api.sent('POST /alerts/stopped')).toHaveLength(1);
  expect(api.sent('PUT /alerts')).toEqual([{ body: before }]);

  // No confirmed address, and a browser that takes nothing.
  await waitFor(() => expect(screen.getByRole('button', { name: 'Alert me when a machine stops' })).toBeEnabled());
  act(() => screen.getByRole('button', { name: 'Alert me when a machine stops' }).click());
  expect(await screen.findByText(/^Alerts appear on this page only:/)).toBeVisible();
  expect(screen.getByRole('link', { name: /^Alert settings/ })).toHaveAttribute('href', '/account/alerts');
});

test('it says what the pool sees of a connection, and what such a machine earns, where a price is set', async () => {
  const bitaxe = { ...arrivals(1).connected[0], software: 'bitaxe/BM1370/v2.9', hashrate: 1e15 } as never;
  const pages = (priceSet: boolean) =>
    open({
      'GET /arrivals': { ...arrivals(), connected: [bitaxe] },
      'GET /payment/': balance({ unpaidSat: 0, paidTotalSat: 0, thresholdSat: 100_000 }),
      'GET /getPoolStatistics': [poolStatistics({ priceSet })],
    });
  await pages(true);
  expect(await screen.findByRole('list', { name: 'What the pool sees' })).toHaveTextContent(
    'rig-01 · bitaxe/BM1370/v2.9 · shares of difficulty 65,536',
  );
  expect(
    await screen.findByText(/usual for such a machine, about 0\.00049000 BTC a day\. First payout about /),
  ).toBeVisible();
  expect(screen.getByRole('link', { name: 'Set up by miner model' })).toHaveAttribute(
    'href',
    '/pages/setup?user=northfield.rig-01&port=3311',
  );
  cleanup();
  await pages(false);
  await screen.findByRole('list', { name: 'What the pool sees' });
  expect(screen.queryByText(/usual for such a machine/)).toBeNull();
});

test('without a payout address it is set on the page', async () => {
  await open({
    'GET /payment/': balance({ nextPayout: { at: null, reason: 'no_address', sooner: null } }),
    'GET /wallet/': { btcAddress: null, history: [] },
    'GET /payoutSettings': {
      account: 'northfield',
      thresholdSat: 5_000_000,
      paused: false,
      leastSat: 1,
      mostSat: 10 ** 9,
    },
  });
  expect(await screen.findByRole('button', { name: 'Set address' })).toBeVisible();
});

test('an account that mines another algorithm is not asked for its first worker', async () => {
  await open({ 'GET /getWorkerCount/': ({ query }) => (query?.algorithm === 'SCRYPT' ? counts({ total: 40 }) : none) });
  expect(await screen.findByRole('heading', { level: 1, name: 'Connect a SHA256 worker' })).toBeVisible();
  expect(screen.getByText(/^40 workers mine SCRYPT; none mines SHA256 yet\./)).toBeVisible();
  expect(screen.getByRole('link', { name: 'Show SCRYPT' })).toHaveAttribute('href', '/dashboard/?algorithm=SCRYPT');
  expect(document.body).not.toHaveTextContent('first worker');
});

test('it says live how far a machine of this network comes before it names its worker', async () => {
  const at = Math.floor(Date.now() / 1000) - 5;
  const reached = { algorithm: 'SHA256_ASICBOOST', since: at, subscribed: false } as const;
  const { api, services } = await open({ 'GET /arrivals': { ...arrivals(), nameless: [reached] } });
  const now = async (answer: ReturnType<typeof arrivals>) => {
    api.answer({ 'GET /arrivals': answer });
    await act(() => services.queryClient.invalidateQueries({ queryKey: ['upstreams'] }));
  };
  expect(await screen.findByText('A machine in your network is connected. It has not subscribed yet.')).toBeVisible();
  await now({ ...arrivals(), nameless: [{ ...reached, subscribed: true }] });
  expect(await screen.findByText(/is connected and subscribed\. It has not sent its worker name yet\./)).toBeVisible();
  await now(arrivals(0, [{ at, algorithm: 'SHA256_ASICBOOST', reason: 'no_name', name: null }]));
  expect(await screen.findByText(/^A machine in your network reached the pool 1 min ago and left/)).toBeVisible();
  // What the port and the name must be like is not said beside what was found.
  expect(screen.getByText('No connection yet.')).toBeVisible();
});

test('it says live what keeps the first share away', async () => {
  const at = Math.floor(Date.now() / 1000) - 30;
  const refused = { at, algorithm: 'SHA256_ASICBOOST', reason: 'wrong_password', name: 'northfield.rig-01' } as const;
  const { api, services } = await open({ 'GET /arrivals': arrivals(0, [refused]) });
  expect(await screen.findByText(/^“northfield\.rig-01” was refused 1 min ago: wrong miner password/)).toBeVisible();
  const { connected } = arrivals(1);
  const easy = connected.map((miner) => ({ ...miner, refusedShares: 2, lowDifficulty: true }));
  api.answer({ 'GET /arrivals': { ...arrivals(0, [refused]), connected: easy } });
  await act(() => services.queryClient.invalidateQueries({ queryKey: ['upstreams'] }));
  expect(
    await screen.findByText(
      /^Shares of rig-01 are rejected because their difficulty is too low\. Is the machine for another/,
    ),
  ).toBeVisible();
  expect(screen.queryByText(/was refused/)).not.toBeInTheDocument();
  expect(screen.getByText('-o stratum+tcp://sha.pool.example:3311 -u northfield.rig-01 -p x')).toBeVisible();
});

describe('the estimate', () => {
  const NOW = Date.UTC(2026, 10, 20) / 1000;
  const pool = { priceBtc: 0.0005, feePercent: 2 };
  const balance = { unpaidSat: 0, thresholdSat: 100_000 };

  test('what 200 TH/s earn a day, less the fee, and the day after the threshold is reached', () => {
    // 0.2 PH/s x 50,000 sat x 98 %; 100,000 sat are eleven days of it.
    expect(estimateOf('SHA256_ASICBOOST', 2e14, pool, balance, NOW)).toEqual({
      daySat: 9_800,
      payoutAt: Date.UTC(2026, 11, 2) / 1000,
    });
    expect(estimateOf('SHA256_ASICBOOST', 2e14, pool, { ...balance, unpaidSat: 95_000 }, NOW).payoutAt).toBe(
      Date.UTC(2026, 10, 22) / 1000,
    );
  });
  test('a machine that needs years, or earns less than a satoshi, has no day of a payout', () => {
    expect(estimateOf('SHA256_ASICBOOST', 1e12, pool, balance, NOW)).toEqual({ daySat: 49, payoutAt: null });
    expect(estimateOf('SHA256_ASICBOOST', 1e6, pool, balance, NOW)).toEqual({ daySat: 0, payoutAt: null });
  });
});

describe('findings', () => {
  const NOW = 1_800_000_000;
  const miner = (facts: Partial<Arrivals['connected'][number]> = {}): Arrivals['connected'][number] => ({
    worker: 'rig-01',
    algorithm: 'SHA256_ASICBOOST',
    software: 'cgminer/4',
    since: NOW - 20,
    difficulty: 65_536,
    hashrate: 3e12,
    refusedShares: 0,
    lowDifficulty: false,
    ...facts,
  });
  const refusal: Arrivals['refused'][number] = {
    at: NOW - 30,
    algorithm: 'SHA256_ASICBOOST',
    reason: 'wrong_password',
    name: 'northfield.rig-01',
  };
  const found = (connected: Arrivals['connected'], refused: Arrivals['refused'] = []) =>
    findingsOf({ nameless: [], connected, mining: {}, refused }, 'SHA256_ASICBOOST', NOW).map(({ kind }) => kind);

  test('nothing is wrong with a miner that has just connected', () => expect(found([miner()])).toEqual([]));
  test('a miner without a share for three minutes', () =>
    expect(found([miner({ since: NOW - 181 })])).toEqual(['noShare']));
  test('shares that are refused: too easy ones are of another algorithm', () => {
    expect(found([miner({ refusedShares: 3, lowDifficulty: true })])).toEqual(['tooEasy']);
    expect(found([miner({ refusedShares: 3 })])).toEqual(['refusedShares']);
  });
  test('a miner at the port of another algorithm', () =>
    expect(
      findingsOf(
        { nameless: [], connected: [miner({ algorithm: 'SCRYPT' })], mining: {}, refused: [] },
        'SHA256_ASICBOOST',
        NOW,
      ),
    ).toEqual([{ kind: 'otherAlgorithm', worker: 'rig-01', other: 'SCRYPT' }]));
  test('a refused miner, until it is let in', () => {
    expect(found([], [refusal])).toEqual(['wrong_password']);
    expect(found([miner()], [refusal])).toEqual([]);
  });
});
