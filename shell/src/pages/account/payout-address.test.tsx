import type { Answer } from '@pool/shared';
import { problem, refusing, type FakeAnswers } from '@pool/shared/testing';
import { screen, waitFor, within } from '@testing-library/react';
import { PayoutPanels } from '@pool/shared/ui/payout';
import { ADDRESS, NEW_ADDRESS, WALLET, inDays, open as openAccount } from './testing/account';

const open = (answers: FakeAnswers = {}, calls: Parameters<typeof openAccount>[2] = {}) =>
  openAccount('', answers, calls, { page: <PayoutPanels account="northfield" /> });

describe('the payout address, which needs a recent sign-in', () => {
  const HELD: Answer<'GET /wallet/'> = {
    btcAddress: NEW_ADDRESS,
    hold: { until: inDays(3), oldAddress: ADDRESS },
    history: [
      { id: 2, at: inDays(0), oldAddress: ADDRESS, newAddress: NEW_ADDRESS, effectiveAt: inDays(3), status: 'held' },
    ],
  };
  const type = async (user: Awaited<ReturnType<typeof open>>['user'], address: string) => {
    await user.click(await screen.findByRole('button', { name: 'Change address' }));
    await user.type(await screen.findByLabelText('New bitcoin address'), address);
    await user.click(screen.getByRole('button', { name: 'Change address' }));
  };

  test('payouts that are held although the address is the same say so, without a change to cancel', async () => {
    await open({ 'GET /wallet/': { ...WALLET, hold: { until: inDays(3), oldAddress: null } } });
    expect(await screen.findByText(/^Nothing is paid out until .* The address is unchanged\.$/)).toBeVisible();
    expect(screen.queryByRole('button', { name: /Cancel/ })).toBeNull();
  });

  test('a change takes a passkey in place of the password', async () => {
    let recent = false;
    const givePasskey = jest
      .fn<Promise<'complete' | false>, []>()
      .mockResolvedValueOnce(false)
      .mockImplementationOnce(async () => {
        recent = true;
        return 'complete';
      });
    const { user } = await open(
      {
        'PUT /wallet/': () => {
          if (!recent) throw problem(403, 'reverification_required');
          return HELD;
        },
      },
      { hasPasskey: () => true, givePasskey },
    );
    await type(user, NEW_ADDRESS);
    // Cancelled on the device: the dialog stays.
    await user.click(await screen.findByRole('button', { name: 'Use a passkey' }));
    await user.click(await screen.findByRole('button', { name: 'Use a passkey' }));
    expect(await screen.findByText(/Nothing is paid out until/)).toBeVisible();
    expect(givePasskey).toHaveBeenCalledTimes(2);
  });

  test('a change asks for the password in place, keeps what was typed, and shows the hold', async () => {
    let recent = false;
    const enterPassword = jest.fn(async (password: string) => {
      if (password !== 'right') throw problem(422, 'form_password_incorrect');
      recent = true;
      return 'complete' as const;
    });
    const { user, api } = await open(
      {
        'PUT /wallet/': () => {
          if (!recent) throw problem(403, 'reverification_required');
          return HELD;
        },
      },
      { enterPassword },
    );
    await type(user, NEW_ADDRESS);
    const password = await screen.findByLabelText('Password');
    await user.type(password, 'wrong{Enter}');
    expect(await screen.findByText('Wrong password.')).toBeVisible();
    expect(screen.getByLabelText('New bitcoin address')).toHaveValue(NEW_ADDRESS);
    await user.clear(password);
    await user.type(password, 'right{Enter}');
    expect(await screen.findByText(/Nothing is paid out until .* \(2 d 23 h left\)/)).toBeVisible();
    expect(api.sent('PUT /wallet/')).toEqual([
      { query: { accountName: 'northfield' }, body: { btcAddress: NEW_ADDRESS } },
      { query: { accountName: 'northfield' }, body: { btcAddress: NEW_ADDRESS } },
    ]);
    expect(screen.queryByLabelText('New bitcoin address')).toBeNull();
  });

  test('who set the address is said; setting it again confirms it', async () => {
    const { user, api } = await open({
      'GET /wallet/': { ...WALLET, setByAdmin: true },
      'PUT /wallet/': WALLET,
    });
    expect(await screen.findByText(/^An administrator set this address/)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Confirm the address' }));
    expect(await screen.findByText('Address confirmed')).toBeVisible();
    expect(api.sent('PUT /wallet/')).toEqual([{ query: { accountName: 'northfield' }, body: { btcAddress: ADDRESS } }]);
    expect(screen.queryByText(/^An administrator set this address/)).toBeNull();
  });

  test('with two-step sign-in the dialog goes on to a code, and only then the change is sent again', async () => {
    let recent = false;
    const enterCode = jest.fn(async (code: string) => {
      if (code !== '123456') throw problem(422, 'form_code_incorrect');
      recent = true;
    });
    const { user, api } = await open(
      {
        'PUT /wallet/': () => {
          if (!recent) throw problem(403, 'reverification_required');
          return HELD;
        },
      },
      { enterPassword: async () => 'needs_code', enterCode },
    );
    await type(user, NEW_ADDRESS);
    await user.type(await screen.findByLabelText('Password'), 'right{Enter}');
    const code = await screen.findByLabelText('Code');
    expect(code).toHaveFocus();
    expect(code).toHaveAccessibleDescription(/Six digits .* or one of your backup codes/);
    await user.type(code, '000000{Enter}');
    expect(await screen.findByText('This code is wrong, or was used already.')).toBeVisible();
    expect(api.sent('PUT /wallet/')).toHaveLength(1);
    await user.clear(code);
    await user.type(code, '123456{Enter}');
    expect(await screen.findByText(/Nothing is paid out until/)).toBeVisible();
    expect(api.sent('PUT /wallet/')).toHaveLength(2);
  });

  test('cancelling the password changes nothing and says so', async () => {
    const { user } = await open({
      'PUT /wallet/': refusing(403, 'reverification_required'),
    });
    await type(user, NEW_ADDRESS);
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    expect(await screen.findByText('Nothing was changed: it needs your password.')).toBeVisible();
    expect(screen.getByLabelText('New bitcoin address')).toHaveValue(NEW_ADDRESS);
  });

  test('a held change is counted down and can be cancelled; the history stays', async () => {
    const { user, api } = await open({
      'GET /wallet/': HELD,
      'DELETE /wallet/change': { ...WALLET, history: [{ ...HELD.history[0]!, status: 'cancelled' }] },
    });
    await user.click(await screen.findByRole('button', { name: 'Cancel the change' }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Cancel the change' }));
    await waitFor(() => expect(screen.queryByText(/Nothing is paid out until/)).toBeNull());
    expect(api.sent('DELETE /wallet/change')).toEqual([{ query: { accountName: 'northfield' } }]);
    await user.click(screen.getByText('1 change'));
    expect(await screen.findByText('Cancelled')).toBeVisible();
  });

  test('the first address is set without a hold', async () => {
    const { user, api } = await open({
      'GET /wallet/': { btcAddress: null, history: [] },
      'PUT /wallet/': WALLET,
    });
    await user.click(await screen.findByRole('button', { name: 'Set address' }));
    await user.type(await screen.findByLabelText('Bitcoin address'), ` ${ADDRESS} `);
    await user.click(screen.getByRole('button', { name: 'Set address' }));
    expect(await screen.findByText('Address saved')).toBeVisible();
    expect(api.sent('PUT /wallet/')).toEqual([{ query: { accountName: 'northfield' }, body: { btcAddress: ADDRESS } }]);
  });
});
