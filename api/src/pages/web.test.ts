/** Pages, the remotes' files and who may load them (security.md 11, 45, 60). */
import { execFileSync } from 'node:child_process';
import {
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { brotliDecompressSync } from 'node:zlib';
import type { PublicConfig } from '@pool/shared/config';
import { KEEP_HEADER, type PageStart } from '@pool/shared/page-start';
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import { testApp, type Answer, type Person, type TestApp } from '../http/testing/test-app';
import { eventually } from '../testing/eventually';
import { newFolder } from '../testing/folder';

const html = { headers: { accept: 'text/html,*/*' } };
const dist = newFolder();
const write = (path: string, content: unknown): void => {
  mkdirSync(dirname(join(dist, path)), { recursive: true });
  writeFileSync(join(dist, path), typeof content === 'string' ? content : JSON.stringify(content));
};

function deploy(
  name: string,
  version: string,
  requires: { action: 'read' | 'manage'; subject: string } | undefined,
  order: number,
  more: object = {},
): void {
  const url = (file: string) => `/remotes/${name}/${version}/${file}`;
  write(`remotes/${name}/${version}/manifest.json`, {
    ...more,
    name,
    version,
    contract: 1,
    shared: '^1.0.0',
    basePath: `/${name}`,
    requires,
    nav: [{ path: `/${name}/`, label: `${name}.nav`, icon: 'users', order }],
    entry: url('remoteEntry.abc.js'),
    preload: [url('app.abc.js')],
    files: { [url('remoteEntry.abc.js')]: 'sha384-entry', [url('app.abc.js')]: 'sha384-app' },
  });
  write(`remotes/${name}/${version}/remoteEntry.abc.js`, `/* ${name} ${version} */`);
  write(`remotes/${name}/${version}/app.abc.js`, 'app');
}
const point = (name: string, pointer: unknown): void => write(`remotes/${name}/current.json`, pointer);

describe('pages and remotes', () => {
  let test: TestApp;
  let owner: Person;
  let admin: Person;

  beforeAll(async () => {
    write('shell/manifest.json', {
      pages: { app: 'app.html', landing: 'landing.html' },
      scriptHashes: ['sha256-abc'],
      files: {},
    });
    write(
      'shell/app.html',
      '<html><head><style nonce="{{nonce}}" data-file="/assets/fonts.abc.css">@font-face{src:url(/assets/a.woff2)}</style>' +
        `<style>${'/* the skeleton of the page */'.repeat(60)}</style>` +
        '<script nonce="{{nonce}}" src="/assets/main.abc.js"></script><!--pool:head--></head>' +
        '<body><!--pool:view--><script type="application/json" id="pool-config">{{config}}</script></body></html>',
    );
    write(
      'shell/landing.html',
      '<html><head><title>landing</title><!--pool:head--></head><body>{{config}}</body></html>',
    );
    write('shell/assets/main.abc.js', 'main');
    write('locales/en.json', { hello: 'Hello' });
    const pages = ['/dashboard', '/dashboard/:id', '/dashboard/by/:name', '/dashboard/help/*'];
    const opens = { invitation: '/dashboard/?code={id}' };
    const notifications = { referral_joined: '/dashboard/joined' };
    const slots = [{ place: 'account', part: 'card', label: 'dashboard.nav' }];
    deploy('dashboard', '1.0.0', { action: 'read', subject: 'dashboard' }, 1, { pages, opens, notifications, slots });
    point('dashboard', { version: '1.0.0' });
    // Builds before @pool/shared 1.2.0 have no `pages`.
    deploy('admin', '1.0.0', { action: 'manage', subject: 'admin' }, 9, { opens: { user: '/admin/users?q={id}' } });
    point('admin', { version: '1.0.0' });
    test = await testApp({ callersMs: 1000, env: { DIST_DIR: dist, REMOTES_DIR: join(dist, 'remotes') } });
    owner = await test.person('owner');
    admin = await test.person('boss', { role: 'admin' });
  });
  afterAll(() => test.close());

  /** Requests a page or a script as a browser does: cookies, no token. */
  const browse = (who: Person, path: string, headers: Record<string, string> = html.headers): Promise<Answer> =>
    test.visitor.call(path, {
      headers: {
        ...headers,
        cookie: Object.entries(who.cookies)
          .map(([name, value]) => `${name}=${value}`)
          .join('; '),
      },
    });
  const configOf = ({ text }: Answer): PublicConfig =>
    JSON.parse(/id="pool-config">(.*?)<\/script>/.exec(text)?.[1] ?? '') as PublicConfig;
  const startOf = async (who: Person, path: string): Promise<PageStart> =>
    JSON.parse(/id="pool-start">(.*?)<\/script>/.exec((await browse(who, path)).text)?.[1] ?? '') as PageStart;
  const remotesOf = async (who: Person): Promise<string[]> =>
    configOf(await browse(who, '/dashboard/')).remotes.map((remote) => `${remote.name} ${remote.version}`);
  const has = (who: Person, wanted: string) =>
    eventually(async () => (await remotesOf(who)).includes(wanted), `${wanted} for ${who.userId}`);

  it("carry the caller's remotes, a policy with their nonce, and the right preloads", async () => {
    const page = await browse(owner, '/dashboard/?x=1');
    const config = configOf(page);
    expect(page.status).toBe(200);
    expect(config.remotes.map((remote) => remote.name)).toEqual(['dashboard']);
    expect(page.text).toContain(`<script nonce="${config.nonce}"`);
    const policy = String(page.headers['content-security-policy']);
    expect(policy).toContain(`style-src 'self' 'nonce-${config.nonce}'`);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toMatch(/script-src [^;]*'sha256-abc'/);
    expect(policy).not.toMatch(/unsafe-eval|script-src[^;]*unsafe-inline|https?:/);
    expect(page.text).toContain(
      '<link rel="preload" as="script" href="/remotes/dashboard/1.0.0/remoteEntry.abc.js" ' +
        'integrity="sha384-entry" crossorigin>',
    );
    expect(page.text).toContain(
      '<link rel="preload" as="script" href="/remotes/dashboard/1.0.0/app.abc.js" integrity="sha384-app">',
    );
    expect(page.headers).toMatchObject({
      'cache-control': 'private, no-cache',
      'x-frame-options': 'DENY',
      vary: expect.stringContaining('Cookie'),
    });
    expect(String(page.headers['set-cookie'])).toContain('XSRF-TOKEN=');
  });

  it('have the sign-in, the sign-up and where they lead where the operator wants them', async () => {
    const other = await testApp({
      env: {
        DIST_DIR: dist,
        REMOTES_DIR: join(dist, 'remotes'),
        SIGN_IN_URL: '/enter',
        AFTER_SIGN_IN_URL: '/workers/',
        SERVICE_WORKER: '0',
      },
    });
    try {
      const page = await other.visitor.call('/enter', html);
      expect([page.status, configOf(page).identity]).toMatchObject([
        200,
        { signInUrl: '/enter', signUpUrl: '/sign-up', afterSignInUrl: '/workers/' },
      ]);
      expect(page.text).toContain('Welcome back');
      const environment = (await other.visitor.call('/__clerk/v1/environment')).body;
      expect(environment).toMatchObject({ display_config: { sign_in_url: '/enter', after_sign_in_url: '/workers/' } });
      // A service worker that is turned off is removed by pages and by itself.
      expect((await other.visitor.call('/service-worker.js')).text).toContain('registration.unregister()');
      expect(configOf(page).noWorker).toBe(true);
    } finally {
      await other.close();
    }
  });

  it("contain their remote's first calls, for the callers who may make them", async () => {
    deploy('payments', '1.0.0', undefined, 3, { prefetchCalls: ['/api/payment/?currentAccount={account}'] });
    point('payments', { version: '1.0.0' });
    await has(owner, 'payments 1.0.0');
    const prefetch = {
      calls: ['/api/payment/?currentAccount={account}'],
      defaults: { account: 'owner', algorithm: 'SHA256_ASICBOOST' },
    };
    expect(await startOf(owner, '/payments/')).toEqual({ prefetch });
    const callsOf = async (who: Person, path: string) => (await startOf(who, path)).prefetch?.calls.length ?? 0;
    for (const other of ['/dashboard/', '/payments/statement']) expect(await callsOf(owner, other)).toBe(0);
    expect(await callsOf(admin, '/payments/')).toBe(1);
    // They would be answered for the admin.
    expect(await callsOf(admin, '/view-as/owner/payments/')).toBe(0);
    expect(await callsOf(test.visitor, '/payments/')).toBe(0);
    await test.database.pool.query("update app_user set is_legacy_user = true where user_name = 'owner'");
    await eventually(async () => (await callsOf(owner, '/payments/')) === 0, 'a page without first calls');
    await test.database.pool.query("update app_user set is_legacy_user = false where user_name = 'owner'");
    rmSync(join(dist, 'remotes/payments'), { recursive: true });
    await eventually(async () => !(await remotesOf(owner)).includes('payments 1.0.0'), 'payments gone');
  });

  it('begin as a form where one is shown first', async () => {
    const begins = async (who: Person, path: string) => {
      const { text } = await browse(who, path);
      return [text.includes('{"shape":"form"}'), /<p lang="en"><b>([^<]+)/.exec(text)?.[1]];
    };
    expect(await begins(test.visitor, '/sign-in')).toEqual([true, 'Sign in']);
    expect(await begins(test.visitor, '/sign-up')).toEqual([true, 'Create an account']);
    // It leads to the sign-in.
    expect(await begins(test.visitor, '/dashboard/')).toEqual([true, 'Sign in']);
    for (const path of ['/sign-in/factor-one', '/pages/faq', '/watch/wt_x/'])
      expect(await begins(test.visitor, path)).toEqual([false, undefined]);
    for (const path of ['/dashboard/', '/sign-in']) expect(await begins(owner, path)).toEqual([false, undefined]);
  });

  it('of visitors begin without a navigation', async () => {
    const shape = async (who: Person, path: string) => (await startOf(who, path)).shape;
    for (const path of ['/pages/faq', '/watch/wt_x/']) expect(await shape(test.visitor, path)).toBe('public');
    expect(await shape(owner, '/watch/wt_x/')).toBe('public');
    expect(await shape(owner, '/pages/faq')).toBeUndefined();
  });

  it('have a new nonce each time, and are not sent again when nothing else changed', async () => {
    const [first, second] = [await browse(owner, '/dashboard/'), await browse(owner, '/dashboard/')];
    expect(configOf(first).nonce).not.toBe(configOf(second).nonce);
    expect(first.headers.etag).toBe(second.headers.etag);
    const again = await browse(owner, '/dashboard/', { ...html.headers, 'if-none-match': String(first.headers.etag) });
    expect([again.status, again.text, again.headers['content-security-policy']]).toEqual([304, '', undefined]);
    expect(
      (await browse(admin, '/dashboard/', { ...html.headers, 'if-none-match': String(first.headers.etag) })).status,
    ).toBe(200);
  });

  it('show visitors the landing page, and redirect signed-in users to the dashboard', async () => {
    expect((await browse(test.visitor, '/')).text).toContain('<title>landing</title>');
    const home = await browse(owner, '/');
    expect([home.status, home.headers.location]).toEqual([302, '/dashboard/']);
    expect((await browse(owner, '//evil.example/')).headers.location).toBeUndefined();
    expect(await startOf(test.visitor, '/')).toEqual({ home: '/dashboard/' });
  });

  it('send an invitation to the form, and from there to the page that takes its code', async () => {
    const invited = await browse(test.visitor, '/sign-up?ref=K7&x');
    const to = '/sign-up?redirect_url=%2Fdashboard%2F%3Fcode%3DK7';
    expect([invited.status, invited.headers.location]).toEqual([302, to]);
    expect((await browse(test.visitor, to)).status).toBe(200);
    expect((await browse(test.visitor, '/sign-up?ref=K7&redirect_url=%2Fworkers%2F')).status).toBe(200);
    expect((await browse(owner, '/dashboard/?ref=K7')).status).toBe(200);
  });

  it("notifications lead to pages of the caller's remotes", async () => {
    const kinds = ['referral_joined', 'payment_sent'];
    for (const kind of kinds)
      await test.database.pool.query("insert into notification (user_id, kind, values) values ($1, $2, '{}')", [
        owner.userId,
        kind,
      ]);
    const { body } = await owner.call('/api/notifications');
    expect((body as { notifications: { path: string }[] }).notifications.map(({ path }) => path)).toEqual([
      null,
      '/dashboard/joined',
    ]);
  });

  it.each([
    ['/dashboard', 200],
    ['/dashboard/17/', 200],
    ['/dashboard/BY/rig-1', 200],
    ['/dashboard/help/a/b', 200],
    ['/sign-in/factor-one', 200],
    ['/dashboard/17/x', 404],
    ['/dashboard//17', 404],
    ['/dashboards/', 404],
    ['/account/x', 404],
    ['/pages/', 404],
    ['/pages/calculator/', 200],
    ['/watch', 404],
    ['/watch/wt_x/workers/7', 200],
    ['/account/api-keys/', 200],
    ['/account/with/dashboard/', 200],
    ['/account/with/none', 404],
  ])('answer %s, where a page is or is not, with %i', async (path, status) => {
    expect((await browse(owner, String(path))).status).toBe(status);
  });

  it.each([
    ['no type at all', 'GET', undefined, 200],
    ['any type, as monitors do', 'GET', '*/*', 200],
    ['its head', 'HEAD', 'text/html', 200],
    ['no page, by its weight', 'GET', 'text/html;q=0, application/json', 404],
  ] as const)('answer who asks for %s', async (_, method, accept, status) => {
    const answer = await test.visitor.call('/pages/faq', { method, headers: accept ? { accept } : {} });
    expect([answer.status, answer.headers['content-type']]).toEqual([
      status,
      status === 200 ? 'text/html; charset=utf-8' : 'application/problem+json',
    ]);
  });

  it.each(['/dash%zz', '/view-as/%E0%A4/'])('answer %s, which does not decode, as any other', async (path) => {
    const answer = await browse(owner, path);
    expect([answer.status, answer.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    expect((await owner.call(`/api${path}`)).code).toBe('not_found');
  });

  it('of watcher links give their address to nobody; only public pages are for search engines', async () => {
    const [watch, faq, own] = [
      await browse(test.visitor, '/watch/wt_x/'),
      await browse(test.visitor, '/pages/faq'),
      await browse(owner, '/dashboard/'),
    ];
    expect(watch.headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' });
    // A font's request would name the page that has its rule.
    expect(watch.text).toContain('<link rel="stylesheet" href="/assets/fonts.abc.css">');
    expect(watch.text).not.toContain('@font-face');
    expect(own.text).toContain('@font-face');
    expect([watch, faq, own].map(({ text }) => text.includes('name="robots" content="noindex"'))).toEqual([
      true,
      false,
      true,
    ]);
  });

  it('are kept by browsers only as the saved page, which names its user; pages of visitors end that', async () => {
    const saved = await browse(owner, '/saved-page');
    expect(saved.headers[KEEP_HEADER]).toBe(configOf(saved).userId);
    expect(saved).toMatchObject({ status: 200, text: expect.stringContaining('{"isSaved":true}') });
    for (const path of ['/dashboard/', '/sign-in', '/sign-up', '/watch/wt_x/', '/nothing/'])
      expect([path, (await browse(owner, path)).headers[KEEP_HEADER]]).toEqual([path, undefined]);
    for (const path of ['/', '/dashboard/', '/sign-in', '/saved-page'])
      expect((await browse(test.visitor, path)).headers[KEEP_HEADER]).toBe('none');
  });

  it('install a service worker', async () => {
    write('shell/service-worker.js', 'self.poolBuild={};');
    const worker = await browse(test.visitor, '/service-worker.js', {});
    expect(worker).toMatchObject({ status: 200, text: 'self.poolBuild={};' });
    expect(worker.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy': "default-src 'none'; connect-src 'self'",
    });
    expect(configOf(await browse(owner, '/dashboard/')).noWorker).toBeUndefined();
  });

  it('can be installed: the web app manifest has its type, an icon its usual address', async () => {
    expect((await browse(test.visitor, '/apple-touch-icon.png', {})).status).toBe(404);
    write('shell/apple-touch-icon.png', 'png');
    const icon = await browse(test.visitor, '/apple-touch-icon.png', {});
    expect([icon.status, icon.headers['content-type']]).toEqual([200, 'image/png']);
    expect((await browse(test.visitor, '/manifest.webmanifest', {})).status).toBe(404);
    write('shell/manifest.webmanifest', { name: 'Mining Pool' });
    const manifest = await browse(test.visitor, '/manifest.webmanifest', {});
    expect([manifest.status, manifest.headers['content-type'], manifest.text]).toEqual([
      200,
      'application/manifest+json',
      '{"name":"Mining Pool"}',
    ]);
  });

  it('respond 404 with the same page for unknown paths, and for the admin area to other users', async () => {
    const [unknown, hidden, known, anyBelow] = [
      await browse(owner, '/nothing/'),
      await browse(owner, '/admin/users'),
      await browse(admin, '/admin/users'),
      await browse(admin, '/admin/any'),
    ];
    expect([unknown.status, hidden.status, known.status, anyBelow.status]).toEqual([404, 404, 200, 200]);
    const plain = (answer: Answer) => answer.text.replaceAll(configOf(answer).nonce, '');
    expect(plain(hidden)).toBe(plain(unknown));
    expect(hidden.text).not.toContain('/remotes/admin');
    const [listed, access, noAccess] = [
      await browse(admin, '/pages/access-control'),
      await browse(owner, '/pages/access-control'),
      await browse(test.visitor, '/pages/access-control'),
    ];
    expect([listed.status, access.status]).toEqual([200, 404]);
    expect(plain(access)).toBe(plain(unknown));
    expect([noAccess.status, noAccess.text]).toEqual([
      (await browse(test.visitor, '/nothing/')).status,
      expect.not.stringContaining('access'),
    ]);
    expect((await browse(owner, '/nothing.js', { accept: '*/*' })).headers['content-type']).toContain('problem+json');
  });

  it('of a user are there below /view-as/ for admins only', async () => {
    const statusOf = async (who: Person, path: string) => (await browse(who, `/view-as${path}`)).status;
    const pages = ['/owner', '/owner/', '/owner/dashboard/', '/owner/account/wallets', '/owner/pages/faq'];
    for (const path of pages)
      expect([path, await statusOf(admin, path), await statusOf(owner, path)]).toEqual([path, 200, 404]);
    for (const path of [
      '/owner/admin/users',
      '/owner/account/sessions',
      '/owner/sign-in',
      '/owner/x',
      '/owner/view-as/boss/',
    ])
      expect([path, await statusOf(admin, path)]).toEqual([path, 404]);
    const { remotes, viewedUser } = configOf(await browse(admin, '/view-as/owner/dashboard/'));
    expect(viewedUser).toBe('/admin/users?q=owner');
    expect(remotes.map(({ name }) => name)).toEqual(['dashboard']);
  });

  it('never break out of their JSON', async () => {
    deploy('odd', '1.0.0', { action: 'read', subject: 'dashboard' }, 2);
    write('remotes/odd/1.0.0/manifest.json', {
      name: 'odd',
      version: '1.0.0',
      contract: 1,
      shared: '^1.0.0',
      basePath: '/odd',
      nav: [{ path: '/odd/', label: 'odd.</script><script>alert(1)</script>$&', icon: 'users', order: 2 }],
      entry: '/remotes/odd/1.0.0/e.js',
      preload: [],
    });
    point('odd', { version: '1.0.0' });
    const withOdd = async () => {
      const page = await browse(owner, '/dashboard/');
      return page.text.includes('"odd"') ? page : null;
    };
    const page = await eventually(withOdd, 'the remote on the page');
    expect(page.text).not.toContain('<script>alert');
    expect(configOf(page).remotes.find((remote) => remote.name === 'odd')?.nav[0]?.label).toBe(
      'odd.</script><script>alert(1)</script>$&',
    );
    rmSync(join(dist, 'remotes/odd'), { recursive: true });
    await eventually(async () => !(await withOdd()), 'the remote gone');
  });

  describe('the admin remote', () => {
    const files = ['remoteEntry.abc.js', 'app.abc.js', 'manifest.json', 'nothing.js'].map(
      (file) => `/remotes/admin/1.0.0/${file}`,
    );
    it("is in nobody's list but an admin's", async () => {
      const names = async (who: Person) =>
        (await who.read<{ name: string }[]>('/api/remotes')).map((remote) => remote.name);
      expect([await names(test.visitor), await names(owner), await names(admin)]).toEqual([
        [],
        ['dashboard'],
        ['dashboard', 'admin'],
      ]);
    });
    it.each([
      ...files,
      '/remotes/admin/current.json',
      '/remotes/%61dmin/1.0.0/app.abc.js',
      '/remotes/dashboard/1.0.0/%2e%2e/%2e%2e/admin/1.0.0/app.abc.js',
      '/remotes/dashboard/1.0.0/..%2f..%2fadmin/1.0.0/app.abc.js',
    ])('%s is not found for a miner or a visitor', async (path) => {
      const absent = await browse(owner, '/remotes/none/1.0.0/app.abc.js', {});
      for (const who of [owner, test.visitor]) {
        const answer = await browse(who, path, {});
        expect([answer.status, answer.text]).toEqual([404, absent.text]);
        expect(answer.headers['set-cookie']).toBeUndefined();
      }
    });
    it('is served to an admin, and never cached', async () => {
      const answer = await browse(admin, files[0] ?? '', {});
      expect([answer.status, answer.text, answer.headers['cache-control']]).toEqual([
        200,
        '/* admin 1.0.0 */',
        'private, no-cache',
      ]);
      const byToken = await (await test.signIn('boss')).call(files[1] ?? '');
      expect(byToken.status).toBe(200);
    });
    it('is refused seconds after the role is removed', async () => {
      await test.database.pool.query("update app_user set role = 'miner' where user_name = 'boss'");
      const status = async () => (await browse(admin, files[0] ?? '', {})).status;
      await eventually(async () => (await status()) !== 200, 'a refusal');
      expect(await status()).toBe(404);
      await test.database.pool.query("update app_user set role = 'admin' where user_name = 'boss'");
    });
  });

  it('serve public remotes to anybody, cached for ever', async () => {
    const answer = await browse(test.visitor, '/remotes/dashboard/1.0.0/app.abc.js', {});
    expect([answer.status, answer.text, answer.headers['cache-control']]).toEqual([
      200,
      'app',
      'public, max-age=31536000, immutable',
    ]);
    expect((await browse(test.visitor, '/assets/main.abc.js', {})).headers['cache-control']).toBe(
      'public, max-age=31536000, immutable',
    );
    expect((await browse(test.visitor, '/locales/en.json', {})).headers['cache-control']).toBe('no-cache');
    expect((await browse(test.visitor, '/remotes/dashboard/1.0.0/', {})).status).toBe(404);
    expect((await browse(test.visitor, '/assets/../shell/manifest.json', {})).status).toBe(404);
  });

  it('serve no file that is a link, a pipe or not its own alone, nor its compressed copy', async () => {
    const version = join(dist, 'remotes/dashboard/1.0.0');
    symlinkSync('/etc/passwd', join(version, 'words.txt'));
    symlinkSync('/etc', join(version, 'etc'));
    linkSync(join(dist, 'shell/app.html'), join(version, 'hard.txt'));
    execFileSync('mkfifo', [join(version, 'pipe.js')]);
    write('remotes/dashboard/1.0.0/plain.txt', 'plain');
    symlinkSync('/etc/passwd', join(version, 'plain.txt.br'));
    symlinkSync(version, join(dist, 'remotes/dashboard/3.0.0'));
    // One request for each thread that opens files.
    const pipes = Array.from({ length: 8 }, () => '1.0.0/pipe.js');
    for (const path of [...pipes, '1.0.0/words.txt', '1.0.0/etc/hosts.txt', '1.0.0/hard.txt', '3.0.0/app.abc.js'])
      expect((await browse(test.visitor, `/remotes/dashboard/${path}`, {})).status).toBe(404);
    const packed = { 'accept-encoding': 'br' };
    expect((await browse(test.visitor, '/remotes/dashboard/1.0.0/plain.txt', packed)).text).toBe('plain');
    rmSync(join(version, 'hard.txt'));
  });

  it('let the code of a remote ask an API of its team while an admin allows it, which knows who asks by a token of the pool', async () => {
    const [origin, other] = ['https://api.power.example', 'https://other.example'];
    deploy('power', '1.0.0', undefined, 4, { connect: [origin, 'http://localhost:1'] });
    point('power', { version: '1.0.0' });
    await has(owner, 'power 1.0.0');
    const asks = async (who = owner) =>
      /connect-src ([^;]*)/.exec(String((await browse(who, '/dashboard/')).headers['content-security-policy']))?.[1];
    const tokenFor = (to: string, who = owner) => who.post('/api/remotes/token', { origin: to });
    const allow = (to: string, allowed = true, who = admin, name = 'power') =>
      who.put(`/api/admin/remotes/${name}/connect`, { origin: to, allowed });
    expect([await asks(), (await tokenFor(origin)).status]).toEqual(["'self'", 403]);

    // The admin has just got the role back.
    await eventually(async () => (await allow(other)).status === 404, 'the role');
    const refused = [
      await allow(origin, true, owner),
      await allow(origin, true, admin, 'dashboard'),
      await allow(other),
      await allow('http://localhost:1'),
      await allow("https://a; script-src 'unsafe-inline'"),
    ];
    expect(refused.map(({ status }) => status)).toEqual([403, 404, 404, 400, 400]);
    expect((await allow(origin)).status).toBe(200);
    const { remotes } = await admin.read<{ remotes: { name: string; connect: object[] }[] }>('/api/admin/system');
    expect(remotes.find(({ name }) => name === 'power')?.connect).toEqual([
      { origin, allowed: true },
      { origin: 'http://localhost:1', allowed: false },
    ]);
    expect(await asks()).toBe(`'self' ${origin}`);
    // A visitor stays in this page after signing in.
    expect(await asks(test.visitor)).toBe(`'self' ${origin}`);

    const { token } = (await tokenFor(origin)).body as { token: string };
    const { body: published } = await test.visitor.call('/.well-known/jwks.json');
    expect((await test.visitor.call('/__clerk/.well-known/jwks.json')).body).toEqual(published);
    const keys = createLocalJWKSet(published as JSONWebKeySet);
    const { payload } = await jwtVerify(token, keys, { audience: origin, algorithms: ['RS256'] });
    expect(payload).toMatchObject({ name: 'owner', account: 'owner', can: { dashboard: 'manage' } });
    expect(payload.exp! - payload.iat!).toBe(300);
    await expect(jwtVerify(token, keys, { audience: other })).rejects.toThrow('"aud"');
    const asToken = { headers: { authorization: `Bearer ${token}` } };
    expect((await test.visitor.call('/api/getUserInfo/', asToken)).status).toBe(401);
    expect([(await tokenFor(other)).status, (await tokenFor(origin, test.visitor)).status]).toEqual([403, 401]);

    expect((await allow(origin, false)).status).toBe(200);
    expect([await asks(), (await tokenFor(origin)).status]).toEqual(["'self'", 403]);
    const { rows } = await test.database.pool.query(
      `select after from audit where action = 'remote.connect' order by id`,
    );
    expect(rows).toEqual([true, false].map((allowed) => ({ after: { origin, allowed } })));
    rmSync(join(dist, 'remotes/power'), { recursive: true });
    await eventually(async () => !(await remotesOf(owner)).includes('power 1.0.0'), 'its end');
  });

  it('are there without remotes that are not as they have to be, whose reasons admins see', async () => {
    write('shell/surface.txt', '@pool/shared 1.0.0\n## @pool/shared\nButton: x\n');
    writeFileSync(join(dist, 'other'), '{}');
    const make: ((path: string) => void)[] = [
      (path) => symlinkSync('/etc/passwd', path),
      (path) => linkSync(join(dist, 'other'), path),
      (path) => mkdirSync(path),
      (path) => execFileSync('mkfifo', [path]),
      (path) => {
        writeFileSync(path, '');
        truncateSync(path, 2 ** 25);
      },
    ];
    const files = ['1.0.0/uses.txt', '1.0.0/manifest.json', '1.0.0', 'current.json'];
    const bad = files.flatMap((file, at) =>
      make.map((wrong, kind) => {
        const name = `bad-${at}-${kind}`;
        deploy(name, '1.0.0', undefined, 3);
        point(name, { version: '1.0.0' });
        rmSync(join(dist, 'remotes', name, file), { recursive: true, force: true });
        wrong(join(dist, 'remotes', name, file));
        return name;
      }),
    );
    const faulty = async (): Promise<Set<string>> => {
      const { body } = await admin.call('/api/admin/system');
      // The admin has just got the role back: for a second there is no answer.
      const { remoteFaults = [] } = body as { remoteFaults?: { what: string; why: string }[] };
      return new Set(remoteFaults.map(({ what }) => what.split('/')[0] ?? ''));
    };
    const areKnown = async () => {
      const known = await faulty();
      return bad.every((name) => known.has(name));
    };
    await eventually(areKnown, 'the reason of each');
    for (const path of ['/', '/sign-in', '/api/remotes', '/ready'])
      expect([path, (await test.visitor.call(path, html)).status]).toEqual([path, 200]);
    for (const path of ['/dashboard/', '/account/']) expect((await browse(owner, path)).status).toBe(200);
    expect(await remotesOf(owner)).toEqual(['dashboard 1.0.0']);
    for (const name of bad) rmSync(join(dist, 'remotes', name), { recursive: true });
    const areGone = async () => {
      const known = await faulty();
      return !bad.some((name) => known.has(name));
    };
    await eventually(areGone, 'no more faults of them');
  });

  it('cannot be made of a broken build, which /ready says', async () => {
    const ready = async () => (await test.visitor.call('/ready')).text;
    const manifest = readFileSync(join(dist, 'shell/manifest.json'), 'utf8');
    expect(await ready()).toBe('{"ready":true}');
    write('shell/manifest.json', '{');
    await eventually(async () => (await ready()) === '{"ready":false,"hindrances":["pages"]}', 'it says so');
    write('shell/manifest.json', manifest);
    await eventually(async () => (await ready()) === '{"ready":true}', 'it is ready again');
  });

  it('bring their texts, and remove them again', async () => {
    const texts = async (): Promise<unknown> => JSON.parse((await test.visitor.call('/locales/en.json')).text);
    const until = (wanted: object) =>
      eventually(async () => isDeepStrictEqual(await texts(), wanted), `the texts ${Object.keys(wanted).join(', ')}`);
    expect(await texts()).toEqual({ hello: 'Hello' });
    deploy('workers', '1.0.0', undefined, 2);
    write('remotes/workers/1.0.0/locales/en.json', { 'workers.title': 'Workers', hello: 'not its own' });
    point('workers', { version: '1.0.0' });
    await until({ hello: 'Hello', 'workers.title': 'Workers' });
    deploy('workers', '2.0.0', undefined, 2);
    write('remotes/workers/2.0.0/locales/en.json', { 'workers.title': 'Machines', 'workers.new': 'New' });
    // Both versions are in use: everybody gets texts that only the newer one has; where they differ, the caller's
    // version wins.
    point('workers', { version: '1.0.0', canary: { version: '2.0.0', percent: 100 } });
    await until({ hello: 'Hello', 'workers.new': 'New', 'workers.title': 'Workers' });
    const own = JSON.parse((await browse(owner, '/locales/en.json', {})).text) as unknown;
    expect(own).toEqual({ hello: 'Hello', 'workers.title': 'Machines', 'workers.new': 'New' });
    point('workers', { version: '2.0.0' });
    await until({ hello: 'Hello', 'workers.title': 'Machines', 'workers.new': 'New' });
    point('workers', { version: '1.0.0' });
    await until({ hello: 'Hello', 'workers.title': 'Workers' });
  });

  it('have texts that a page loads later, the shell and a remote each in a file of their own', async () => {
    write('locales/account.en.json', { 'account.title': 'Account' });
    expect(JSON.parse((await test.visitor.call('/locales/account.en.json')).text)).toEqual({
      'account.title': 'Account',
    });
    write('remotes/workers/1.0.0/locales/pools.en.json', { 'workers.pools': 'Pools', hello: 'not its own' });
    expect(JSON.parse((await test.visitor.call('/locales/pools.en.json')).text)).toEqual({ 'workers.pools': 'Pools' });
    expect((await test.visitor.call('/locales/nothing.en.json')).status).toBe(404);
  });

  it('have texts that are sent once, compressed as requested', async () => {
    const first = await test.app.inject({
      url: '/locales/en.json',
      headers: { host: 'pool.test:3000', 'accept-encoding': 'gzip, br' },
    });
    expect(JSON.parse(brotliDecompressSync(first.rawPayload).toString())).toHaveProperty('hello');
    expect(first.headers).toMatchObject({
      'content-encoding': 'br',
      'cache-control': 'no-cache',
      vary: 'Accept-Encoding',
    });
    expect(
      // nginx and Cloudflare, where they compress anew (libgraviton/graviton#486).
      (await test.visitor.call('/locales/en.json', { headers: { 'if-none-match': `W/${String(first.headers.etag)}` } }))
        .status,
    ).toBe(304);
    for (const name of ['xx.json', 'en.json.br', '..%2Fshell%2Fmanifest.json', 'EN.json'])
      expect((await test.visitor.call(`/locales/${name}`)).status).toBe(404);
  });

  it('notice a new build', async () => {
    write(
      'shell/app.html',
      '<html>second build <script type="application/json" id="pool-config">{{config}}</script></html>',
    );
    utimesSync(join(dist, 'shell/manifest.json'), new Date(), new Date(Date.now() + 5000));
    const newBuild = async () => (await browse(owner, '/dashboard/')).text.includes('second build');
    await eventually(newBuild, 'the new build');
  });
});
