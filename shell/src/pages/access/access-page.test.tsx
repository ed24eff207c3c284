import { fakeApi, renderPage, type RenderOptions } from '@pool/shared/testing';
import { screen, within } from '@testing-library/react';
import AccessPage from './access-page';

// A subject of a remote: its own text is that of its name.
const subjects = {
  'workers.tab.groups': {
    read: { action: 'read', subject: 'workers' },
    manage: { action: 'manage', subject: 'admin' },
  },
};
const open = (options: RenderOptions = {}) => {
  const api = fakeApi({ 'GET /remotes': [{ name: 'workers', subjects }] as never });
  return renderPage(<AccessPage />, { api, ...options });
};

test('shows for every kind of user what the rules allow', async () => {
  const { container } = await open({ role: 'admin' });
  const rightsOf = (name: string) =>
    within(screen.getByRole('row', { name: new RegExp(`^${name}`) }))
      .getAllByRole('cell')
      .map(({ textContent }) => textContent?.trim());
  expect(rightsOf('Payments').slice(-4)).toEqual(['Read and change', 'Read and change', 'Read', 'Read and change']);
  expect(rightsOf('List of algorithms').slice(-4)).toEqual(['Read', 'No access', 'Read', 'Read']);
  expect(rightsOf('This page').slice(-4)).toEqual(['No access', 'No access', 'No access', 'Read']);
  expect(await screen.findByRole('row', { name: /^Groups/ })).toBeVisible();
  expect(rightsOf('Groups').slice(-4)).toEqual(['Read', 'Read', 'Read', 'Read and change']);
  expect(container.textContent).not.toMatch(/access\.[a-z]/);
});
