import { AuthStore, type AuthBackend } from './auth-store';
import { endSession } from './end-session';
import type { IdentityCalls } from './identity-calls';
import { createI18n, I18nextProvider } from '@pool/shared/i18n';
import { QueryClient, QueryClientProvider } from '@pool/shared/query';
import { MemoryRouter, Route, Routes, useLocation } from '@pool/shared/router';
import { ThemeProvider } from '@pool/shared/ui/core';
import { act, render, screen, waitFor } from '@testing-library/react';
import type { ComponentType } from 'react';
import auth from '../../locales/auth.en.json';
import en from '../../locales/en.json';
import { AuthProvider, SignInPage, useAuthState } from './index';

jest.mock('./end-session');

/** Replaces Clerk with its only effect on the pages: it reports to the store. */
const clerk = { store: null as AuthStore | null };
jest.mock('./clerk-runtime', () => ({
  __esModule: true,
  default: (({ store }) => {
    clerk.store = store;
    return null;
  }) satisfies ComponentType<{ store: AuthStore }>,
}));

const NOW = 1_700_000_000_000;
const sessionOf = (sub: string) => `e30.${btoa(JSON.stringify({ sub, exp: NOW / 1000 + 50 }))}.c2ln`;
const session = sessionOf('user_1');
const cookiesOf = (token: string) => `__client_uat=1; __session=${token}`;
const SIGNED_IN = cookiesOf(session);
const NO_CALLS = {} as IdentityCalls;
const backend = (token = 'from-clerk'): AuthBackend => ({
  ...NO_CALLS,
  getToken: async () => token,
  signOut: async () => undefined,
});

afterEach(() => jest.clearAllMocks());

function started(cookies: string) {
  const clock = { now: NOW };
  const store = new AuthStore(cookies, () => clock.now);
  const changes = jest.fn();
  store.subscribe(changes);
  return { store, clock, changes };
}

test('a fresh token: signed in at once, calls are sent before Clerk has started', async () => {
  const { store } = started(SIGNED_IN);
  expect(store.getSnapshot()).toMatchObject({ state: 'signed-in', userId: 'user_1', organizationId: null });
  expect(await store.getToken()).toBe(session);
  expect(store.isWanted()).toBe(false);
});

test('nobody signed in: no Clerk, no token, no waiting', async () => {
  const { store } = started('');
  expect(store.getSnapshot().state).toBe('signed-out');
  expect(await store.getToken()).toBeNull();
  expect(store.isWanted()).toBe(false);
});

test('signed in without a fresh token: waits for Clerk', async () => {
  const { store } = started('__client_uat=1');
  expect(store.getSnapshot().state).toBe('loading');
  expect(store.isWanted()).toBe(true);
  const token = store.getToken();
  store.connect('user_1', 'org_1', backend());
  expect(await token).toBe('from-clerk');
  expect(store.getSnapshot()).toMatchObject({
    state: 'signed-in-with-organization',
    userId: 'user_1',
    organizationId: 'org_1',
  });
});

test('a token about to expire is not sent: Clerk is fetched for the next one', async () => {
  const { store, clock, changes } = started(SIGNED_IN);
  clock.now += 46_000;
  const token = store.getToken();
  expect(store.isWanted()).toBe(true);
  expect(changes).toHaveBeenCalledTimes(1);
  store.connect('user_1', null, backend());
  expect(await token).toBe('from-clerk');
});

test('Clerk reporting the same session changes nothing on the page', () => {
  const { store, changes } = started(SIGNED_IN);
  store.connect('user_1', undefined, backend());
  expect(changes).not.toHaveBeenCalled();
});

test('a picture that was set or removed is on the page at once', () => {
  const { store, changes } = started(SIGNED_IN);
  store.connect('user_1', null, backend(), '/me.png');
  expect(store.getSnapshot().picture).toBe('/me.png');
  store.connect('user_1', null, backend());
  expect(store.getSnapshot().picture).toBeNull();
  expect(changes).toHaveBeenCalledTimes(2);
});

