/** What a viewer chooses: group, comparison, events, explanations. The rest is in dashboard-page.test.tsx. */
import type { ChartEvent } from '@pool/shared';
import { createAbility } from '@pool/shared';
import { type FakeAnswers, fakeApi, refusing, type RenderOptions, renderPage } from '@pool/shared/testing';
import { configure, screen, waitFor, within } from '@testing-library/react';
import { answers, counts, live, series } from '../../testing/answers';
import { DashboardPage } from './dashboard-page';

configure({ defaultHidden: true });

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
  const [hashrate, hour] = figures as [HTMLElement, HTMLElement];
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
});
