import { useLocation } from '@pool/shared/router';
import { refusing, renderPage } from '@pool/shared/testing';
import { screen, waitFor, within } from '@testing-library/react';
import { AccountPicker } from '../../../layout/bar/account-picker';
import { open } from '../testing/account';

describe('sub-accounts', () => {
  const table = async () => within(await screen.findByRole('table', { name: 'Sub-accounts' }));

  test('lists hashrates, workers, balance, payout address and what ports are its own, and marks the primary', async () => {
    await open('sub-accounts');
    const rows = await table();
    const primary = within((await rows.findByText('northfield')).closest('tr') as HTMLElement);
    expect(primary.getByText('(Primary)')).toBeVisible();
    await waitFor(() => expect(primary.getByText(/21\.40/)).toBeVisible());
    expect(primary.getByText(/3\.10/)).toBeVisible();
    const barn = within(rows.getByText('barn').closest('tr') as HTMLElement);
    expect(await barn.findByText('SHA256 4001')).toBeVisible();
    expect(barn.queryByText('SCRYPT 3312')).toBeNull();
    expect(screen.getByText(/^Ports of the pool: .*SHA256 3311.* and .*SCRYPT 3312/)).toBeVisible();
    expect(await barn.findByRole('link', { name: 'No address yet' })).toHaveAttribute(
      'href',
      '/payments/?tab=settings&account=barn',
    );
    expect(rows.getByText('SHA256 4100')).toBeVisible();
  });

  test('all together are the sum of the rows, here and in the picker, which leads here', async () => {
    const shown = /42\.80.PH\/s.*6\.20.TH\/s.*80.*4.*0\.02469134.BTC/;
    const { api, unmount } = await open('sub-accounts');
    await waitFor(() => expect(screen.getByText('All sub-accounts').closest('p')).toHaveTextContent(shown));
    unmount();
    const chooseAccount = jest.fn();
    const Here = () => <output>{useLocation().pathname}</output>;
    const { user } = await renderPage(
      <>
        <AccountPicker
          account="barn"
          userName="northfield"
          subAccounts={[{ name: 'northfield' }, { name: 'barn' }]}
          chooseAccount={chooseAccount}
          withAll
        />
        <Here />
      </>,
      { api },
    );
    await user.click(screen.getByRole('button', { name: 'Account: barn' }));
    const all = await screen.findByRole('menuitem', { name: /^All sub-accounts/ });
    await waitFor(() => expect(all).toHaveTextContent(shown));
    expect(screen.getAllByRole('menuitemradio')).toHaveLength(2);
    await user.click(all);
    expect(chooseAccount).not.toHaveBeenCalled();
    expect(screen.getByRole('status')).toHaveTextContent('/account/sub-accounts');
  });

  test('creates one, and refuses a malformed name without asking the server', async () => {
    const { user, api } = await open('sub-accounts', {
      'POST /subAccounts/': ({ body }) => ({ id: 9, name: body.name, ports: {}, proxyPort: null }),
    });
    await user.click(await screen.findByRole('button', { name: 'New sub-account' }));
    const name = await screen.findByLabelText('Name');
    await user.type(name, '1barn');
    await user.click(screen.getByRole('button', { name: 'Create sub-account' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('starting with a letter');
    expect(api.sent('POST /subAccounts/')).toEqual([]);
    await user.clear(name);
    await user.type(name, 'barn-2');
    await user.click(screen.getByRole('button', { name: 'Create sub-account' }));
    await waitFor(() => expect(api.sent('POST /subAccounts/')).toEqual([{ body: { name: 'barn-2' } }]));
    expect(await screen.findByText('Sub-account barn-2 created')).toBeVisible();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(screen.getByRole('button', { name: 'New sub-account' })).toHaveFocus());
  });

  test('a taken name says so and stays in the field', async () => {
    const { user } = await open('sub-accounts', {
      'POST /subAccounts/': refusing(409, 'account_name_taken'),
    });
    await user.click(await screen.findByRole('button', { name: 'New sub-account' }));
    await user.type(await screen.findByLabelText('Name'), 'taken');
    await user.click(screen.getByRole('button', { name: 'Create sub-account' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('That name is taken.');
    expect(screen.getByLabelText('Name')).toHaveValue('taken');
  });

  test('is deleted after a confirmation; one that has to stay says why', async () => {
    const { user, api } = await open('sub-accounts', { 'DELETE /subAccounts/{id}': { deleted: true } });
    const rows = await table();
    await waitFor(() => expect(rows.getAllByText(/bc1q/)[0]).toBeVisible());
    await user.click(rows.getByRole('button', { name: 'Delete: shed' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByText('The balance has to be paid out first.')).toBeVisible();
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await user.click(rows.getByRole('button', { name: 'Delete: barn' }));
    await user.click(await screen.findByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(api.sent('DELETE /subAccounts/{id}')).toEqual([{ params: { id: 2 } }]));
    expect(rows.queryByRole('button', { name: 'Delete: northfield' })).toBeNull();
  });

  test('sets a miner password', async () => {
    const { user, api } = await open('sub-accounts', { 'PUT /minerPassword/': { passwordSet: true } });
    await user.click(await screen.findByRole('button', { name: 'Miner password: barn' }));
    const field = await screen.findByLabelText('New password');
    await user.type(field, 'short');
    expect(await screen.findByRole('alert')).toHaveTextContent('12 to 64');
    await user.click(screen.getByRole('button', { name: 'Generate' }));
    expect((field as HTMLInputElement).value).toMatch(/^[A-Za-z2-9]{20}$/);
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(api.sent('PUT /minerPassword/')).toEqual([
        { query: { accountName: 'barn' }, body: { password: (field as HTMLInputElement).value } },
      ]),
    );
  });
});
