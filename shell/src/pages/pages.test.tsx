import { fakeApi, renderPage, type RenderOptions } from '@pool/shared/testing';
import { act, screen, within } from '@testing-library/react';
import AccessPage from './access/access-page';
import { takenInvitation, usedInvitation } from './invitation/secret';
import { NoAnswer } from './no-answer';
import { NotFound } from './not-found';

test('without a network it says so, and tries again when the network is back', async () => {
  const onLine = jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const onRetry = jest.fn();
  await renderPage(<NoAnswer title="The pool does not answer" text="Mining continues." onRetry={onRetry} />);
  expect(screen.getByRole('heading')).toHaveTextContent('This browser has no network');
  expect(screen.getByText(/^Mining continues/)).toBeVisible();
  expect(onRetry).not.toHaveBeenCalled();
  onLine.mockReturnValue(true);
  act(() => void dispatchEvent(new Event('online')));
  expect(onRetry).toHaveBeenCalledTimes(1);
  expect(screen.getByRole('heading')).toHaveTextContent('The pool does not answer');
});

test('an admin without two-step sign-in is led to it, anybody else to the start page', async () => {
  const { unmount } = await renderPage(<NotFound />);
  expect(screen.getByRole('link')).toHaveAttribute('href', '/');
  unmount();
  await renderPage(<NotFound twoStepRequired />);
  expect(screen.getByRole('link')).toHaveAttribute('href', '/account/security');
});

test.each(['/invitation#secret', '/invitation?token=secret'])(
  'the secret of %s is in no address that a sign-in carries on, and stays in the tab until it is used',
  (link) => {
    history.replaceState(null, '', link);
    expect(takenInvitation()).toBe('secret');
    expect(location.pathname + location.search + location.hash).toBe('/invitation');
    history.replaceState(null, '', '/sign-in?redirect_url=%2Finvitation#other');
    expect(takenInvitation()).toBe('secret');
    usedInvitation();
    expect(takenInvitation()).toBe('');
  },
);

describe('the page of rights', () => {
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
    const names = screen.getAllByRole('row').map((row) => row.firstElementChild?.textContent);
    expect(names.filter((name) => !/^[A-Z]/.test(name ?? ''))).toEqual([]);
    expect(container.textContent).not.toMatch(/access\.[a-z]/);
  });
});
