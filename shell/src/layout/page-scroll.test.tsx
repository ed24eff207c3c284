import { renderPage } from '@pool/shared/testing';
import { act, screen, waitFor } from '@testing-library/react';
import { useEffect, useState } from 'react';
import PageScroll from './page-scroll';

beforeEach(() => {
  globalThis.scrollTo = () => undefined;
});

let show: (page: string, heading: string | null) => void;
function Pages() {
  const [{ page, heading }, set] = useState<{ page: string; heading: string | null }>({
    page: '/workers',
    heading: '',
  });
  useEffect(() => {
    show = (next, title) => act(() => set({ page: next, heading: title }));
  }, []);
  return (
    <>
      <button>Search</button>
      <main id="main">{heading !== null && <h1>{heading}</h1>}</main>
      <PageScroll page={page} mainId="main" />
    </>
  );
}

test('the heading of the next page gets the focus, also when it comes later', async () => {
  await renderPage(<Pages />);
  expect(screen.getByRole('heading')).not.toHaveFocus();
  show('/payments', 'Payments');
  expect(screen.getByRole('heading')).toHaveFocus();
  show('/referral', null);
  show('/referral', 'Referral');
  await waitFor(() => expect(screen.getByRole('heading', { name: 'Referral' })).toHaveFocus());
});

test('a user who goes on before the heading comes keeps the focus', async () => {
  const { user } = await renderPage(<Pages />);
  show('/payments', null);
  await user.click(screen.getByRole('button', { name: 'Search' }));
  show('/payments', 'Payments');
  // What observes the page is told before this.
  await new Promise(requestAnimationFrame);
  expect(screen.getByRole('button', { name: 'Search' })).toHaveFocus();
});
