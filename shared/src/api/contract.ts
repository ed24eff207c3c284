/**
 * Every HTTP call: the only source. The server validates and serialises with it, the client is typed by it,
 * OpenAPI is generated from it. Paths are below `/api`; a trailing slash is optional on the wire.
 */
import { z } from 'zod';
import * as s from './schemas';

export type * from './schemas';

/** visitor: anyone; user: signed in, own data; watcher: user, or a watcher token or API key with the scope; admin. */
export type Who = 'visitor' | 'user' | 'watcher' | 'admin';
export type Endpoint = {
  who: Who;
  summary: string;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  response: z.ZodType;
};

const endpoint = <const E extends Endpoint>(e: E): E => e;
const ofAccount = z.strictObject({ userName: s.accountName.optional(), algorithm: s.algorithm.optional() });
const cursorPage = { limit: z.coerce.number().int().min(1).max(500).default(100), cursor: z.string().max(64).optional() };
const page = <T extends z.ZodType>(row: T) => z.object({ rows: z.array(row), total: z.int(), nextCursor: z.string().nullable() });

export const contract = {
  // What anybody may see
  'GET /homePrice/': endpoint({ who: 'visitor', summary: 'Bitcoin price in US dollars',
    response: z.object({ price: z.number(), at: s.isoTime.nullable(), stale: z.boolean() }) }),
  'GET /getBtcPrice': endpoint({ who: 'visitor', summary: 'Bitcoin price in US dollars, a bare number', response: z.number() }),
  'GET /getPoolStatistics': endpoint({ who: 'visitor', summary: 'Hashrate and daily revenue of the whole pool',
    response: z.array(z.object({ algo: s.algorithm, hashrate: z.number(), dailyRevenueBtc: z.number(),
      /** BTC per PH/s (SHA256) or TH/s (SCRYPT) per day. */ priceBtc: z.number(),
      workersOnline: z.int(), minersOnline: z.int() })) }),
  'GET /poolHashchart': endpoint({ who: 'visitor', summary: 'Hashrate of the whole pool over 30 days',
    query: z.strictObject({ algorithm: s.algorithm.optional() }), response: s.series }),
  'GET /algorithms/': endpoint({ who: 'visitor', summary: 'Algorithms the pool mines', response: z.array(z.object({ name: s.algorithm })) }),
  'GET /poolConnection': endpoint({ who: 'visitor', summary: 'Public Stratum addresses', response: z.array(s.connection.omit({ exampleUser: true, dedicated: true })) }),

  // The signed-in user
  'GET /getUserInfo/': endpoint({ who: 'user', summary: 'Who I am, what I may do, my settings',
    response: z.object({ user: s.user, role: z.enum(['miner', 'admin']), isLegacyUser: z.boolean(),
      rules: z.array(z.object({ action: z.string(), subject: z.string() })),
      unreadNotifications: z.int() }) }),
  'GET /legacyStatus': endpoint({ who: 'user', summary: 'Whether this is a legacy user', response: z.object({ data: z.object({ legacy: z.boolean() }) }) }),
  'GET /subAccounts/': endpoint({ who: 'user', summary: 'My sub-accounts', response: z.object({ user: s.user, subAccounts: z.array(s.subAccount) }) }),
  'POST /subAccounts/': endpoint({ who: 'user', summary: 'Create a sub-account', body: z.strictObject({ name: s.accountName }), response: s.subAccount }),
  'GET /connectionInfo/': endpoint({ who: 'user', summary: 'Where to point a miner', query: z.strictObject({ userName: s.accountName.optional() }),
    response: z.array(s.connection) }),
  'GET /upstreams': endpoint({ who: 'user', summary: 'The upstream pools my work goes to now', query: z.strictObject({ userName: s.accountName.optional() }),
    response: z.array(s.upstream) }),
  'GET /wallet/': endpoint({ who: 'user', summary: 'Payout address of a sub-account', query: z.strictObject({ accountName: s.accountName.optional() }),
    response: z.object({ btcAddress: z.string().nullable() }) }),

  // Hashrate
  'GET /hashchart/': endpoint({ who: 'watcher', summary: 'Hashrate history of the whole account',
    query: z.strictObject({ historyTimeframe: s.timeframe.default('d1'), algorithm: s.algorithm.optional() }), response: s.series }),
  'GET /liveHashchart/': endpoint({ who: 'watcher', summary: 'Live hashrate of the whole account',
    query: z.strictObject({ algorithm: s.algorithm.optional() }), response: s.live }),
  'GET /proxyHashchart/': endpoint({ who: 'watcher', summary: 'Hashrate history of one sub-account',
    query: ofAccount.extend({ historyTimeframe: s.timeframe.default('d1') }), response: s.series }),
  'GET /proxyLiveHashchart/': endpoint({ who: 'watcher', summary: 'Live hashrate of one sub-account', query: ofAccount, response: s.live }),
  'GET /getLiveHashrates/': endpoint({ who: 'watcher', summary: 'Hashrates of one sub-account now',
    query: z.strictObject({ algorithm: s.algorithm.optional(), subAccountName: s.accountName.optional() }),
    response: s.hashrates.extend({ shares24h: z.int(), at: s.unixSeconds }) }),

  // Workers
  'GET /liveWorkers/': endpoint({ who: 'watcher', summary: 'Workers of one sub-account',
    query: ofAccount.extend({
      state: s.workerStateName.optional(), group: z.string().max(64).optional(), search: z.string().max(64).optional(),
      sort: z.string().max(32).optional(),
      limit: z.coerce.number().int().min(1).max(10_000).default(10_000), cursor: z.string().max(64).optional(),
    }),
    response: z.object({ workers: z.array(s.worker), counts: s.workerCounts, total: z.int(), nextCursor: z.string().nullable() }) }),
  'GET /workers/{id}/hashchart': endpoint({ who: 'watcher', summary: 'Hashrate history of one worker',
    params: z.strictObject({ id: z.coerce.number().int() }), query: z.strictObject({ historyTimeframe: s.timeframe.default('d1') }), response: s.series }),
  'GET /getWorkerCount/': endpoint({ who: 'watcher', summary: 'Workers by state',
    query: z.strictObject({ subAccountName: s.accountName.optional(), algorithm: s.algorithm.optional() }), response: s.workerCounts }),

  // Payments
  'GET /payment/': endpoint({ who: 'watcher', summary: 'Balance and next payout of one sub-account', query: z.strictObject({ currentAccount: s.accountName.optional() }),
    response: z.object({
      unpaidSat: s.sats, thresholdSat: s.sats,
      nextPayout: z.object({ at: s.isoTime.nullable(), reason: z.enum(['below_threshold', 'no_address', 'address_hold', 'paused', 'review']).nullable() }),
      yesterdaySat: s.sats, todayEstimateSat: s.sats, paidTotalSat: s.sats, payouts: z.int(),
      /** Net earnings of the last 14 finished days, oldest first. */
      lastDaysSat: z.array(s.sats),
      last: s.payment.nullable(),
    }) }),
  'GET /paymentsHistory/': endpoint({ who: 'watcher', summary: 'Earnings per UTC day, or payouts',
    query: z.strictObject({ accountName: s.accountName.optional(), from: s.day.optional(), to: s.day.optional(),
      kind: z.enum(['earnings', 'payouts']).default('earnings'), ...cursorPage }),
    response: z.union([
      page(s.earning).extend({ kind: z.literal('earnings') }),
      page(s.payment).extend({ kind: z.literal('payouts') }),
    ]) }),
  'GET /earnings/monthly': endpoint({ who: 'watcher', summary: 'Net earnings of the last 12 months', query: z.strictObject({ accountName: s.accountName.optional() }),
    response: z.array(z.object({ month: z.string(), netSat: s.sats })) }),
  'GET /getSubAccountBalance/': endpoint({ who: 'watcher', summary: 'Balance of one sub-account', query: z.strictObject({ subAccountName: s.accountName.optional() }),
    response: z.object({ unpaidSat: s.sats, paidSat: s.sats, heldSat: s.sats }) }),
  'POST /calculatePayments/': endpoint({ who: 'admin', summary: 'Close finished days; the same day any number of times gives the same sums',
    body: z.strictObject({ day: s.day.optional() }),
    response: z.object({ days: z.int(), accounts: z.int(), grossSat: s.sats, netSat: s.sats, payments: z.int() }) }),

  // Referral
  'GET /referral/code': endpoint({ who: 'user', summary: 'My referral code', response: z.object({ code: z.string().nullable(), link: z.string().nullable(), ratePercent: z.number(), months: z.int() }) }),
  'POST /referral/code': endpoint({ who: 'user', summary: 'Make my referral code', body: z.strictObject({}), response: z.object({ code: z.string(), link: z.string(), ratePercent: z.number(), months: z.int() }) }),
  'GET /referral/stats': endpoint({ who: 'user', summary: 'Referral totals',
    response: z.object({ referred: z.int(), active: z.int(), accruedSat: s.sats, paidSat: s.sats, availableSat: s.sats }) }),
  'GET /referral/list': endpoint({ who: 'user', summary: 'Users I referred, names masked',
    response: z.array(z.object({ name: z.string(), joinedAt: s.isoTime, active: z.boolean(), hashrate24h: z.number(), earnedSat: s.sats })) }),
  'POST /referral/activate': endpoint({ who: 'user', summary: 'Activate somebody\'s referral code, once',
    body: z.strictObject({ referralCode: z.string().min(4).max(32) }), response: z.object({ activated: z.literal(true) }) }),

  // Notifications, events, remotes
  'GET /notifications': endpoint({ who: 'user', summary: 'My notifications, newest first', response: z.object({ notifications: z.array(s.notification), unread: z.int() }) }),
  'POST /notifications/read': endpoint({ who: 'user', summary: 'Mark notifications read; no ids means all', body: z.strictObject({ ids: z.array(z.int()).max(500).optional() }),
    response: z.object({ unread: z.int() }) }),

  'GET /remotes': endpoint({ who: 'visitor', summary: 'The remotes the caller may load', response: z.array(s.remoteManifest) }),

  // Admin
  'GET /users/': endpoint({ who: 'admin', summary: 'All users', query: z.strictObject({ legacy: z.stringbool().optional(), search: z.string().max(64).optional(),
      sort: s.userSort.default('userName'), ...cursorPage }),
    response: page(s.adminUser) }),
} satisfies Record<string, Endpoint>;

export type Contract = typeof contract;
export type Call = keyof Contract;

/** `GET /events`, server-sent: the name of each event and its data. Not in `contract` because it is a stream. */
export type PoolEvents = {
  /** New live windows of one sub-account, at most every 5 s. */
  hashrate: { account: string; algorithm: string };
  workers: { account: string; algorithm: string };
  payment: { account: string };
  notification: { id: number };
  upstream: { algorithm: string };
};
