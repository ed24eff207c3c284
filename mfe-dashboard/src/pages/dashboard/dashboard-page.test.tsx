import {
  balance,
  poolStatistics,
  type FakeAnswers,
  fakeApi,
  refusing,
  type RenderOptions,
  renderPage,
} from '@pool/shared/testing';
import { act, screen, waitFor, within } from '@testing-library/react';
import { answers, counts, live, series } from '../../testing/answers';
import { DashboardPage } from './dashboard-page';
import { ALL_ACCOUNTS, type TimelineEntry, createAbility } from '@pool/shared';
import { toCsv } from '@pool/shared/ui/core';
import { usualTimeframe } from './chart/chart-place';
import { dayBars } from './chart/day-bars';
import { clustersOf, outageBars, type Times } from './chart/tools/clusters';
import { comparedOf, earlierPoints, meansOf } from './chart/tools/compared';
import { chartCsv } from './chart/tools/chart-csv';

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

test('what is around the account: the network where a feed is set', async () => {
  const { unmount } = await open();
  await screen.findByText('Northern primary');
  expect(screen.queryByText(/Bitcoin network/)).toBeNull();
  unmount();
  await open({
    'GET /getPoolStatistics': [
      poolStatistics({
        network: {
          difficulty: 146_472_570_619_930,
          changePercent: -3.25,
          changeAt: '2026-12-03T12:00:00.000Z',
          remainingBlocks: 150,
          at: '2026-11-27T12:00:00.000Z',
        },
      }),
    ],
  });
  const network = await screen.findByText('Bitcoin network');
  expect(network.closest('section')).toHaveTextContent(
    /Difficulty .?146,472,570,619,930.? · next change −3\.25 % about 3 Dec/,
  );
});

test('of all sub-accounts together: no group, upstream, address or threshold, which are of one', async () => {
  const { api } = await open({}, { session: { account: ALL_ACCOUNTS }, path: '/dashboard/?group=Hall%20A' });
  const panel = await screen.findByRole('region', { name: 'Hashrate' });
  await waitFor(() => expect(panel).toHaveTextContent('21.43 PH/s'));
  expect(await screen.findByText('Each sub-account is paid by itself.')).toBeVisible();
  expect(screen.getByRole('link', { name: 'See each one' })).toHaveAttribute('href', '/account/sub-accounts');
  expect(screen.queryByText(/of 0\.05 BTC|Northern primary|Hall A|stratum/)).toBeNull();
  expect(api.sent('GET /proxyLiveHashchart/')).toEqual([
    expect.objectContaining({ query: { algorithm: 'SHA256_ASICBOOST', userName: ALL_ACCOUNTS, group: undefined } }),
  ]);
  for (const call of ['GET /upstreams', 'GET /connectionInfo/', 'GET /workerGroups/'] as const)
    expect(api.sent(call)).toEqual([]);
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
  expect(header).not.toHaveTextContent('24 h mean');
});

