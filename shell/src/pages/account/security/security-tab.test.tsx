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
    const panel = within(await screen.findByRole('region', { name: 'Hold for changes of upstream pools' }));
    expect(await panel.findByText(/take effect 48 hours after/)).toBeVisible();
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
    expect(await screen.findByRole('alert')).toHaveTextContent('This is not the password.');
    expect(screen.getByLabelText('New password')).toHaveValue('a new one');
  });
});
