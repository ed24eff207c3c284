import { balance } from '../../testing/answers';
import { payoutSentence } from './payout-sentence';

const sentence = (
  reason: ReturnType<typeof balance>['nextPayout']['reason'],
  at: string | null,
  facts: Partial<ReturnType<typeof balance>> = {},
) => payoutSentence(balance({ nextPayout: { at, reason }, ...facts }));

test('a payout with a date says the date', () => {
  expect(sentence(null, '2026-11-22T00:30:00Z')).toEqual({ key: 'dated', at: '2026-11-22T00:30:00Z' });
});

test('below the threshold with a forecast: which day closes it, and when it is paid', () => {
  expect(sentence('below_threshold', '2026-11-22T00:30:00Z')).toEqual({
    key: 'reaches',
    at: '2026-11-22T00:30:00Z',
    closing: '2026-11-21T00:30:00.000Z',
  });
});

test('below the threshold without one: earning, but for more than a year', () => {
  expect(sentence('below_threshold', null)).toEqual({ key: 'far' });
});

test('earning nothing promises nothing', () => {
  expect(sentence('below_threshold', null, { todayEstimateSat: 0, yesterdaySat: 0 })).toEqual({ key: 'idle' });
});

test.each(['no_address', 'paused', 'review'] as const)('%s is said as it is', (reason) => {
  expect(sentence(reason, null)).toEqual({ key: reason });
});

test('a hold says until when, if it is known', () => {
  expect(sentence('address_hold', '2026-11-23T10:00:00Z')).toEqual({
    key: 'address_hold_until',
    at: '2026-11-23T10:00:00Z',
  });
  expect(sentence('address_hold', null)).toEqual({ key: 'address_hold' });
});

test('neither date nor reason: a payout is on its way', () => {
  expect(sentence(null, null)).toEqual({ key: 'queued' });
});
