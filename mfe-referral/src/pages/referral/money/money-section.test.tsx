import { type FakeAnswers, fakeApi, refusing, renderPage } from '@pool/shared/testing';
import { screen, waitFor, within } from '@testing-library/react';
import { accrual, ADDRESS, payment } from '../../../testing/answers';
import { MoneySection } from './money-section';
import { ShareDialog } from './share-dialog';

const OLD = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa';
const open = (more: FakeAnswers = {}) =>
  renderPage(<MoneySection />, {
    path: '/referral/',
    api: fakeApi({
      'GET /referral/accruals': { rows: [accrual], total: 1, nextCursor: null },
      'GET /referral/payments': { rows: [payment], total: 1, nextCursor: null },
      'GET /referral/wallet': { walletAddress: null },
      ...more,
    }),
  });

test('what came of each day, or what was paid', async () => {
  const { user } = await open();
  const accruals = await screen.findByRole('table', { name: 'Earnings by day' });
  expect(within(accruals).getAllByRole('row')[1]).toHaveTextContent('ho***SHA2560.0001570010.00 %0.00001570Payable');
  await user.click(screen.getByText('Payments'));
  const payments = await screen.findByRole('table', { name: 'Payments' });
  expect(within(payments).getAllByRole('row')[1]).toHaveTextContent(/19 Nov 2026, 00:300\.00200000.*Confirmed/);
});

test('the address is set; a changed one is held, and the change is taken back by setting the one before', async () => {
  const { api, user } = await open({ 'PUT /referral/wallet': refusing(400, 'address_length') });
  const type = async (address: string) => {
    await user.type(await screen.findByLabelText('Bitcoin address'), address);
    await user.click(screen.getByRole('button', { name: 'Set address' }));
  };
  await user.click(await screen.findByRole('button', { name: 'Set address' }));
  await type('bc1qw');
  expect(await screen.findByRole('alert')).toHaveTextContent('This address has 5 characters');
  const until = new Date(Date.now() + 3_600_000).toISOString();
  api.answer({ 'PUT /referral/wallet': { walletAddress: ADDRESS, hold: { until, oldAddress: OLD } } });
  await type(ADDRESS);
  expect(await screen.findByText(/Nothing is paid out until/)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Change address' })).toHaveFocus();
  api.answer({ 'PUT /referral/wallet': { walletAddress: OLD } });
  await user.click(screen.getByRole('button', { name: 'Cancel the change' }));
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Cancel the change' }));
  await waitFor(() => expect(screen.queryByText(/Nothing is paid out until/)).toBeNull());
  expect(api.calls.filter(({ call }) => call.startsWith('PUT')).map(({ options }) => options)).toEqual([
    { body: { walletAddress: 'bc1qw' } },
    { body: { walletAddress: `bc1qw${ADDRESS}` } },
    { body: { walletAddress: OLD } },
  ]);
});

test('the text to send is in the language of who reads it', async () => {
  const link = 'https://pool.example/sign-up?ref=K7PQ4XW2MN';
  const { user } = await renderPage(<ShareDialog link={link} onClose={() => undefined} />, { path: '/referral/' });
  expect(screen.getByText(/^I mine here/)).toHaveTextContent(link);
  await user.click(screen.getByText('العربية'));
  expect(screen.getByText(/^أعدّن هنا/)).toHaveAttribute('dir', 'rtl');
});
