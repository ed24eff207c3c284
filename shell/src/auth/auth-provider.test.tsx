import { createI18n, I18nextProvider } from '@pool/shared/i18n';
import { QueryClient, QueryClientProvider } from '@pool/shared/query';
import { MemoryRouter, Route, Routes, useLocation } from '@pool/shared/router';
import { ThemeProvider } from '@pool/shared/ui/core';
import { act, render, screen, waitFor } from '@testing-library/react';
import type { ComponentType } from 'react';
import auth from '../../locales/auth.en.json';
import en from '../../locales/en.json';
import { AuthProvider, SignInPage, useAuthState } from './index';
import type { AuthStore } from './auth-store';

/** Replaces Clerk with its only effect on the pages: it reports to the store. */
const clerk = { store: null as AuthStore | null };
jest.mock('./clerk-runtime', () => ({
  __esModule: true,
  default: (({ store }) => {
    clerk.store = store;
    return null;
  }) satisfies ComponentType<{ store: AuthStore }>,
}));

const config = {
  publishableKey: 'pk_live_x',
  clerkJsUrl: '/full.js',
  clerkJsHeadlessUrl: '/part.js',
  signInUrl: '/sign-in',
  signUpUrl: '/sign-up',
  afterSignInUrl: '/dashboard/',
  afterSignUpUrl: '/dashboard/',
};
const fresh = () => `e30.${btoa(JSON.stringify({ sub: 'user_1', exp: Date.now() / 1000 + 50 }))}.c2ln`;

function State() {
  const { state, userId } = useAuthState();
  const { pathname, search, hash } = useLocation();
  return <output>{[state, userId, pathname + search + hash].join(' ')}</output>;
}

async function open(path: string) {
  const i18n = await createI18n({ language: 'en', texts: { en } });
  i18n.addResourceBundle('en', 'auth', auth);
  document.body.insertAdjacentHTML(
    'beforeend',
    `<script type="application/json" id="pool-config">${JSON.stringify({
      identity: config,
      supportEmail: 'help@pool.example',
    })}</script>`,
  );
  render(
    <I18nextProvider i18n={i18n}>
      <ThemeProvider mode="dark" direction="ltr">
        <QueryClientProvider client={new QueryClient()}>
          <MemoryRouter initialEntries={[path]}>
            <AuthProvider config={config}>
              <Routes>
                <Route path="/sign-in/*" element={<SignInPage />} />
                <Route path="*" element={null} />
              </Routes>
              <State />
            </AuthProvider>
          </MemoryRouter>
        </QueryClientProvider>
      </ThemeProvider>
    </I18nextProvider>,
  );
}

const cookie = (text: string) => {
  document.cookie = `${text}; path=/`;
};
beforeEach(() => {
  clerk.store = null;
});
afterEach(() => {
  for (const name of ['__session', '__client_uat']) cookie(`${name}=; max-age=0`);
  document.getElementById('pool-config')?.remove();
});

test('with a fresh token the page is signed in at once, and Clerk is not fetched yet', async () => {
  cookie('__client_uat=1700000000');
  cookie(`__session=${fresh()}`);
  await open('/dashboard/');
  expect(screen.getByRole('status')).toHaveTextContent('signed-in user_1 /dashboard/');
  expect(clerk.store).toBeNull();
});

test('a sign-in in another tab is noticed when this one gets the focus', async () => {
  await open('/pages/faq');
  expect(screen.getByRole('status')).toHaveTextContent('signed-out');
  act(() => {
    window.dispatchEvent(new Event('focus'));
  });
  expect(clerk.store).toBeNull();
  cookie('__client_uat=1700000000');
  act(() => {
    window.dispatchEvent(new Event('focus'));
  });
  await waitFor(() => expect(clerk.store).not.toBeNull());
});

test('shows a sign-in service that does not respond, with Retry', async () => {
  cookie('__client_uat=1700000000');
  await open('/dashboard/');
  await waitFor(() => expect(clerk.store).not.toBeNull());
  act(() => clerk.store?.fail());
  expect(screen.getByRole('heading', { name: 'The sign-in service does not answer' })).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Retry' })).toBeInTheDocument();
});

test('the sign-in page contains a slot for the form of Clerk, and its own content around it', async () => {
  await open('/sign-in?redirect_url=/workers/');
  expect(await screen.findByRole('main', { name: 'Sign in' })).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Support' })).toHaveAttribute('href', 'mailto:help@pool.example');
  await waitFor(() => expect(clerk.store?.getSlot()).toMatchObject({ form: 'sign-in' }));
  expect(document.title).toBe('Sign in · Mining Pool');
});

test('a signed-in user is redirected to the page that the form remembers', async () => {
  cookie('__client_uat=1700000000');
  cookie(`__session=${fresh()}`);
  await open('/sign-in?redirect_url=%2Fworkers%2F%3Falgorithm%3DSCRYPT');
  await waitFor(() =>
    expect(screen.getByRole('status')).toHaveTextContent('signed-in user_1 /workers/?algorithm=SCRYPT'),
  );
});
