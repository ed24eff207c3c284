import { type ChartEvent, createAbility } from '@pool/shared';
import { type FakeAnswers, fakeApi, refusing, type RenderOptions, renderPage } from '@pool/shared/testing';
import { screen, waitFor, within } from '@testing-library/react';
import { toCsv } from '@pool/shared/ui/core';
import { answers, counts, live, series } from '../../testing/answers';
import { DashboardPage } from './dashboard-page';
import { usualTimeframe } from './chart/chart-place';
import { dayBars } from './chart/day-bars';
import { clustersOf, outageBars, type Times } from './chart/tools/clusters';
import { comparedOf, earlierPoints, meansOf } from './chart/tools/compared';
import { chartCsv } from './chart/tools/chart-csv';

const HALL = { id: 3, name: 'hall 1', subAccountId: 7, workers: 4 };
const [from, step] = [series().from, series().step];
const events: ChartEvent[] = [
  { kind: 'outage', at: from + 77 * step, until: from + 79 * step, why: 'server' },
  { kind: 'switch', at: from + 78 * step, from: 'A', to: 'B', why: 'lost' },
  { kind: 'payout', at: from + 120 * step, amountSat: 5_000_000 },
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
        'GET /chartEvents': events,
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
    expect.stringMatching(/the pool was down until .*\. .*switched to upstream pool B: connection lost$/),
    expect.stringMatching(/payout of 0\.05000000 BTC$/),
  ]);
  await user.hover(marks[1] as HTMLElement);
  expect(await screen.findByRole('tooltip')).toHaveTextContent('payout of 0.05000000 BTC');
  await user.click(screen.getByRole('button', { name: 'What the chart shows' }));
  await user.click(await screen.findByRole('menuitemcheckbox', { name: 'Mark events' }));
  await waitFor(() => expect(screen.queryByRole('list', { name: 'Events on the chart' })).not.toBeInTheDocument());
});

test('the last dip is said with its side and cost, all of them on request', async () => {
  const { at } = live();
  const { user } = await open({
    'GET /dips': [
      { at: at - 7200, until: at - 6000, side: 'pool', lostSat: 1234 },
      { at: at - 36_000, until: at - 35_400, side: 'miners' },
    ],
  });
  const last = await screen.findByText(/^dipped at \d\d:\d\d for 20 min: cause at the pool, about 1,234 sats$/);
  await user.hover(last);
  expect(await screen.findByRole('tooltip')).toHaveTextContent(/for 10 min, while the pool and its upstreams worked$/);
});

test('a reader who may not see the workers has the dip as the first words of the line', async () => {
  const { at } = live();
  await open({
    'GET /getWorkerCount/': refusing(403, 'forbidden'),
    'GET /dips': [{ at: at - 7200, until: at - 6000, side: 'miners' }],
  });
  const dip = await screen.findByText(/^dipped at/);
  expect(dip.closest('p')).toHaveTextContent(
    /^dipped at \d\d:\d\d for 20 min, while the pool and its upstreams worked$/,
  );
});

test('every figure says how it is measured, hashrates with their error: by pointer, keyboard and touch', async () => {
  const { user } = await open();
  await screen.findByText('23');
  const tip = () => screen.findByRole('tooltip');
  const figures = [...document.querySelectorAll<HTMLElement>('[tabindex="0"]')].filter(
    ({ role, textContent }) => !role && /^[\d.]+/.test(textContent),
  );
  expect(figures.map(({ textContent }) => textContent.replace(/\s/g, ' '))).toEqual([
    '21.43 PH/s',
    '21.38 PH/s',
    '21.31 PH/s',
    '212',
    '99.41 %',
    '0.03412 BTC',
    '0.01027 BTC',
    '0.01031 BTC',
    '23 ms',
  ]);
  const [hashrate, hour, day] = figures as [HTMLElement, HTMLElement, HTMLElement];
  while (document.activeElement !== hashrate) await user.tab();
  await waitFor(async () =>
    expect(await tip()).toHaveTextContent(
      /^The difficulty of the shares accepted in the last 5 minutes.* Error now: about ± .* \(4\.2 %\)\.$/,
    ),
  );
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('tooltip')).not.toBeInTheDocument());
  await user.pointer({ keys: '[TouchA]', target: hour });
  await waitFor(async () => expect(await tip()).toHaveTextContent(/^The difficulty .* in the last hour/));
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
  const payout = (at: number): ChartEvent => ({ kind: 'payout', at, amountSat: 1 });

  test('events nearer than a target share a mark; those outside are left out', () => {
    const clusters = clustersOf([payout(900), payout(1100), payout(1110), payout(1200), payout(1900)], times);
    expect(clusters.map(({ x, events }) => [x, events.length])).toEqual([
      [100, 2],
      [200, 1],
      // A time after the last whole step is at the end.
      [800, 1],
    ]);
    expect(clustersOf([payout(1900)], { ...times, toEnd: false })).toEqual([]);
  });

  test('an outage is a part of the axis, also one that began earlier or lasts', () => {
    const out = (at: number, until: number | null): ChartEvent => ({ kind: 'outage', at, until, why: 'server' });
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
