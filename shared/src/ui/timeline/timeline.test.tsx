import { screen, waitFor, within } from '@testing-library/react';
import { createAbility } from '../../contract/ability';
import type { TimelineKind } from '../../contract/timeline';
import { type FakeAnswers, fakeApi, renderPage, type RenderOptions, testLists, textsIn } from '../../testing';
import type { FarmEvent } from '../../api/worker-schemas';
import { Timeline, TimelineList, type TimelineEntry } from '.';

const AT = 1_795_185_120; // 2026-11-20T14:32:00Z
const algorithm = 'SHA256_ASICBOOST';
const event: FarmEvent = {
  ...{ id: 7, by: 'group', value: 'Hall D', total: 400, rigs: 400, off: 0, account: 'barn', hashrate: 0, note: null },
  ...{ since: AT - 3600, until: AT - 1800, satsPerHour: 0, lostSat: 12_000, acknowledged: null },
};
const entries: TimelineEntry[] = [
  { id: 'outage-1', kind: 'outage', algorithm, at: AT, until: null, why: 'upstream' },
  { id: 'off-7', kind: 'off', algorithm, at: AT - 3600, until: AT - 1800, event, sat: -12_000 },
  { id: 'payout-12', kind: 'payout', at: AT - 4000, payment: 12, sat: 5_034_210 },
  { id: 'switch-3', kind: 'switch', algorithm, at: AT - 86_400, from: 'North', to: null, why: 'lost', sat: -900 },
  { id: 'dip-4', kind: 'dip', algorithm, at: AT - 90_000, until: AT - 88_200, side: 'miners', sat: -1604 },
  { id: 'price-5', kind: 'price', algorithm, at: AT - 91_000, before: 0.0005, priceBtc: 0.00051 },
  { id: 'address-6', kind: 'address', at: AT - 92_000, change: 'change', address: 'bc1qar…', heldUntil: AT + 259_200 },
  { id: 'member-8', kind: 'member', at: AT - 93_000, change: 'join', name: 'anna', role: 'technician' },
];
const all: FakeAnswers = {
  'GET /timeline': ({ query }) => ({
    rows: entries.filter(({ kind }) => query?.kinds?.includes(kind as TimelineKind)),
    nextCursor: null,
  }),
};
const open = (page = <Timeline />, answers = all, options: RenderOptions = {}) =>
  renderPage(page, { path: '/dashboard/', api: fakeApi(answers), ...options });
const lines = async () => textsIn(await screen.findAllByRole('listitem')).map((line) => line.replaceAll('\u00a0', ' '));
const chips = () => within(screen.getByRole('group', { name: 'What the list shows' }));
const pressed = () => textsIn(chips().queryAllByRole('button', { pressed: true }));

test('each kind has its sentence and its money, by day, and opens what it is about', async () => {
  await open();
  expect(await lines()).toEqual([
    '14:32No upstream pool works',
    expect.stringMatching(/^13:32Hall D: 400 of 400 back at .* after 30 min≈ −12,000 sats$/),
    '13:25Payout0.05034210 BTC',
    '14:32Upstream pool North lost: connection lost≈ −900 sats',
    '13:32Mined less than usual for 30 min, while the pool and its upstreams worked≈ −1,604 sats',
    '13:15Hashprice from 0.0005 to 0.00051 BTC per PH/s a day',
    '12:58Payout address changed to bc1qar…, on hold until 23 Nov, 14:32',
    '12:42anna joined: technician',
  ]);
  expect(textsIn(screen.getAllByRole('heading', { level: 3 }))).toEqual(['20 Nov', '19 Nov']);
  expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    expect.stringMatching(/^\/dashboard\/\?timeframe=/),
    '/workers/?event=7&sort=lost&account=barn',
    '/payments/?tab=payouts&payout=12',
    '/workers/pools',
    expect.stringMatching(/^\/dashboard\/\?timeframe=/),
    '/payments/',
    '/payments/?tab=settings',
    '/account/organization',
  ]);
});

test('the kinds of the page come first, others are a tap away; of all a tap leaves one', async () => {
  const { user, api } = await open(<Timeline kinds={['payout', 'price']} />);
  await waitFor(async () => expect(await lines()).toHaveLength(2));
  expect(pressed()).toEqual(['Payouts', 'Hashprice']);
  await user.click(chips().getByRole('button', { name: 'Members' }));
  await waitFor(async () => expect(await lines()).toHaveLength(3));
  await user.click(chips().getByRole('button', { name: 'Payouts' }));
  await waitFor(() => expect(pressed()).toEqual(['Hashprice', 'Members']));
  for (const name of ['Members', 'Hashprice']) await user.click(chips().getByRole('button', { name }));
  await waitFor(() => expect(pressed()).toHaveLength(8));
  await user.click(chips().getByRole('button', { name: 'Pool switches' }));
  await waitFor(() => expect(pressed()).toEqual(['Pool switches']));
  expect(api.sent('GET /timeline').at(-1)).toMatchObject({ query: { userName: 'northfield', kinds: ['switch'] } });
});

test('a reader is offered the kinds of what he may read', async () => {
  const ability = createAbility([{ action: 'read', subject: 'dashboard' }]);
  await open(<Timeline />, all, { ability });
  expect(await screen.findByText('No upstream pool works')).toBeVisible();
  expect(pressed()).toEqual(['Outages', 'Dips', 'Hashprice']);
});

test('older ones follow on request', async () => {
  const [first, second] = [entries.slice(0, 3), entries.slice(3)];
  const { user, api } = await open(<TimelineList />, {
    'GET /timeline': ({ query }) =>
      query?.cursor ? { rows: second, nextCursor: null } : { rows: first, nextCursor: 'next' },
  });
  expect(await lines()).toHaveLength(3);
  await user.click(screen.getByRole('button', { name: 'Show older ones' }));
  await waitFor(async () => expect(await lines()).toHaveLength(8));
  expect(screen.queryByRole('button', { name: 'Show older ones' })).toBeNull();
  expect(api.sent('GET /timeline').at(-1)).toMatchObject({ query: { cursor: 'next' } });
});

testLists([
  {
    page: <Timeline />,
    at: { path: '/dashboard/' },
    answers: all,
    list: 'What happened',
    call: 'GET /timeline',
    row: 'Payout',
    none: {
      answer: { 'GET /timeline': { rows: [], nextCursor: null } },
      says: 'None in the last year.',
    },
  },
]);
