import { screen, waitFor, within } from '@testing-library/react';
import { open } from '../testing/account';

test('sessions: this browser first; one of the others, or all of them, can be ended', async () => {
  const device = { browser: 'Firefox 140', device: 'Windows', address: '192.0.2.7', lastSeenAt: 1_700_000_000 };
  const devices = [
    { ...device, id: 's1', current: false },
    { ...device, id: 's2', current: true, browser: 'Chrome 156', device: 'Linux' },
    { ...device, id: 's3', current: false, browser: 'Safari 19', device: 'iPhone' },
    { ...device, id: 's4', current: false, browser: 'Safari 19', device: 'iPhone', lastSeenAt: 1_600_000_000 },
  ];
  const ended: string[] = [];
  const { user } = await open(
    'sessions',
    {},
    {
      devices: async () => devices.filter(({ id }) => !ended.includes(id)),
      signOutDevice: async (id) => void ended.push(id),
    },
  );
  const table = await screen.findByRole('table', { name: 'Sessions' });
  expect(within(table).getAllByRole('row')[1]).toHaveTextContent('Chrome 156 · Linux This browser');
  expect(within(table).getAllByText(/Safari 19/)).toHaveLength(1);
  expect(within(table).getByText('2 sessions')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Sign out: Safari 19 iPhone' }));
  await waitFor(() => expect(screen.queryByText(/Safari/)).toBeNull());
  await user.click(screen.getByRole('button', { name: 'Sign out all others' }));
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Sign out all others' }));
  await waitFor(() => expect(ended).toEqual(['s3', 's4', 's1']));
});
