/** Test helper: the whole HTTP server over a new database, and signed-in people. */
import pino from 'pino';
import type { AlgorithmName } from '@pool/shared/domain';
import { Bus } from '../../platform/bus';
import { identityUrls, readConfig, type Config } from '../../platform/config';
import type { Database } from '../../platform/db/database';
import { databaseNow } from '../../platform/db/querier';
import { testDatabase } from '../../platform/db/testing/test-database';
import '../../identity/testing/cheap-passwords';
import { createIdentityUser, openIdentity } from '../../identity';
import { announceOn } from '../../platform/bus';
import { PaymentLog } from '../../money/payouts/payment-log';
import { poolAccounts } from '../../identity/people/pool-accounts';
import { dayCloser } from '../../money/jobs/close-days';
import { countWork } from '../../mining/shares/testing/count-work';
import { PoolChanges } from '../../stratum/pool-changes';
import type { Uncounted } from '../../mining/shares/uncounted';
import { resolveOutbound } from '../../platform/outbound';
import { eventually } from '../../testing/eventually';
import { later } from '../../testing/later';
import { testSecrets } from '../../testing/secrets';
import { buildApp, type AppOptions } from '../../app/app';
import type { Deps } from '../context/deps';
import type { ZodApp } from '../server/server';

export const PASSWORD = 'correct horse 9';
const RENEW_MS = 30_000;
export const ORIGIN = 'http://pool.test:3000';

type Inject = {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD';
  body?: unknown;
  headers?: Record<string, string>;
  raw?: string;
  /** The caller's address, by which requests are limited. */
  address?: string;
};
export type Answer = {
  status: number;
  body: unknown;
  text: string;
  headers: Record<string, unknown>;
  code: string | undefined;
};

type Call = (path: string, request?: Inject) => Promise<Answer>;
type Verbs = Record<'post' | 'put', (path: string, body?: unknown) => Promise<Answer>> & {
  call: Call;
  del(path: string): Promise<Answer>;
  /** The body of an answer, which has to have the status 200. */
  read<T>(path: string): Promise<T>;
};
const verbsOf = (call: Call): Verbs => ({
  call,
  post: (path, body) => call(path, { method: 'POST', body }),
  put: (path, body) => call(path, { method: 'PUT', body }),
  del: (path) => call(path, { method: 'DELETE' }),
  read: async <T>(path: string) => {
    const { status, text, body } = await call(path);
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
    return body as T;
  },
});

/** A person with a browser: a token, and a cookie for the XSRF header. */
export type Person = Verbs & {
  name: string;
  userId: number;
  token: string;
  cookies: Record<string, string>;
  /** Gets a new token if the one there is old, which `call` does first. */
  renew(always?: boolean): Promise<void>;
};

/** The same with headers of its own: a link that looks, an admin who views. */
export const withHeaders = (person: Person, headers: Record<string, string>): Person => ({
  ...person,
  ...verbsOf((path, request = {}) => person.call(path, { ...request, headers: { ...headers, ...request.headers } })),
});
/** A visitor whose requests have a token and no session. */
export const bearing = (token: string, visitor: Person): Person =>
  withHeaders(visitor, { authorization: `Bearer ${token}` });

type MemberFacts = { role: string; money?: boolean; accounts?: string[] | null };

export type TestApp = {
  app: ZodApp;
  database: Database;
  bus: Bus;
  config: Config;
  visitor: Person;
  /** Signs up and in. */
  person(name: string, facts?: { role?: 'admin' | 'miner'; isLegacyUser?: boolean }): Promise<Person>;
  /** Gets a new token; one is valid for a minute. */
  signIn(name: string): Promise<Person>;
  /** A browser that was signed in 20 days ago. */
  oldSession(name: string): Promise<Person>;
  /** A browser whose session acts in an organization. */
  actingIn(name: string, organizationId: string): Promise<Person>;
  /** Makes the organization of a person; its owner acts in it. */
  organization(founder: Person): Promise<{ id: string; owner: Person }>;
  /** Makes a new person a member; `accounts`: names of the sub-accounts that the role is limited to. Acts in it. */
  member(organizationId: string, name: string, facts: MemberFacts): Promise<Person>;
  /** Rows of a query. */
  rows<T extends object>(text: string, values?: unknown[]): Promise<T[]>;
  /** Id of a sub-account; 0 without one. */
  accountId(name: string): Promise<number>;
  /** Counts work through the accounting: `difficulty` accepted at `at` (Unix seconds) by a worker of `account`. */
  work(
    rows: {
      account: string;
      worker?: string;
      algorithm?: AlgorithmName;
      at: number;
      accepted: number;
      stale?: number;
      rejected?: number;
      span?: number;
    }[],
  ): Promise<void>;
  close(): Promise<void>;
};