test('until a whole day is mined it says what one brings at the measured hashrate, and when that is first paid', async () => {
  const { at } = live();
  await open({
    'GET /proxyLiveHashchart/': live({ current: { m5: 2e15, m15: 2e15, h1: 2e15, h24: 1e15, minedSince: at - 4800 } }),
    'GET /payment/': balance({
      unpaidSat: 0,
      paidTotalSat: 0,
      nextPayout: { at: '2026-12-06T00:30:00Z', reason: 'below_threshold', sooner: null },
    }),
    'GET /getPoolStatistics': [poolStatistics()],
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
  await waitFor(() =>
    expect(header).toHaveTextContent('Dashboard6 low · 5 offline · last hour 4 % below the 24 h mean'),
  );
  expect(within(header).getByRole('link', { name: '6 low' })).toHaveAttribute('href', '/workers/?state=low');
  expect(within(header).getByRole('link', { name: '5 offline' })).toHaveAttribute('href', '/workers/?state=offline');
  api.answer({ 'GET /getWorkerCount/': counts({ low: 0, offline: 0 }), 'GET /proxyLiveHashchart/': live() });
  await act(() => services.queryClient.invalidateQueries());
  await waitFor(() => expect(header).toHaveTextContent('DashboardAll running · last hour at the 24 h mean'));
  const gone = { disconnected: 3, disconnectedAt: Math.floor(Date.now() / 1000) - 180 };
  api.answer({ 'GET /getWorkerCount/': counts({ low: 0, offline: 0, ...gone }) });
  await act(() => services.queryClient.invalidateQueries());
  await waitFor(() => expect(header).toHaveTextContent(/Dashboard3 disconnected 3.min ago · last hour/));
});

test('who may mutes the alerts of all offline workers at once, and takes it back; others have no such menu', async () => {
  const workers = [
    { id: 1, muted: false },
    { id: 2, muted: true },
    { id: 3, muted: false },
  ];
  const { api, user, unmount } = await open({
    'GET /liveWorkers/': { workers } as never,
    'POST /workers/bulk': { changed: 2 },
  });
  await user.click(await screen.findByRole('button', { name: 'Offline: actions' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Mute until I unmute them' }));
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  expect(api.sent('GET /liveWorkers/')).toMatchObject([{ query: { userName: 'northfield', state: 'offline' } }]);
  const ids = [1, 3];
  expect(api.sent('POST /workers/bulk')).toEqual([
    { body: { action: 'mute', ids } },
    { body: { action: 'unmute', ids } },
  ]);
  await user.click(screen.getByRole('button', { name: 'Offline: actions' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Quiet until it is over' }));
  await waitFor(() =>
    expect(api.sent('POST /workers/bulk')[2]).toEqual({ body: { action: 'mute', ids, until: null } }),
  );
  api.answer({ 'GET /liveWorkers/': fail });
  await user.click(screen.getByRole('button', { name: 'Low: actions' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Mute until I unmute them' }));
  expect(await screen.findByText('The alerts could not be changed. Try again.')).toBeVisible();
  unmount();
  await open({}, { readOnly: true });
  await screen.findByRole('button', { name: 'What the chart shows' });
  expect(screen.queryByRole('button', { name: 'Offline: actions' })).toBeNull();
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

describe('what the chart shows', () => {
  const HALL = { id: 3, name: 'hall 1', subAccountId: 7, workers: 4 };
  const [from, step] = [series().from, series().step];
  const algorithm = 'SHA256_ASICBOOST';
  const events: TimelineEntry[] = [
    { id: 'payout-3', kind: 'payout', at: from + 120 * step, payment: 3, sat: 5_000_000 },
    { id: 'switch-2', kind: 'switch', algorithm, at: from + 78 * step, from: 'A', to: 'B', why: 'lost', sat: -1234 },
    { id: 'outage-1', kind: 'outage', algorithm, at: from + 77 * step, until: from + 79 * step, why: 'server' },
  ];
  const open = (more: FakeAnswers = {}, options: RenderOptions = {}) =>
    renderPage(<DashboardPage />, {
      path: '/dashboard/',
      api: fakeApi(
        answers({
          'GET /proxyHashchart/': ({ query }) =>
            query?.daysBefore
              ? series({ from: from - Number(query.daysBefore) * 86_400, accepted: series().accepted.map(() => 20e15) })
              : series(),
          'GET /getWorkerCount/': ({ query }) => (query?.group ? counts({ online: 4, low: 0, offline: 0 }) : counts()),
          'GET /timeline': { rows: events, nextCursor: null },
          'GET /workerGroups/': [HALL, { ...HALL, id: 4, name: 'of another account', subAccountId: 8 }],
          ...more,
        }),
      ),
      ...options,
    });

  test('a group: its figures, chart and workers, in the URL; money stays that of the account', async () => {
    const { api, user } = await open();
    await user.click(await screen.findByRole('button', { name: 'Group: All groups' }));
    await user.click(await screen.findByRole('menuitemradio', { name: 'hall 1' }));
    expect(screen.queryByText('of another account')).not.toBeInTheDocument();
    const header = screen.getByRole('heading', { level: 1 }).closest('header') as HTMLElement;
    await waitFor(() => expect(header).toHaveTextContent('Hashrate and workers of hall 1 · All running'));
    for (const call of ['GET /proxyLiveHashchart/', 'GET /proxyHashchart/', 'GET /getWorkerCount/'] as const)
      expect(api.sent(call).at(-1)).toMatchObject({ query: { group: 'hall 1' } });
    const workers = screen.getByRole('region', { name: 'Workers' });
    expect(within(workers).getByRole('link', { name: /Online 4/ })).toHaveAttribute(
      'href',
      '/workers/?state=online&group=hall+1',
    );
  });

  test('a watcher sees no group filter, and asks for none', async () => {
    const ability = createAbility(['dashboard', 'workers'].map((subject) => ({ action: 'read', subject }) as never));
    const { api } = await open({}, { ability });
    await screen.findByRole('list', { name: 'Events on the chart' });
    expect(screen.queryByRole('button', { name: /^Group/ })).not.toBeInTheDocument();
    expect(api.calls.map(({ call }) => call)).not.toContain('GET /workerGroups/');
  });

  test('compared with the day before: a line, and the difference in words', async () => {
    const { user } = await open();
    await user.click(await screen.findByRole('button', { name: 'What the chart shows' }));
    await user.click(await screen.findByRole('menuitemradio', { name: 'Day before' }));
    expect(await screen.findByText('7 % above the day before: 21.40 PH/s on average, then 20.00 PH/s.')).toBeVisible();
  });

  test('events are marked and listed as text, near ones together, and can be turned off', async () => {
    const { user } = await open();
    const list = await screen.findByRole('list', { name: 'Events on the chart' });
    const marks = within(list).getAllByRole('button');
    expect(marks.map((mark) => mark.getAttribute('aria-label'))).toEqual([
      expect.stringMatching(
        /The pool was down for 20.min\. .*Upstream pool A, then B: connection lost, ≈ −1,234 sats$/,
      ),
      expect.stringMatching(/Payout, 0\.05000000 BTC$/),
    ]);
    await user.hover(marks[1] as HTMLElement);
    expect(await screen.findByRole('tooltip')).toHaveTextContent('Payout, 0.05000000 BTC');
    await user.click(screen.getByRole('button', { name: 'What the chart shows' }));
    await user.click(await screen.findByRole('menuitemcheckbox', { name: 'Mark events' }));
    await waitFor(() => expect(screen.queryByRole('list', { name: 'Events on the chart' })).not.toBeInTheDocument());
  });

  test('a mark leads to its line in the list', async () => {
    const { user } = await open();
    const line = (await screen.findByRole('link', { name: 'Payout' })).closest('li');
    const list = await screen.findByRole('list', { name: 'Events on the chart' });
    await user.click(within(list).getByRole('button', { name: /Payout/ }));
    expect(line).toHaveFocus();
  });

  test('every figure says how it is measured, hashrates with their error: by keyboard and touch', async () => {
    const { user } = await open();
    await screen.findByText('23');
    const tip = () => screen.findByRole('tooltip');
    const figures = [...document.querySelectorAll<HTMLElement>('[tabindex="0"]')].filter(
      ({ role, textContent }) => !role && /^[\d.]+/.test(textContent),
    );
    expect(figures.map(({ textContent }) => textContent.replace(/\s/g, ' ')).join()).toBe(
      '21.43 PH/s,21.38 PH/s,21.31 PH/s,212,99.41 %,0.03412 BTC,0.01027 BTC,0.01031 BTC,23 ms',
    );
    const [hashrate, , day] = figures as [HTMLElement, HTMLElement, HTMLElement];
    while (document.activeElement !== hashrate) await user.tab();
    await waitFor(async () =>
      expect(await tip()).toHaveTextContent(
        /^The difficulty of the shares accepted in the last 5 minutes.* Error now: about ± .* \(4\.2 %\)\.$/,
      ),
    );
    await user.click(day);
    await waitFor(async () =>
      expect(await tip()).toHaveTextContent('± 53.27 TH/s (0.25 %): an estimate from 160,000 shares'),
    );
  });

  describe('defaults', () => {
    test('the default is a day, or live for a new miner without an hour of history', () => {
      const gaps = Array.from({ length: 143 }, () => null);
      expect(usualTimeframe(undefined, undefined)).toBe('d1');
      expect(
        usualTimeframe(
          gaps.map(() => 1e12),
          1e12,
        ),
      ).toBe('d1');
      expect(usualTimeframe([...gaps, 1e3], 1e3)).toBe('h2');
      expect(usualTimeframe(gaps, 0)).toBe('d1');
    });

    test('each bar of the earnings leads to its day', () => {
      const format = { language: 'en', btc: String };
      const bars = dayBars([5, 6], 7, Date.parse('2026-11-20T14:32:00Z'), format, '/payments/');
      expect(bars.map(({ href, value, current }) => [href, value, current])).toEqual([
        ['/payments/?from=2026-11-18&to=2026-11-18', 5, false],
        ['/payments/?from=2026-11-19&to=2026-11-19', 6, false],
        ['/payments/?from=2026-11-20&to=2026-11-20', 7, true],
      ]);
    });
  });

  describe('beside the series', () => {
    const times: Times = { x: (at) => at - 1000, from: 1000, to: 1800, toEnd: true };
    const payout = (at: number): TimelineEntry => ({ id: `payout-${at}`, kind: 'payout', at, payment: 1, sat: 1 });

    test('events nearer than a target share a mark; those outside are left out', () => {
      const clusters = clustersOf([1900, 1200, 1110, 1100, 900].map(payout), times);
      expect(clusters.map(({ x, events }) => [x, events.length])).toEqual([
        [100, 2],
        [200, 1],
        // A time after the last whole step is at the end.
        [800, 1],
      ]);
      expect(clustersOf([payout(1900)], { ...times, toEnd: false })).toEqual([]);
    });

    test('an outage is a part of the axis, also one that began earlier or lasts', () => {
      const out = (at: number, until: number | null): TimelineEntry => ({
        ...{ id: `outage-${at}`, kind: 'outage', algorithm: 'SHA256_ASICBOOST', why: 'server' },
        ...{ at, until },
      });
      expect(outageBars([out(500, 1100), out(1300, 1500), out(1700, null), out(500, 900)], times)).toEqual([
        { x: 0, width: 100 },
        { x: 300, width: 200 },
        { x: 700, width: 100 },
      ]);
    });

    test('an earlier time step by step, and the means of what both have', () => {
      const series = (from: number, accepted: (number | null)[]) => ({
        from,
        step: 600,
        accepted,
        stale: [],
        rejected: [],
      });
      const now = series(86_400, [1, null, 3, 4]);
      expect(earlierPoints(now, series(0, [5, 6, null, 8]), 1)).toEqual([5, 6, null, 8]);
      // Asked for a step later.
      expect(earlierPoints(now, series(600, [5, 6, 7, 8]), 1)).toEqual([null, 5, 6, 7]);
      expect(meansOf(now.accepted, [5, 6, null, 8])).toEqual({ now: 2.5, before: 6.5 });
      expect(meansOf([null], [1])).toBeNull();
    });

    test('a timeframe is compared with a time that is not part of it', () => {
      expect(comparedOf('day', 'd1')).toBe('day');
      expect(comparedOf('day', 'd7')).toBeUndefined();
      expect(comparedOf('month', 'd1')).toBeUndefined();
    });
  });

  describe('the file', () => {
    test('UTC times and whole H/s; a gap is empty, never zero', () => {
      const csv = toCsv(
        ...chartCsv({
          from: 1_795_132_800,
          step: 600,
          accepted: [21.3e15, null],
          stale: [8e13 + 0.037, null],
          rejected: [4e13, null],
        }),
      );
      expect(csv.split('\r\n')).toEqual([
        'time_utc,accepted_hs,stale_hs,rejected_hs',
        '2026-11-20T00:00:00.000Z,21300000000000000,80000000000000,40000000000000',
        '2026-11-20T00:10:00.000Z,,,',
        '',
      ]);
    });
  });
});
