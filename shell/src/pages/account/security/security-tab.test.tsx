import { problem } from '@pool/shared/testing';
import { screen, waitFor, within } from '@testing-library/react';
import { inDays, open } from '../testing/account';

describe('security', () => {
  test('says what two-step sign-in is, with a place for the form of the sign-in service', async () => {
    const { store } = await open('security');
    const panel = within(await screen.findByRole('region', { name: 'Two-step sign-in' }));
    expect(panel.getByText(/a code from an authenticator app/)).toBeVisible();
    expect(store.getSlot()).toMatchObject({ form: 'security' });
  });

  test('turns the hold for changes of upstream pools on, and off later; it can be kept on', async () => {
    const hold = { on: false, hours: 48, offAt: null, until: null, inForce: [] };
    const on = { ...hold, on: true };
    const { api, user } = await open('security', { 'GET /poolHold': hold, 'PUT /poolHold': on });
    const panel = within(await screen.findByRole('region', { name: 'Hold on upstream pool changes' }));
    expect(await panel.findByText(/take effect after 48 hours/)).toBeVisible();
    await user.click(panel.getByRole('button', { name: 'Turn on' }));
    api.answer({ 'PUT /poolHold': { ...on, offAt: inDays(2) } });
    await user.click(await panel.findByRole('button', { name: 'Turn off' }));
    expect(await panel.findByText(/The hold ends on .* left\)/)).toBeVisible();
    api.answer({ 'PUT /poolHold': on });
    await user.click(panel.getByRole('button', { name: 'Keep it on' }));
    expect(await panel.findByRole('button', { name: 'Turn off' })).toBeVisible();
    expect(api.sent('PUT /poolHold')).toEqual([true, false, true].map((each) => ({ body: { on: each } })));
  });

  test('changes the password at the sign-in service', async () => {
    const changePassword = jest.fn(async () => undefined);
    const { user } = await open('security', {}, { changePassword });
    await user.type(await screen.findByLabelText('Current password'), 'old one');
    await user.type(screen.getByLabelText('New password'), 'a new one');
    await user.click(screen.getByRole('button', { name: 'Change password' }));
    await waitFor(() =>
      expect(changePassword).toHaveBeenCalledWith({ current: 'old one', next: 'a new one', signOutOthers: true }),
    );
    await waitFor(() => expect(screen.getByLabelText('New password')).toHaveValue(''));
  });

  test('a refused password says why and keeps the input', async () => {
    const { user } = await open(
      'security',
      {},
      {
        changePassword: () => Promise.reject(problem(422, 'form_password_incorrect')),
      },
    );
    await user.type(await screen.findByLabelText('Current password'), 'x');
    await user.type(screen.getByLabelText('New password'), 'a new one');
    await user.click(screen.getByRole('button', { name: 'Change password' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('Wrong password.');
    expect(screen.getByLabelText('New password')).toHaveValue('a new one');
  });

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
      'security',
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
});
