import { byDay, grouped, type Notification } from './items';

const note = (id: number, kind: string, values: Notification['values'] = {}, read = false): Notification => ({
  id,
  kind,
  values,
  path: null,
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

it('puts them under their days, the newest first', () => {
  const rows = ['21', '21', '19'].map((day, index) => ({
    ...note(3 - index, 'payment_sent'),
    createdAt: `2026-11-${day}`,
  }));
  const days = byDay(grouped(rows), (at) => at.slice(-2));
  expect(days.map(([day, groups]) => [day, groups.map(({ newest }) => newest.id)])).toEqual([
    ['21', [3, 2]],
    ['19', [1]],
  ]);
});
