/**
 * For the test that makes every call of the contract as every kind of caller: the request to send, where one is needed,
 * and the expected status, where that is not 200. A call without an entry is sent without parameters.
 */
import type { Call } from '@pool/shared/api/contract';
import type { Person } from './test-app';

/** Things of `owner`. `pools`: two in a list (at `places`), one of SCRYPT and one more in no list. */
export type Things = {
  workerId: number;
  accountId: number;
  spareAccountId: number;
  watcherId: number;
  keyId: number;
  strangerId: number;
  telegramId: number;
  webhookId: number;
  pushId: number;
  pools: readonly number[];
  places: readonly number[];
};

type Entry = {
  /** Path parameters `{id}` and `{name}`. */
  path?: (things: Things) => string | number;
  query?: (things: Things) => string;
  body?: (things: Things, who: Person) => unknown;
  /** The call concerns a thing of `owner`: other callers get a 404. */
  ofOwner?: true;
  /** An admin may read it too. */
  adminReads?: true;
  /** Expected status for allowed callers when it is not 200: the request is valid but names nothing that exists. */
  status?: number;
};

const ADDRESS = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';
export const POOL = {
  algorithm: 'SHA256_ASICBOOST',
  url: 'stratum+tcp://pool.example:3333',
  user: 'wallet.rig',
} as const;
export const BROWSER = {
  endpoint: 'https://push.example/owner-first',
  p256dh: 'BPoo6R0i416wDexBmnw0PVu2GXFCeJMrcIEYJbFPgdjvVCYRvg5ccH_Yje8YEFHQN23049jMTVpAekvU30GEtT0',
  auth: 'mGCOtmeSEDAPlrOFOl5Q9W',
  language: 'en',
  events: ['offline'],
};
export const HOOK = { url: 'https://hooks.example/pool', events: ['payment'] };
const token = { body: () => ({ name: 'walk', scopes: ['workers'] }) };
const ofOwner = { query: () => '?userName=owner' };