test('another session reported by Clerk replaces the one of nobody', () => {
  const { store, changes } = started('');
  store.connect('user_1', null, backend());
  expect(store.getSnapshot()).toMatchObject({ state: 'signed-in', userId: 'user_1' });
  expect(changes).toHaveBeenCalledTimes(1);
});

test.each([
  ['nobody', null],
  ['another user', 'user_2'],
])('a page of one user ends when Clerk reports %s', (_, next) => {
  const { store, changes } = started(SIGNED_IN);
  store.connect(next, null, backend());
  expect(store.getSnapshot()).toMatchObject({ state: 'loading', userId: null });
  expect(changes).toHaveBeenCalledTimes(1);
  expect(endSession).toHaveBeenCalledTimes(1);
  store.connect('user_1', null, backend());
  expect(store.getSnapshot().state).toBe('loading');
});

test.each([
  ['of its user', SIGNED_IN, false],
  ['of its user, whose token has expired', '__client_uat=1', false],
  ['of another user', cookiesOf(sessionOf('user_2')), true],
  ['of nobody', '__client_uat=0', true],
])('a page finds cookies %s (%j) and ends: %s', (_, cookies, ends) => {
  const { store } = started(SIGNED_IN);
  store.check(cookies);
  expect(store.getSnapshot().state).toBe(ends ? 'loading' : 'signed-in');
  expect(endSession).toHaveBeenCalledTimes(ends ? 1 : 0);
});

test('a service that does not respond fails the waiting calls; a later start recovers', async () => {
  const { store } = started('__client_uat=1');
  const token = store.getToken();
  store.fail();
  await expect(token).rejects.toMatchObject({ code: 'offline', status: 0 });
  await expect(store.getToken()).rejects.toMatchObject({ code: 'offline' });
  expect(store.hasFailed()).toBe(true);
  store.connect('user_1', null, backend());
  expect(store.hasFailed()).toBe(false);
  expect(await store.getToken()).toBe('from-clerk');
});

test('signing out ends the session and opens the landing page; the pages do not ask to sign in', async () => {
  const { store } = started(SIGNED_IN);
  const signOut = jest.fn(async () => store.connect(null, null, backend()));
  const leaving = store.signOut();
  store.connect('user_1', null, { ...backend('x'), signOut });
  await leaving;
  expect(signOut).toHaveBeenCalledTimes(1);
  expect(store.getSnapshot().state).toBe('loading');
  expect(endSession).toHaveBeenCalledWith('/');
  expect(endSession).toHaveBeenCalledTimes(1);
});

test('a service that does not respond to a sign-out keeps nobody on the page', async () => {
  const { store } = started(SIGNED_IN);
  const leaving = store.signOut();
  store.fail();
  await expect(leaving).rejects.toMatchObject({ code: 'offline' });
  expect(endSession).toHaveBeenCalledWith('/');
});

test('removing a form after the next one was added keeps the slot of the next one', () => {
  const { store } = started('');
  const [first, second] = [document.createElement('div'), document.createElement('div')];
  const leave = store.place({ form: 'sign-in', element: first });
  expect(store.isWanted()).toBe(true);
  store.place({ form: 'sign-up', element: second });
  leave();
  expect(store.getSlot()).toMatchObject({ form: 'sign-up', element: second });
});

test('a saved page shows its user without a session, until the pool answers this user', async () => {
  const store = new AuthStore('', () => NOW, 'user_1');
  expect(store.getSnapshot()).toMatchObject({ state: 'signed-in', userId: 'user_1' });
  expect(await store.getToken()).toBeNull();
  store.want();
  expect(store.isWanted()).toBe(false);
  await expect(store.started()).rejects.toMatchObject({ code: 'offline' });
  expect(store.resume(cookiesOf(sessionOf('user_2')))).toBe(false);
  expect(store.resume('__client_uat=0')).toBe(false);
  expect(store.resume(SIGNED_IN)).toBe(true);
  expect(await store.getToken()).toBe(session);
  store.want();
  expect(store.isWanted()).toBe(true);
});

describe('the provider', () => {
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
});
