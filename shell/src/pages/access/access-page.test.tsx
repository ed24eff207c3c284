import { LANGUAGES } from '@pool/shared/i18n';
import { renderPage } from '@pool/shared/testing';
import { screen, within } from '@testing-library/react';
import AccessPage from './access-page';

test('shows for every kind of user what the rules allow', async () => {
  await renderPage(<AccessPage />, { role: 'admin' });
  const rightsOf = (name: string) =>
    within(screen.getByRole('row', { name: new RegExp(`^${name}`) }))
      .getAllByRole('cell')
      .map(({ textContent }) => textContent?.trim());
  expect(rightsOf('Payments').slice(-4)).toEqual(['Read and change', 'Read and change', 'Read', 'Read and change']);
  expect(rightsOf('List of algorithms').slice(-4)).toEqual(['Read', 'No access', 'Read', 'Read']);
  expect(rightsOf('This page').slice(-4)).toEqual(['No access', 'No access', 'No access', 'Read']);
});

test.each(LANGUAGES)('has all its texts: %s', async (language) => {
  const { container } = await renderPage(<AccessPage />, { language });
  expect(container.textContent).not.toMatch(/access\.[a-z]/);
});
