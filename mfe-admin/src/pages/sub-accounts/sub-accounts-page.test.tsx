import { desktop, fakeApi, keepsNames, problem, renderPage } from '@pool/shared/testing';
import { screen, waitFor, within } from '@testing-library/react';
import type { Account } from '../../api/edit';
import { SubAccountsPage } from './sub-accounts-page';

const account = (id: number, facts: Partial<Account> = {}): Account => ({
  id,
  name: `hall-${id}`,
  ports: {},
  proxyPort: null,
  owner: 'north',
  btcAddress: null,
  thresholdSat: 5_000_000,
  version: 1,
  isLegacyUser: false,
  heldUntil: null,
  paused: false,
  unpaidSat: 0,
  workersOnline: 3,
  ...facts,
});
const OLD = '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2';
const NEW = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';

beforeEach(desktop);

test('names keep their signs at their end in Arabic', () =>
  keepsNames({ 'GET /admin/subAccounts': { rows: [account(1)], total: 1, nextCursor: null } }, 'hall-1', (odd) =>
    renderPage(<SubAccountsPage />, { path: '/admin/sub-accounts', role: 'admin', api: fakeApi(odd), language: 'ar' }),
  ));

test('an address is changed in the panel of its account; a first one is its owner’s to set', async () => {
  const rows = [account(1, { btcAddress: OLD }), account(2)];
  const asked: unknown[] = [];
  const { user, api } = await renderPage(<SubAccountsPage />, {
    path: '/admin/sub-accounts',
    role: 'admin',
    api: fakeApi({
      'GET /admin/subAccounts': { rows, total: 2, nextCursor: null },
      'PUT /admin/wallet': (options: unknown) => {
        asked.push(options);
        if (asked.length === 1) throw problem(400, 'address_checksum');
        return { btcAddress: NEW, history: [] };
      },
    }),
  });
  await user.click(await screen.findByText('hall-2'));
  const panel = within(await screen.findByRole('dialog', { name: 'hall-2' }));
  expect(panel.queryByRole('button', { name: 'Change address' })).toBeNull();
  await user.click(panel.getByRole('button', { name: 'Close' }));
  await user.click(screen.getByText('hall-1'));
  await user.click(await screen.findByRole('button', { name: 'Change address' }));
  const address = await screen.findByLabelText('New address');
  expect(address).toHaveFocus();
  await user.keyboard(`${NEW}{Enter}`);
  expect(await screen.findByText(/checksum does not match/)).toBeVisible();
  await user.keyboard('{Enter}');
  await waitFor(() => expect(screen.queryByLabelText('New address')).toBeNull());
  expect(api.sent('PUT /admin/wallet').at(-1)).toMatchObject({
    query: { accountName: 'hall-1' },
    body: { btcAddress: NEW },
  });
});