async function send(
  app: ZodApp,
  path: string,
  { method = 'GET', body, headers = {}, raw, address }: Inject,
  own: { token?: string; cookies?: Record<string, string> },
): Promise<Answer> {
  const write = method !== 'GET' && method !== 'HEAD';
  const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  const response = await app.inject({
    method,
    url: path,
    payload,
    remoteAddress: address,
    ...(headers.cookie === undefined ? { cookies: { 'XSRF-TOKEN': 'xsrf', ...own.cookies } } : {}),
    headers: {
      host: 'pool.test:3000',
      ...(own.token ? { authorization: `Bearer ${own.token}` } : {}),
      ...(write ? { origin: ORIGIN, 'x-xsrf-token': 'xsrf' } : {}),
      ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
  });
  const text = response.body;
  const json = String(response.headers['content-type']).includes('json') && text ? (JSON.parse(text) as unknown) : text;
  const code = typeof json === 'object' && json !== null && 'code' in json ? String(json.code) : undefined;
  return { status: response.statusCode, body: json, text, headers: response.headers, code };
}

/** What is answered to a sign-in with the password of all test users. `address`: of the browser. */
export const askSignIn = (app: ZodApp, identifier: string, address?: string) =>
  app.inject({
    method: 'POST',
    url: '/__clerk/v1/client/sign_ins',
    remoteAddress: address,
    headers: { host: 'pool.test:3000', origin: ORIGIN, 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ identifier, password: PASSWORD, strategy: 'password' }).toString(),
  });

