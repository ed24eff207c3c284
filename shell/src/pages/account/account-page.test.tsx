import { screen, waitFor, within } from '@testing-library/react';
import { open } from './testing/account';

test('tabs are links to paths; the shown one is marked', async () => {
  await open('wallets');
  const tabs = within(screen.getByRole('navigation', { name: 'Parts of the account' }));
  expect(tabs.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    '/account/',
    '/account/sub-accounts',
    '/account/wallets',
    '/account/alerts',
    '/account/watchers',
    '/account/api-keys',
    '/account/webhooks',
    '/account/telegram',
    '/account/security',
    '/account/sessions',
    '/account/log',
  ]);
  expect(tabs.getByRole('link', { current: 'page' })).toHaveTextContent('Wallets');
  expect(document.title).toBe('Wallets · Account · Mining Pool');
});

test('a legacy user has no list of sub-accounts', async () => {
  await open('', {}, {}, { session: { isLegacyUser: true } });
  expect(screen.queryByRole('link', { name: 'Sub-accounts' })).toBeNull();
  expect(screen.getByRole('link', { name: 'Wallets' })).toBeVisible();
});

test.each(['ru', 'fr', 'ar'] as const)('every tab in %s has all its texts', async (language) => {
  for (const tab of [
    '',
    'sub-accounts',
    'wallets',
    'alerts',
    'watchers',
    'api-keys',
    'webhooks',
    'telegram',
    'security',
    'sessions',
    'log',
  ]) {
    const page = await open(tab, {}, {}, { language });
    await waitFor(() => expect(document.querySelector('[data-skeleton]')).toBeNull());
    expect(page.container.textContent).not.toMatch(/account\.[a-z]/);
    page.unmount();
  }
});
