import { createI18n } from '@pool/shared/i18n';
import type { Balance } from '../../api/payment';
import texts from '../../../locales/en.json';
import { payoutSentence } from './payout-sentence';

const balance: Balance = {
  unpaidSat: 3_412_000,
  thresholdSat: 5_000_000,
  nextPayout: { at: null, reason: 'below_threshold' },
  yesterdaySat: 0,
  todayEstimateSat: 0,
  paidTotalSat: 0,
  payouts: 0,
  lastDaysSat: [],
  last: null,
};
const at = '2026-11-22T00:30:00.000Z';
beforeEach(() => {
  jest.useFakeTimers({
    now: new Date('2026-11-20T14:32:00Z'),
    doNotFake: ['setTimeout', 'queueMicrotask', 'nextTick', 'setImmediate'],
  });
});
afterEach(() => {
  jest.useRealTimers();
});

test.each<[Partial<Balance>, string]>([
  [{ nextPayout: { at, reason: 'below_threshold' } }, 'Payout 22 Nov, about 00:30 UTC'],
  [
    { nextPayout: { at: '2027-06-21T00:30:00.000Z', reason: 'below_threshold' } },
    'Payout 21 Jun 2027, about 00:30 UTC',
  ],
  [{ unpaidSat: 5_000_000, nextPayout: { at, reason: null } }, 'Payout 22 Nov, about 00:30 UTC'],
  [{ nextPayout: { at: null, reason: null } }, 'Queued: goes out with the next payouts'],
  [{}, '0.01588 BTC more to the payout threshold'],
  [{ nextPayout: { at: null, reason: 'no_address' } }, 'Not paid out: this account has no payout address'],
  [{ nextPayout: { at: null, reason: 'paused' } }, 'Payouts of this account are paused'],
  [{ nextPayout: { at: null, reason: 'review' } }, 'The pool is reviewing the next payout'],
  [{ nextPayout: { at: null, reason: 'address_hold' } }, 'The new address is on hold: nothing is paid to it yet'],
  [{ nextPayout: { at, reason: 'address_hold' } }, 'New address on hold, paid out from 22 Nov, 00:30 UTC'],
])('%j', async (change, sentence) => {
  const { t } = await createI18n({ language: 'en', texts: { en: texts } });
  expect(payoutSentence(t, 'en', { ...balance, ...change })).toBe(sentence);
});
