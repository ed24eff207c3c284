import { problem } from '@pool/shared/testing';
import { screen, waitFor, within } from '@testing-library/react';
import { open } from '../testing/account';

describe('profile', () => {
  test('shows the user', async () => {
    await open();
    expect(await screen.findByText('ops@northfield.example')).toBeVisible();
    expect(screen.getByText('2 Mar 2025')).toBeVisible();
  });

  test('where the pool sends mail, an address is confirmed by code; a wrong one is said', async () => {
    const codes: string[] = [];
    let isConfirmed = false;
    const { user } = await open(
      '',
      {},
      {
        email: async () => ({ address: 'ops@northfield.example', isConfirmed }),
        enterEmailCode: async (code) => {
          codes.push(code);
          if (code !== '123456') throw problem(422, 'form_code_incorrect');
          isConfirmed = true;
        },
      },
      { sendsMail: true },
    );
    await user.click(await screen.findByRole('button', { name: 'Confirm' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByText(/A code was sent to ops@northfield\.example/)).toBeVisible();
    await user.type(dialog.getByLabelText('Code from the mail'), '000000{Enter}');
    expect(await dialog.findByText('This code is wrong, or was used already.')).toBeVisible();
    await user.clear(dialog.getByLabelText('Code from the mail'));
    await user.type(dialog.getByLabelText('Code from the mail'), '123456{Enter}');
    expect(await screen.findByText('Confirmed')).toBeVisible();
    expect(codes).toEqual(['000000', '123456']);
  });

  test('another address takes its place: the password, then the code that was mailed there', async () => {
    const sent: string[] = [];
    const { user } = await open(
      '',
      {},
      {
        email: async () => ({ address: sent[1] ?? 'ops@northfield.example', isConfirmed: true }),
        changeEmail: async (address) => {
          sent.push(address);
          if (sent.length === 1) throw problem(403, 'session_reverification_required');
        },
      },
      { sendsMail: true },
    );
    await user.click(await screen.findByRole('button', { name: 'Change' }));
    const dialog = within(await screen.findByRole('dialog'));
    const send = dialog.getByRole('button', { name: 'Send code' });
    await user.type(dialog.getByLabelText('New e-mail address'), 'OPS@northfield.example');
    expect(send).toBeDisabled();
    await user.clear(dialog.getByLabelText('New e-mail address'));
    await user.type(dialog.getByLabelText('New e-mail address'), 'new@northfield.example');
    await user.click(send);
    await user.type(await screen.findByLabelText('Password'), 'secret');
    await user.click(screen.getByRole('button', { name: 'Confirm' }));
    await user.type(await screen.findByLabelText('Code from the mail'), '123456{Enter}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(await screen.findByText('new@northfield.example')).toBeVisible();
    expect(sent).toEqual(['new@northfield.example', 'new@northfield.example']);
  });

  test('says what keeps the account from being deleted', async () => {
    await open('', {
      'GET /account/closing': {
        obstacles: [
          { account: 'barn', obstacle: 'balance_not_zero' },
          { account: null, obstacle: 'last_admin' },
        ],
      },
    });
    const panel = within(await screen.findByRole('region', { name: 'Delete account' }));
    expect((await panel.findAllByRole('listitem')).map(({ textContent }) => textContent)).toEqual([
      'barn: The balance has to be paid out first.',
      'You are the only administrator: appoint another first.',
    ]);
    expect(panel.queryByRole('button')).toBeNull();
  });

  test('deletes the account after its name was typed and the password given, then signs out', async () => {
    let asked = 0;
    const enterPassword = jest.fn(async () => 'complete' as const);
    const signOut = jest.fn(() => new Promise<void>(() => undefined));
    const { user } = await open(
      '',
      {
        'DELETE /account': () => {
          asked += 1;
          if (asked === 1) throw problem(403, 'reverification_required');
          return { deleted: true };
        },
      },
      { enterPassword, signOut },
    );
    await user.click(await screen.findByRole('button', { name: 'Delete account' }));
    const dialog = within(await screen.findByRole('dialog'));
    const confirm = dialog.getByRole('button', { name: 'Delete account' });
    expect(confirm).toBeDisabled();
    await user.type(dialog.getByLabelText('Type northfield to confirm'), 'northfield');
    await user.click(confirm);
    await user.type(await screen.findByLabelText('Password'), 'secret');
    await user.click(screen.getByRole('button', { name: 'Confirm' }));
    await waitFor(() => expect(signOut).toHaveBeenCalled());
    expect([asked, enterPassword.mock.calls]).toEqual([2, [['secret']]]);
  });
});
