import { payout } from '../../../testing/answers';
import { courseOf } from './course';

const CREATED = '2026-11-19T00:30:00.000Z';
const SENT = '2026-11-19T06:12:00.000Z';
const words = (facts: Parameters<typeof payout>[0]) =>
  courseOf(payout({ createdAt: CREATED, ...facts })).map(({ state, when, at }) => `${state} ${when} ${at ?? '-'}`);

test('the usual way: what was has its time, what comes has none', () => {
  expect(words({ status: 'sent', sentAt: SENT })).toEqual([
    `pending past ${CREATED}`,
    'queued past -',
    `sent now ${SENT}`,
    'confirmed next -',
  ]);
});

test('failed after it was sent, failed before, cancelled: nothing comes after', () => {
  expect(words({ status: 'failed', sentAt: SENT })).toEqual([
    `pending past ${CREATED}`,
    'queued past -',
    `sent past ${SENT}`,
    'failed now -',
  ]);
  expect(words({ status: 'failed' })).toEqual([`pending past ${CREATED}`, 'queued past -', 'failed now -']);
  expect(words({ status: 'cancelled' })).toEqual([`pending past ${CREATED}`, 'cancelled now -']);
});
