/** First views: what a page holds before its scripts have loaded, and that a bad one costs nothing else. */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { brotliDecompressSync, constants } from 'node:zlib';
import { writeFacts, type BrowserFacts, type SentView } from '@pool/shared/page-start';
import { bundleFirstView } from '../../../scripts/build/first-view';
import { handleOf, type Handlers } from '../http/auth/route';
import { allHandlers } from '../http/routes';
import { testApp, type Answer, type Person, type TestApp } from '../http/testing/test-app';
import { eventually } from '../testing/eventually';
import { newFolder } from '../testing/folder';

const dist = newFolder();
const write = (path: string, content: string | object): void => {
  mkdirSync(dirname(join(dist, path)), { recursive: true });
  writeFileSync(join(dist, path), typeof content === 'string' ? content : JSON.stringify(content));
};

const FACTS: BrowserFacts = {
  language: 'en',
  direction: 'ltr',
  mode: 'dark',
  currency: 'usd',
  themeColor: '#ed4540',
  skin: 'default',
  width: 1440,
  height: 900,
  content: 1132,
  plot: 790,
};

/** `html`: the body of a function of `request` and `get`. */
const script = (html: string): string =>
  `var poolFirstView = { css: 'p { color: red }', render: async (request, get) => ({
    html: await (async () => { ${html} })(),
    queries: [[['who'], '/api/getUserInfo/'], [['list'], '/api/subAccounts/', true], [['else'], '/api/elsewhere'], [['remotes'], '/api/remotes']],
  }) };`;

const sha384 = (text: string): string => `sha384-${createHash('sha384').update(text).digest('base64')}`;

function deploy(version: string, view: string | null, hash = sha384(view ?? '')): void {
  const url = (file: string) => `/remotes/dashboard/${version}/${file}`;
  const prefetchCalls = ['/api/getWorkerCount/?subAccountName={account}&algorithm={algorithm}'];
  write(`remotes/dashboard/${version}/manifest.json`, {
    name: 'dashboard',
    version,
    contract: 1,
    shared: '^1.0.0',
    basePath: '/dashboard',
    pages: ['/dashboard'],
    nav: [{ path: '/dashboard/', label: 'dashboard.nav', icon: 'dashboard', order: 1 }],
    prefetchCalls,
    entry: url('remoteEntry.abc.js'),
    preload: [],
    files: view === null ? {} : { [url('first-view.cjs')]: hash },
  });
  if (view !== null) write(`remotes/dashboard/${version}/first-view.cjs`, view);
}

let test: TestApp;
let owner: Person;
let admin: Person;
let versions = 0;
let pointed = '1.0.0';
/** API requests that were answered. */
let asked = 0;
/** `GET /payment/` is answered after it. */
let paymentHeld: Promise<void> = Promise.resolve();
/** Until what it returns is called. */
function holdPayment(): () => void {
  let goOn: () => void = () => undefined;
  paymentHeld = new Promise((resolve) => (goOn = resolve));
  return goOn;
}

/** Deploys a version with this view and points to it as an admin does, which the server notices at once. */
async function serve(view: string | null, hash?: string): Promise<void> {
  const version = `1.0.${(versions += 1)}`;
  deploy(version, view, hash);
  await point(version);
}
async function point(version: string): Promise<void> {
  const body = { version, canary: null, expected: { version: pointed, canary: null } };
  expect(await admin.put('/api/admin/remotes/dashboard', body)).toMatchObject({ status: 200 });
  pointed = version;
}

function cookiesOf(who: Person, facts: string | null = writeFacts(FACTS)): string[] {
  const cookies = Object.entries(who.cookies).map(([name, value]) => `${name}=${value}`);
  return facts === null ? cookies : [...cookies, `pool-facts=${facts}`];
}

function open(path = '/dashboard/', facts: string | null = writeFacts(FACTS), who: Person = owner): Promise<Answer> {
  const cookies = cookiesOf(who, facts);
  return test.visitor.call(path, { headers: { accept: 'text/html', cookie: cookies.join('; ') } });
}

const viewOf = ({ text }: Answer): string | undefined =>
  /<template shadowrootmode="closed"><style nonce="[^"]+">.*?<\/style>(.*?)<\/template>/s.exec(text)?.[1];
const sentBy = ({ text }: Answer): SentView =>
  JSON.parse(/id="pool-view">(.*?)<\/script>/s.exec(text)?.[1] ?? '') as SentView;
/** What the page's query has; undefined: the page has none. */
const dataOf = (page: Answer, ...key: unknown[]): unknown =>
  sentBy(page).queries.find(({ queryKey }) => isDeepStrictEqual(queryKey, key))?.data;

/** The page once its view is there: the first one is rendered by a process that has only just started. */
async function openWithView(path?: string, who?: Person): Promise<Answer> {
  let page = await open(path, undefined, who);
  await eventually(async () => viewOf((page = await open(path, undefined, who))) !== undefined, `a view of ${path}`);
  return page;
}

