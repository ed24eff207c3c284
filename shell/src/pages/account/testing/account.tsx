/** Test helper: the account page over a fake API and a fake sign-in service. */
import type { Answer } from '@pool/shared';
import { fakeApi, payoutSettings, renderPage, type FakeAnswers, type RenderOptions } from '@pool/shared/testing';
import { AuthContext, type IdentityConfig } from '../../../auth/auth-provider';
import { AuthStore, type AuthBackend } from '../../../auth/auth-store';
import { askingClient } from '../../../session/recent-sign-in';
import { RecentSignInDialog } from '../recent-sign-in-dialog';
import type { ReactNode } from 'react';
import AccountPage from '../account-page';

export const ADDRESS = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';
export const NEW_ADDRESS = 'bc1p5d7rjq7g6rdk2yhzks9smlaqtedr4dekq08ge8ztwac72sfr9rusxg3297';
const DAY_MS = 86_400_000;
export const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

const USER: Answer<'GET /getUserInfo/'>['user'] = {
  id: 1,
  userName: 'northfield',
  email: 'ops@northfield.example',
  role: 'miner',
  isLegacyUser: false,
  createdAt: '2025-03-02T10:00:00.000Z',
};
const FACTS: Answer<'GET /subAccounts/facts'>[number] = {
  id: 1,
  hashrates: { SHA256_ASICBOOST: 21.4e15, SCRYPT: 3.1e12 },
  workersOnline: 40,
  workersLow: 0,
  workersOffline: 2,
  unpaidSat: 1_234_567,
  btcAddress: ADDRESS,
  heldUntil: null,
  minerPasswordSet: false,
  obstacle: 'primary_account',
};
export const WALLET: Answer<'GET /wallet/'> = { btcAddress: ADDRESS, history: [] };
export const INFO = {
  user: USER,
  role: 'miner',
  isLegacyUser: false,
  rules: [],
  unreadNotifications: 0,
} satisfies Answer<'GET /getUserInfo/'>;
export const ANSWERS: FakeAnswers = {
  'GET /getUserInfo/': INFO,
  'GET /subAccounts/': {
    user: USER,
    subAccounts: [
      { id: 1, name: 'northfield', ports: {}, proxyPort: null },
      { id: 2, name: 'barn', ports: { SHA256_ASICBOOST: 4001 }, proxyPort: null },
      { id: 3, name: 'shed', ports: {}, proxyPort: 4100 },
    ],
  },
  'GET /subAccounts/facts': [
    FACTS,
    {
      ...FACTS,
      id: 2,
      hashrates: {},
      workersOnline: 0,
      workersLow: 0,
      workersOffline: 0,
      unpaidSat: 0,
      btcAddress: null,
      obstacle: null,
    },
    { ...FACTS, id: 3, obstacle: 'balance_not_zero', heldUntil: inDays(2) },
  ],
  'GET /poolConnection': [
    { algorithm: 'SHA256_ASICBOOST', host: 'pool.example', port: 3311, tlsPort: null },
    { algorithm: 'SCRYPT', host: 'pool.example', port: 3312, tlsPort: null },
  ],
  'GET /wallet/': WALLET,
  'GET /payoutSettings': payoutSettings,
  'GET /account/closing': { obstacles: [] },
  'GET /watchers': [],
  'GET /apiKeys': [],
  'GET /telegram/': [],
  'GET /webhooks': [],
  'GET /push': { publicKey: null, subscriptions: [] },
  'GET /alerts': { mailEvents: [], quiet: null },
  'GET /accountLimits': [],
  'GET /poolHold': { on: false, hours: 72, offAt: null, until: null, inForce: [] },
  'GET /organization': { organization: null },
  'GET /waiting': { changes: [] },
  'GET /remotes': [],
  'GET /audit': { rows: [], total: 0, nextCursor: null },
};

export function identity(calls: Partial<AuthBackend> = {}): AuthStore {
  const store = new AuthStore('__client_uat=1');
  store.connect('user_1', null, {
    getToken: async () => 'token',
    signOut: async () => undefined,
    devices: async () => [],
    signOutDevice: async () => undefined,
    enterPassword: async () => 'complete',
    hasPasskey: () => false,
    givePasskey: async () => 'complete',
    enterCode: async () => undefined,
    actIn: async () => undefined,
    changePassword: async () => undefined,
    setPicture: async () => undefined,
    email: async () => ({ address: 'ops@northfield.example', isConfirmed: false }),
    sendEmailCode: async () => undefined,
    changeEmail: async () => undefined,
    enterEmailCode: async () => undefined,
    ...calls,
  });
  return store;
}

/** `calls`: of the sign-in service. */
type OpenOptions = RenderOptions & { calls?: Partial<AuthBackend>; sendsMail?: boolean; page?: ReactNode };

export async function open(
  tab = '',
  more: FakeAnswers = {},
  { calls, page = <AccountPage />, ...options }: OpenOptions = {},
) {
  const store = identity(calls);
  const api = fakeApi({ ...ANSWERS, ...more });
  const rendered = await renderPage(
    <AuthContext value={{ store, config: { sendsMail: options.sendsMail } as IdentityConfig }}>
      {page}
      <RecentSignInDialog />
    </AuthContext>,
    {
      path: `/account/${tab}`,
      api: Object.assign(askingClient(api), api),
      ...options,
    },
  );
  return { ...rendered, store };
}
