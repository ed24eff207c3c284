import { renderPage } from '@pool/shared/testing';
import { screen, within } from '@testing-library/react';
import SetupPage from './setup-page';

beforeEach(() => {
  const body = [
    { algorithm: 'SHA256_ASICBOOST', host: 'pool.test', port: 3311, tlsPort: null },
    { algorithm: 'SCRYPT', host: 'pool.test', port: 3312, tlsPort: null },
  ];
  globalThis.fetch = jest.fn(async () => ({
    ok: true,
    status: 200,
    headers: new Headers({ 'content-type': 'application/json' }),
    json: async () => body,
    text: async () => JSON.stringify(body),
  })) as unknown as typeof fetch;
});
const fields = () =>
  screen.getAllByRole('button', { name: /^Copy/ }).map((button) => button.closest('div')?.textContent);

test('a model: its menu, its fields with what is typed, its button', async () => {
  const { user } = await renderPage(<SetupPage />, { path: '/pages/setup?user=northfield.rig-07&port=3999' });
  expect(screen.getByText('Choose your machine.')).toBeVisible();
  await user.click(screen.getByRole('link', { name: 'Bitaxe Gamma' }));
  const panel = await screen.findByRole('region', { name: 'Bitaxe Gamma' });
  expect(await within(panel).findByText('Save, Restart')).toBeVisible();
  expect(within(panel).queryByText(/No public manual/)).toBeNull();
  expect(fields()).toEqual(['Stratum Hostpool.test', 'Stratum Port3999', 'Usernorthfield.rig-07', 'Passwordx']);
});

test('a machine for SCRYPT gets the address of SCRYPT; without an account its place is named', async () => {
  await renderPage(<SetupPage />, { path: '/pages/setup?model=l7' });
  expect(await screen.findByText('stratum+tcp://pool.test:3312')).toBeVisible();
  expect(screen.getByText('Settings › Pool 1')).toBeVisible();
  expect(screen.getByText(/No public manual of this machine was found/)).toBeVisible();
  expect(screen.getByText(/Factory sign-in: root, password root/)).toBeVisible();
  expect(fields()[1]).toBe('WorkerACCOUNT.rig-01');
});
