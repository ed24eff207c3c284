import { problem } from '@pool/shared/testing';
import { screen, waitFor, within } from '@testing-library/react';
import { open } from '../testing/account';

describe('security', () => {
  test('says what two-step sign-in is, with a place for the form of the sign-in service', async () => {
    const { store } = await open('security');
    const panel = within(await screen.findByRole('region', { name: 'Two-step sign-in' }));
    expect(panel.getByText(/a code from an authenticator app/)).toBeVisible();
    expect(store.getSlot()).toMatchObject({ form: 'security' });
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
