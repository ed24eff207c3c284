import { screen } from '@testing-library/react';
import type { Answer } from '../../../api/client';
import { balance, renderPage, stopClockAt } from '../../../testing';
import { PayoutSentence } from '..';

type Balance = Answer<'GET /payment/'>;

const at = '2026-11-22T00:30:00.000Z';
/** Nothing was earned since yesterday. */
const still: Partial<Balance> = {
  nextPayout: { at: null, reason: 'below_threshold' },
  yesterdaySat: 0,
  todayEstimateSat: 0,
  paceSat: 0,
  paidTotalSat: 0,
  lastDaysSat: [],
};
beforeEach(() => stopClockAt('2026-11-20T14:32:00Z'));
afterEach(() => jest.useRealTimers());

test.each<[Partial<Balance>, string]>([
  [{ nextPayout: { at, reason: null } }, 'Payout from 22 Nov, 00:30 UTC on.'],
  [{ nextPayout: { at: null, reason: null } }, 'A payout is queued and goes out next.'],
  [
    { nextPayout: { at, reason: 'below_threshold' } },
    'Reaches the threshold when 21 Nov closes. Payout from 22 Nov, 00:30 UTC on.',
  ],
  [
    { nextPayout: { at: '2027-01-01T00:30:00.000Z', reason: 'below_threshold' } },
    'Reaches the threshold when 31 Dec closes. Payout from 1 Jan 2027, 00:30 UTC on.',
  ],
  [{ paceSat: 4000 }, 'Reaches the threshold in about 13 months at this pace.'],
  [{ paceSat: 60 }, 'Reaches the threshold in about 72 years at this pace.'],
  [{}, 'No earnings since yesterday.'],
  [{ unpaidSat: 0 }, 'No earnings yet.'],
  [{ todayEstimateSat: 12 }, 'The date is known after a full day of earnings.'],
  [{ nextPayout: { at: null, reason: 'no_address' } }, 'No payout address is set.'],
  [{ nextPayout: { at: null, reason: 'paused' } }, 'Payouts are paused for this account.'],
  [{ nextPayout: { at: null, reason: 'review' } }, 'The payout is being reviewed by the pool.'],
  [{ nextPayout: { at: null, reason: 'address_hold' } }, 'On hold: the payout address was changed recently.'],
  [
    { nextPayout: { at, reason: 'address_hold' } },
    'On hold until 22 Nov, 00:30 UTC: the payout address was changed recently.',
  ],
])('%j', async (change, sentence) => {
  await renderPage(<PayoutSentence balance={balance({ ...still, ...change })} />);
  expect(screen.getByText(sentence)).toBeVisible();
});

test('what is to be done is a link to the settings of payouts', async () => {
  const missing = balance({ nextPayout: { at: null, reason: 'no_address' } });
  await renderPage(<PayoutSentence balance={missing} />);
  expect(screen.getByRole('link', { name: 'Add a payout address' })).toHaveAttribute('href', '/payments/?tab=settings');
});