beforeAll(async () => {
  write('shell/manifest.json', { pages: { app: 'app.html', landing: 'app.html' }, scriptHashes: [], files: {} });
  write(
    'shell/app.html',
    '<html><head><!--pool:head--><!--pool:view-head--></head><body><!--pool:view-->{{config}}</body></html>',
  );
  write('locales/en.json', { 'dashboard.title': 'Dashboard' });
  write('locales/long.en.json', { text: 'x'.repeat(1024 * 1024) });
  deploy('1.0.0', null);
  write('remotes/dashboard/current.json', { version: pointed });
  test = await testApp({
    env: { DIST_DIR: dist, REMOTES_DIR: join(dist, 'remotes') },
    handlers: (deps) =>
      Object.fromEntries(
        Object.entries(allHandlers(deps)).map(([call, handler]) => [
          call,
          async (given: object) => {
            asked += 1;
            if (call === 'GET /payment/') await paymentHeld;
            return handleOf(handler)(given);
          },
        ]),
      ) as unknown as Handlers,
  });
  owner = await test.person('owner');
  admin = await test.person('boss', { role: 'admin' });
});
afterAll(() => test.close());

it('holds the view and the answers it was made from, for the user and never cached', async () => {
  // What says that it is not to be kept is not sent along.
  const who = "await Promise.all([get('/api/getUserInfo/'), get('/api/remotes')])";
  await serve(script(`const [me, { status }] = ${who}; return status + me.body`));
  const page = await openWithView();
  expect(viewOf(page)).toMatch(/^200.*"userName":"owner"/);
  expect(page.text).toContain('p { color: red }');
  expect(page.headers['cache-control']).toBe('private, no-store');
  expect(page.headers.etag).toBeUndefined();
  const { facts, isKept, queries } = sentBy(page);
  expect([facts.width, isKept]).toEqual([1440, true]);
  expect(queries.map(({ queryKey, url }) => [queryKey, url])).toEqual([
    [['who'], '/api/getUserInfo/'],
    [['list'], '/api/subAccounts/'],
  ]);
  expect(dataOf(page, 'who')).toMatchObject({ user: { userName: 'owner' } });
  expect(dataOf(page, 'list')).toMatchObject({ pages: [{ user: { userName: 'owner' } }], pageParams: [null] });
  const [, nonce = ''] = /<style nonce="([^"]+)">/.exec(page.text) ?? [];
  expect(page.headers['content-security-policy']).toContain(`'nonce-${nonce}'`);
});

it("is of the browser's own session, whoever's token comes with it", async () => {
  const other = await test.person('mixed');
  const mixed = { ...owner, cookies: { ...owner.cookies, __session: other.token } };
  const page = await openWithView('/dashboard/', mixed);
  expect(page.text).toContain('"userName":"owner"');
  expect(page.text).not.toContain('mixed');
});

it('is told the address and the browser, and may ask for nothing but answers and texts', async () => {
  await serve(
    script(`
      const wanted = [
        '/locales/en.json',
        '/locales/long.en.json',
        '/metrics',
        '/remotes/dashboard/1.0.0/manifest.json',
        '//pool.test/api/',
        '/locales/../__clerk/v1/client',
        '/locales/%2e%2e/metrics',
        '/locales/..%2fmetrics',
        '/api/../metrics',
        '/api/admin/paymentSettings',
        '/api/admin/overview',
        '/api/payment/?unknown=1',
        '/api/getUserInfo/?unknown=1',
      ];
      const answers = await Promise.all(wanted.map(get));
      const outside = [typeof process, typeof require, typeof fetch, typeof Buffer];
      return JSON.stringify({ request, outside, status: answers.map((a) => a.status) });`),
  );
  const told = JSON.parse(viewOf(await openWithView('/dashboard/?timeframe=d7', admin)) ?? '') as Record<
    string,
    unknown
  >;
  expect(told).toEqual({
    request: {
      basePath: '/dashboard',
      pathname: '/dashboard/',
      search: '?timeframe=d7',
      userId: expect.any(String),
      facts: FACTS,
      pages: {},
    },
    outside: ['undefined', 'undefined', 'undefined', 'undefined'],
    status: [200, 413, ...Array.from({ length: 9 }, () => 404), 400, 400],
  });
});

it('is left out for a visitor, an unknown browser, a local time zone and a page that is not there', async () => {
  await serve(script("return '<p>view</p>'"));
  await openWithView();
  const visitor = await test.visitor.call('/dashboard/', {
    headers: { accept: 'text/html', cookie: `pool-facts=${writeFacts(FACTS)}` },
  });
  const without = [
    visitor,
    await open('/dashboard/', null),
    await open('/dashboard/', writeFacts({ ...FACTS, themeColor: '#red;}' })),
    await open('/dashboard/', 'en.ltr.dark'),
    await open('/dashboard/?tz=local'),
    await open('/dashboard/nowhere'),
  ];
  for (const page of without) {
    expect(viewOf(page)).toBeUndefined();
    expect(page.text).not.toContain('pool-view');
  }
});

it('rolls back with its remote', async () => {
  await serve(script("return '<p>newer</p>'"));
  expect(viewOf(await openWithView())).toContain('newer');
  await point(`1.0.${versions - 1}`);
  expect(viewOf(await openWithView())).toContain('<p>view</p>');
});