export async function testApp(
  options: { database?: Database; env?: Record<string, string>; uncounted?: () => Promise<Uncounted[]> } & Partial<
    Pick<
      AppOptions,
      | 'now'
      | 'log'
      | 'network'
      | 'handlers'
      | 'paymentLog'
      | 'secrets'
      | 'changes'
      | 'outbound'
      | 'telegram'
      | 'callersMs'
      | 'refusedAfterMs'
    >
  > & { stratum?: Partial<Deps['stratum']> } = {},
): Promise<TestApp> {
  const { database = await testDatabase(), env, stratum, uncounted = async () => [], ...rest } = options;
  const { pool } = database;
  const bus = new Bus();
  announceOn(bus, pool);
  const config = readConfig({
    DIST_DIR: '/nonexistent',
    REMOTES_DIR: '/nonexistent',
    RATE_LIMIT: '1000000',
    REQUIRE_TWO_STEP: '0',
    PAYOUT_WAIT_HOURS: '0',
    ...env,
  });
  const { changes = new PoolChanges() } = options;
  const accounts = poolAccounts(pool, config.WALLET_HOLD_HOURS);
  const secrets = options.secrets ?? testSecrets();
  const identity = await openIdentity({
    db: pool,
    pool: accounts,
    secrets,
    supportEmail: config.SUPPORT_EMAIL,
    urls: identityUrls(config),
    changes,
  });
  const app = await buildApp({
    config,
    database,
    bus,
    identity,
    organizations: {
      db: pool,
      changed: () => changes.callers(),
      mailer: null,
    },
    overloadMs: 0,
    refusedAfterMs: 0,
    log: pino({ level: 'silent' }),
    stratum: {
      ports: [
        { algorithm: 'SHA256_ASICBOOST', port: 3311 },
        { algorithm: 'SCRYPT', port: 3312 },
      ],
      tlsPorts: [],
      status: async () => [],
      upstreams: () => [],
      connections: () => 0,
      dismiss: () => undefined,
      arrivals: () => ({ nameless: [], connected: [], mining: {}, refused: [] }),
      poolStatus: () => new Map(),
      testPool: async () => 'ok',
      ...stratum,
    },
    secrets,
    changes,
    // Names are not resolved: tests do not use the network.
    outbound: {
      resolve: (host, port) =>
        resolveOutbound(host, port, { allowPrivate: false, resolver: async () => [{ address: '93.184.216.34' }] }),
    },
    closeDays: dayCloser({
      pool,
      bus,
      terms: { poolFeePercent: config.POOL_FEE_PERCENT },
      uncounted,
      needsPrices: async () => false,
      now: async () => (rest.now ? rest.now() : databaseNow(pool)),
    }),
    paymentLog: PaymentLog.open(null),
    jobs: { lastRun: () => null },
    clock: { offset: 0, trouble: null },
    ...rest,
  }).catch(async (error: unknown) => {
    await database.close();
    throw error;
  });
  const rows = async <T extends object>(text: string, values: unknown[] = []): Promise<T[]> =>
    (await pool.query<T>(text, values)).rows;
  /** `next`: gets a new token. A session token lives for a minute, a test on a slow machine longer. */
  const person = (
    name: string,
    userId: number,
    token: string,
    cookies: Record<string, string>,
    next?: () => Promise<string>,
  ): Person => {
    const fresh = { token, at: token ? Date.now() : 0 };
    const renew = async (always = false): Promise<void> => {
      if (next && (always || Date.now() - fresh.at > RENEW_MS))
        Object.assign(fresh, { token: await next(), at: Date.now() });
    };
    const call: Person['call'] = async (path, request = {}) => {
      await renew();
      return send(app, path, request, { token: fresh.token });
    };
    return { name, userId, token, cookies, renew, ...verbsOf(call) };
  };
  /** Places that people sign in from, each their own, because sign-ins are limited by address. */
  const places = new Map<string, string>();
  const placeOf = (name: string): string => {
    const place = places.get(name) ?? `10.9.${places.size >> 8}.${places.size & 255}`;
    places.set(name, place);
    return place;
  };
  const session = async (name: string): Promise<{ id: string; token: string; cookies: Record<string, string> }> => {
    const response = await eventually(
      () => askSignIn(app, name, placeOf(name)).then((answer) => answer.statusCode !== 503 && answer),
      'a server with time for a sign-in',
      60_000,
    );
    const { client } = response.json<{ client: { sessions: { id: string; last_active_token: { jwt: string } }[] } }>();
    return {
      id: client.sessions[0]?.id ?? '',
      token: client.sessions[0]?.last_active_token.jwt ?? '',
      cookies: Object.fromEntries(response.cookies.map((cookie) => [cookie.name, cookie.value])),
    };
  };
  const signIn = async (name: string): Promise<Person> => {
    const { token, cookies } = await session(name);
    const [row] = await rows<{ id: number }>('select id from app_user where user_name = $1', [name]);
    return person(name, row?.id ?? 0, token, cookies, async () => (await session(name)).token);
  };
  /** A browser whose session is changed after the sign-in: its tokens are of the session as it is then. */
  const changedSession = async (name: string, change: string, ...values: string[]): Promise<Person> => {
    const { id, cookies } = await session(name);
    await pool.query(`update identity_session set ${change} where id = $1`, [id, ...values]);
    return person(name, 0, '', cookies, async () => {
      const url = `/__clerk/v1/client/sessions/${id}/tokens`;
      const headers = { host: 'pool.test:3000', origin: ORIGIN };
      return (await app.inject({ method: 'POST', url, cookies, headers })).json<{ jwt: string }>().jwt;
    });
  };
  const actingIn = (name: string, organizationId: string) =>
    changedSession(name, 'organization_id = $2', organizationId);
  const newPerson: TestApp['person'] = async (name, { role = 'miner', isLegacyUser = false } = {}) => {
    await createIdentityUser(pool, accounts, { userName: name, email: `${name}@example.com`, password: PASSWORD });
    await rows('update app_user set role = $2, is_legacy_user = $3 where user_name = $1', [name, role, isLegacyUser]);
    return signIn(name);
  };
  const oldSession = (name: string) => changedSession(name, "signed_in_at = now() - interval '20 days'");
  return {
    app,
    database,
    bus,
    config,
    visitor: person('', 0, '', {}),
    signIn,
    oldSession,
    actingIn,
    person: newPerson,
    rows,
    accountId: async (name) =>
      (await rows<{ id: number }>('select id from sub_account where name = $1', [name]))[0]?.id ?? 0,
    organization: async (founder) => {
      const { id } = (await founder.post('/api/organization', { name: 'The farm' })).body as { id: string };
      return { id, owner: { ...(await actingIn(founder.name, id)), userId: founder.userId } };
    },
    member: async (organizationId, name, { role, money = false, accounts: limit = null }) => {
      const { userId } = await newPerson(name);
      await rows(
        `insert into organization_member (id, organization_id, user_id, role, money, accounts)
         values ('orgmem_' || $1, $2, $3, $4, $5, (select array_agg(id) from sub_account where name = any($6)))`,
        [name, organizationId, userId, role, money, limit],
      );
      return { ...(await actingIn(name, organizationId)), userId };
    },
    work: async (mined) => {
      const known = await rows<{ id: number; name: string }>('select id, name from sub_account');
      await countWork(
        pool,
        mined.map(({ account, span = 60, at, ...row }) => {
          const subAccountId = known.find(({ name }) => name === account)?.id ?? 0;
          return { subAccountId, span, at: at - (at % span), lastShareAt: at, ...row };
        }),
      );
    },
    close: async () => {
      await app.close();
      await database.close();
    },
  };
}

/** Call it where the tests of a file, or of a `describe`, are: an app for them, from the first to the last. */
export function appOfFile(options?: Parameters<typeof testApp>[0]): TestApp {
  let app: TestApp | undefined;
  beforeAll(async () => {
    app = await testApp(options);
  });
  afterAll(() => app?.close());
  return later(() => app);
}

/** A person of such an app. */
export function personOfFile(test: TestApp, ...given: Parameters<TestApp['person']>): Person {
  let person: Person | undefined;
  beforeAll(async () => {
    person = await test.person(...given);
  });
  return later(() => person);
}
