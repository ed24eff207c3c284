import { grouped, targetOf, type Notification } from './items';

const note = (id: number, kind: string, values: Notification['values'] = {}, read = false): Notification => ({
  id,
  kind,
  values,
  createdAt: '2026-11-20T12:00:00.000Z',
  readAt: read ? '2026-11-20T12:01:00.000Z' : null,
});
const rig = { account: 'barn', worker: 'rig-1' };

it('keeps the newest of each worker, and counts its unread ones', () => {
  const groups = grouped([
    note(4, 'worker_recovered', rig),
    note(3, 'payment_sent', { account: 'barn' }),
    note(2, 'worker_offline', rig, true),
    note(1, 'worker_low', rig),
  ]);
  expect(groups.map(({ newest, ids, unread }) => [newest.kind, ids, unread])).toEqual([
    ['worker_recovered', [4, 2, 1], 2],
    ['payment_sent', [3], 1],
  ]);
});

it.each([
  ['worker_offline', rig, '/workers/?account=barn&worker=rig-1'],
  ['workers_offline', { account: 'barn' }, '/workers/?account=barn&state=offline'],
  ['payment_sent', { account: 'barn' }, '/payments/?account=barn&tab=payouts'],
  ['referral_joined', { name: 'k***' }, '/referral/'],
  ['telegram_linked', { name: 'me' }, null],
])('%s leads to its page', (kind, values, target) => expect(targetOf(note(1, kind, values))).toBe(target));