it('a view that throws costs nothing but itself', async () => {
  await serve(script("throw new Error('broken')"));
  for (let visit = 0; visit < 3; visit += 1) {
    const page = await open();
    expect(page.status).toBe(200);
    expect(viewOf(page)).toBeUndefined();
    expect(page.text).toContain('</html>');
  }
  // Another version works at once, in a new renderer if the old one hangs.
  await serve(script("return '<p>mended</p>'"));
  expect(viewOf(await openWithView())).toContain('mended');
});

it('is not run when it is not the file that was published', async () => {
  await serve(script("return '<p>other</p>'"), sha384('published'));
  for (let visit = 0; visit < 3; visit += 1) expect(viewOf(await open())).toBeUndefined();
  // Another version, of the right file, is.
  await serve(script("return '<p>published</p>'"));
  expect(viewOf(await openWithView())).toContain('published');
});

it("30 pages of one user at once send one view's calls, and other users' calls are answered meanwhile", async () => {
  await serve(script("await get('/api/payment/'); return '<p>view</p>'"));
  await openWithView();
  const other = await test.person('other');
  const goOn = holdPayment();
  asked = 0;
  const pages = await Promise.all(Array.from({ length: 30 }, () => open()));
  expect(pages.map(({ status }) => status)).toEqual(pages.map(() => 200));
  expect((await other.call('/api/getUserInfo/')).status).toBe(200);
  // What every page asks for, the price, the first call of this one, the view's, and the other user's.
  expect(asked).toBeLessThanOrEqual(6);
  goOn();
  expect(viewOf(await openWithView())).toContain('view');
});

it('is waited for by the rest of the page: what the browser should load is on its way before', async () => {
  await serve(script("await get('/api/payment/'); return '<p>view</p>'"));
  await openWithView();
  const goOn = holdPayment();
  const page = await test.app.inject({
    url: '/dashboard/',
    headers: { accept: 'text/html', 'accept-encoding': 'br', cookie: cookiesOf(owner).join('; ') },
    payloadAsStream: true,
  });
  const parts: Buffer[] = [];
  const textOf = () =>
    brotliDecompressSync(Buffer.concat(parts), { finishFlush: constants.BROTLI_OPERATION_FLUSH }).toString();
  for await (const part of page.stream() as AsyncIterable<Buffer>) {
    parts.push(part);
    if (textOf().endsWith('crossorigin>')) goOn();
  }
  expect(textOf()).toMatch(/rel="preload".*<p>view<.*<\/html>/s);
});

it("another user's call is answered before the pages that were asked for first", async () => {
  const other = await test.person('waits');
  await other.call('/api/getUserInfo/');
  const order: string[] = [];
  const note = <T>(what: string, done: Promise<T>): Promise<T> => done.finally(() => order.push(what));
  const pages = Array.from({ length: 20 }, () => note('page', open('/dashboard/', null)));
  const call = note('call', other.call('/api/payment/'));
  expect((await Promise.all(pages)).every(({ status }) => status === 200)).toBe(true);
  expect((await call).status).toBe(200);
  expect(order.indexOf('call')).toBeLessThan(15);
});

it("an admin's look at another account is recorded, whichever way the answer leaves", async () => {
  await serve(script("return (await get('/api/payment/?currentAccount=owner')).body"));
  const page = await openWithView('/dashboard/', admin);
  expect(viewOf(page)).toContain('unpaidSat');
  const { rows } = await test.database.pool.query(
    "select subject, after from audit where action = 'view_as.read' and user_id = $1",
    [admin.userId],
  );
  expect(rows).toEqual([{ subject: 'owner', after: { call: '/payment/' } }]);
});

it('is not rendered for a HEAD request', async () => {
  await openWithView();
  asked = 0;
  const { headers } = await test.visitor.call('/dashboard/', {
    method: 'HEAD',
    headers: { accept: 'text/html', cookie: cookiesOf(owner).join('; ') },
  });
  expect(headers['cache-control']).toBe('private, no-cache');
  expect(asked).toBe(0);
});

it("renders the dashboard's own components from the user's own figures", async () => {
  const view = await bundleFirstView('mfe-dashboard');
  const miner = await test.person('miner');
  const hour = Math.floor(Date.now() / 3_600_000) * 3600;
  await test.work(
    Array.from({ length: 12 }, (_, i) => ({ account: 'miner', worker: 'rig', at: hour - i * 3600, accepted: 1e6 })),
  );
  await serve(view.code ?? '');
  const page = await openWithView('/dashboard/', miner);
  const live = dataOf(page, 'hashrate', 'live', { account: 'miner', algorithm: 'SHA256_ASICBOOST' }) as
    | { current?: { h24: number } }
    | undefined;
  expect(live?.current?.h24).toBeGreaterThan(0);
  const html = viewOf(page) ?? '';
  const terahash = ((live?.current?.h24 ?? 0) / 1e12).toFixed(2);
  expect(html.replace(/<[^>]+>/g, ' ')).toContain(terahash);
  expect(html).toContain('<svg');
  expect(page.text).toContain('data-ready="figures chart"');
  expect(html).not.toContain('<!--');
});
