import { useLocation } from '@pool/shared/router';
import { screen, waitFor, within } from '@testing-library/react';
import AccountPage from './account-page';
import { open } from './testing/account';

test('tabs are links to paths; the shown one is marked', async () => {
  await open('alerts');
  const tabs = within(screen.getByRole('navigation', { name: 'Account pages' }));
  expect(tabs.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    '/account/',
    '/account/sub-accounts',
    '/account/alerts',
    '/account/watchers',
    '/account/api-keys',
    '/account/telegram',
    '/account/security',
    '/account/organization',
    '/account/log',
  ]);
  expect(tabs.getByRole('link', { current: 'page' })).toHaveTextContent('Alerts');
  expect(document.title).toBe('Alerts · Account · Mining Pool');
});

test.each([
  ['wallets', '/payments/?tab=settings&account=barn'],
  ['webhooks/', '/account/api-keys?account=barn'],
])('%s, a tab of earlier releases, leads to where it is now', async (tab, path) => {
  const Place = () => {
    const { pathname, search } = useLocation();
    return <output>{pathname + search}</output>;
  };
  await open(
    `${tab}?account=barn`,
    {},
    {},
    {
      page: (
        <>
          <AccountPage />
          <Place />
        </>
      ),
    },
  );
  await waitFor(() => expect(document.querySelector('output')).toHaveTextContent(path));
});

test('a legacy user has no list of sub-accounts', async () => {
  await open('', {}, {}, { session: { isLegacyUser: true } });
  expect(screen.queryByRole('link', { name: 'Sub-accounts' })).toBeNull();
  expect(screen.getByRole('link', { name: 'Alerts' })).toBeVisible();
});

test('every tab has all its texts', async () => {
  for (const tab of ['', 'sub-accounts', 'alerts', 'watchers', 'api-keys', 'telegram', 'security', 'log']) {
    const page = await open(tab);
    await waitFor(() => expect(document.querySelector('[data-skeleton]')).toBeNull());
    expect(page.container.textContent).not.toMatch(/account\.[a-z]/);
    page.unmount();
  }
});
