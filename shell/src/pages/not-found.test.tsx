import { renderPage } from '@pool/shared/testing';
import { screen } from '@testing-library/react';
import { NotFound } from './not-found';

test('an admin without two-step sign-in is led to it, anybody else to the start page', async () => {
  const { unmount } = await renderPage(<NotFound />);
  expect(screen.getByRole('link')).toHaveAttribute('href', '/');
  unmount();
  await renderPage(<NotFound twoStepRequired />);
  expect(screen.getByRole('link')).toHaveAttribute('href', '/account/security');
});