export const WALK: Partial<Record<Call, Entry>> = {
  'POST /subAccounts/': { body: (_, who) => ({ name: `${who.name || 'nobody'}-second` }) },
  'DELETE /subAccounts/{id}': { path: ({ spareAccountId }) => spareAccountId, ofOwner: true },
  'PUT /wallet/': { body: () => ({ btcAddress: ADDRESS }) },
  'DELETE /wallet/change': { status: 409 },
  'GET /workers/{id}/hashchart': { path: ({ workerId }) => workerId, ofOwner: true, adminReads: true },
  'GET /workers/{id}/uptime': { path: ({ workerId }) => workerId, ofOwner: true, adminReads: true },
  'PUT /workers/{id}': { path: ({ workerId }) => workerId, body: () => ({ alertLimit: 0.6 }), ofOwner: true },
  'GET /farmEvents/{id}/workers': { path: () => 1, status: 404 },
  'PUT /farmEvents/{id}': { path: () => 1, body: () => ({ note: 'walk' }), status: 404 },
  'POST /workers/bulk': { body: ({ workerId }) => ({ ids: [workerId], action: 'mute' }), ofOwner: true },
  'POST /workerGroups/': { body: ({ accountId }) => ({ name: 'walk', subAccountId: accountId }), ofOwner: true },
  'DELETE /workerGroups/{name}': {
    path: () => 'walk',
    query: ({ accountId }) => `?subAccountId=${accountId}`,
    ofOwner: true,
  },
  'POST /poolConfigs/': { body: () => ({ ...POOL, name: 'walk' }) },
  'PUT /poolConfigs/{id}': { path: ({ pools }) => pools[0] ?? 0, body: () => ({ user: 'walk' }), ofOwner: true },
  'DELETE /poolConfigs/{id}': { path: ({ pools }) => pools[3] ?? 0, ofOwner: true },
  'POST /poolConfigs/test': { body: () => POOL },
  'GET /subAccountPoolConfigs': { query: ({ accountId }) => `?subAccountId=${accountId}`, ofOwner: true },
  'POST /subAccountPoolConfigs': {
    query: ({ accountId }) => `?subAccountId=${accountId}`,
    body: ({ pools }) => ({ poolConfigId: pools[2] }),
    ofOwner: true,
  },
  'PUT /subAccountPoolConfigs': {
    query: ({ accountId }) => `?subAccountId=${accountId}`,
    body: () => ({ algo: 'SCRYPT', configs: [] }),
    ofOwner: true,
  },
  'PUT /subAccountPoolConfigs/{id}': {
    path: ({ places }) => places[0] ?? 0,
    body: () => ({ enabled: false }),
    ofOwner: true,
  },
  'DELETE /subAccountPoolConfigs/{id}': { path: ({ places }) => places[1] ?? 0, ofOwner: true },
  'PUT /subAccountPoolConfigs/reorder': {
    body: ({ accountId, places }) => ({
      reorderedConfigs: [{ id: places[0], algo: POOL.algorithm, subAccountId: accountId }],
    }),
    ofOwner: true,
  },
  'POST /subAccountPoolConfigs/undo': { body: () => ({ notification: 999_999 }), status: 404 },
  'PUT /poolHold': { body: () => ({ on: false }) },
  'DELETE /poolHold': { status: 409 },
  'POST /watchers': token,
  'DELETE /watchers/{id}': { path: ({ watcherId }) => watcherId, ofOwner: true },
  'POST /apiKeys': token,
  'DELETE /apiKeys/{id}': { path: ({ keyId }) => keyId, ofOwner: true },
  'GET /organization/invitation': { query: () => `?token=${'x'.repeat(43)}`, status: 404 },
  'POST /organization/invitation': { body: () => ({ token: 'x'.repeat(43) }), status: 404 },
  'POST /calculatePayments/': { body: () => ({}) },
  // A call without fields is one without a body too.
  'POST /referral/code': {},
  'POST /referral/activate': { body: () => ({ referralCode: 'NOSUCHCODE' }), status: 404 },
  'POST /exports': { body: () => ({ file: 'workers.csv' }) },
  'POST /client-errors': { body: () => ({ shell: '', mounts: [], errors: [] }) },
  'POST /notifications/read': { body: () => ({}) },
  'PUT /alerts': { body: () => ({ mailEvents: ['offline'], quiet: null }) },
  'PUT /accountLimits': {
    body: () => ({ account: 'owner', algorithm: POOL.algorithm, hashrate: 1e12 }),
    ofOwner: true,
  },
  'POST /telegram/': { body: () => ({}), status: 409 },
  'PUT /telegram/{id}': { path: ({ telegramId }) => telegramId, body: () => ({ language: 'fr' }), ofOwner: true },
  'POST /telegram/{id}/test': { path: ({ telegramId }) => telegramId, ofOwner: true, status: 409 },
  'DELETE /telegram/{id}': { path: ({ telegramId }) => telegramId, ofOwner: true },
  'POST /push': { body: (_, who) => ({ ...BROWSER, endpoint: `https://push.example/${who.name}` }) },
  'DELETE /push/{id}': { path: ({ pushId }) => pushId, ofOwner: true },
  'POST /webhooks': { body: () => HOOK },
  'PUT /webhooks/{id}': { path: ({ webhookId }) => webhookId, body: () => HOOK, ofOwner: true },
  'POST /webhooks/{id}/test': { path: ({ webhookId }) => webhookId, ofOwner: true },
  'GET /webhooks/{id}/deliveries': { path: ({ webhookId }) => webhookId, ofOwner: true },
  'DELETE /webhooks/{id}': { path: ({ webhookId }) => webhookId, ofOwner: true },
  'GET /admin/terms/preview': { query: () => '?name=pool_fee&value=2' },
  'GET /telegram/auth': { query: () => '?token=no-such-token', status: 404 },
  'POST /telegram/auth': { body: () => ({ token: 'no-such-token' }), status: 404 },
  'POST /requestBonus': { query: () => '?email=walk@example.com', status: 202 },
  'PUT /users/': { query: ({ strangerId }) => `?id=${strangerId}`, body: () => ({}) },
  'PUT /bulkUpdateUsers': { body: ({ strangerId }) => ({ updates: [{ id: strangerId }] }) },
  'PUT /bulkUpdateSubAccounts': { body: ({ accountId }) => ({ updates: [{ id: accountId }] }) },
  'PUT /admin/subAccounts/': { query: ({ accountId }) => `?id=${accountId}`, body: () => ({}) },
  'PUT /admin/wallet': { query: () => '?accountName=owner', body: () => ({ btcAddress: ADDRESS }) },
  'GET /userDashboard/hashchart': ofOwner,
  'GET /userDashboard/liveHashchart': ofOwner,
  'GET /userDashboard/proxyHashchart': ofOwner,
  'GET /userDashboard/proxyLiveHashchart': ofOwner,
  'GET /userDashboard/liveWorkers': ofOwner,
  'GET /userDashboard/connectionInfo': ofOwner,
  'GET /userDashboard/getUserInfo': ofOwner,
  'GET /userDashboard/wallet': ofOwner,
  'GET /userDashboard/paymentsHistory': ofOwner,
  'GET /userDashboard/payment': ofOwner,
  'GET /userDashboard/subAccounts': ofOwner,
  'GET /userDashboard/workerGroups': ofOwner,
};
