import path from 'node:path';
import { markRetry, prepareFile, rememberHashes } from './integrity';
import { UI_PARTS } from './ui-parts';
import { existsSync, readdirSync } from 'node:fs';
import { createAbility, rulesFor, type NavEntry, type RemoteManifest, earlyFetch } from '@pool/shared';
import { activePath, linksIn, navigation, remoteAt, type NavGroup } from './registry';
import { sendPrefetchCalls } from './prefetch/prefetch-calls';
import { prefetchRemotes } from './prefetch/prefetch-remotes';
import { remoteManifest } from './testing/manifest';

it('provides every lazy part of the shared UI: remotes contain none', () => {
  const folder = path.resolve('shared/src/ui');
  const parts = readdirSync(folder).filter(
    (name) => name !== 'core' && existsSync(path.join(folder, name, 'index.ts')),
  );
  expect(Object.keys(UI_PARTS).sort()).toEqual(['antd', ...parts].sort());
});

const script = (src: string): HTMLScriptElement => Object.assign(document.createElement('script'), { src });

it('adds the integrity of a known script, whatever its query and origin, and refuses unknown ones', () => {
  rememberHashes({ '/remotes/a/1/x.js': 'sha384-abc' });
  const known = script('/remotes/a/1/x.js');
  prepareFile(known);
  expect(known.integrity).toBe('sha384-abc');
  const retried = script('/remotes/a/1/x.js?r=1');
  prepareFile(retried);
  expect(retried.integrity).toBe('sha384-abc');
  const unknown = script('/remotes/a/1/y.js');
  prepareFile(unknown);
  expect(unknown.integrity).toMatch(/^sha384-A{64}$/);
  rememberHashes({ 'https://cdn.example/remotes/a/1/x.js': 'sha384-cdn' });
  const elsewhere = ['x', 'y'].map((name) => script(`https://cdn.example/remotes/a/1/${name}.js`));
  elsewhere.forEach(prepareFile);
  expect(elsewhere.map(({ integrity, crossOrigin }) => [integrity, crossOrigin])).toEqual([
    ['sha384-cdn', 'anonymous'],
    [unknown.integrity, 'anonymous'],
  ]);
});

it('adds the integrity of the stylesheets of remotes', () => {
  rememberHashes({ '/remotes/a/1/x.css': 'sha384-def' });
  const style = (href: string): HTMLLinkElement => Object.assign(document.createElement('link'), { href });
  const known = style('/remotes/a/1/x.css');
  prepareFile(known);
  expect(known.integrity).toBe('sha384-def');
  const unknown = style('/remotes/a/1/y.css');
  prepareFile(unknown);
  expect(unknown.integrity).toMatch(/^sha384-A{64}$/);
  const shells = style('/assets/1.css');
  prepareFile(shells);
  expect(shells.integrity).toBeFalsy();
});

it('requests the scripts of a retried remote, and no others, under new URLs', () => {
  const [hanging, other] = ['b', 'c'].map((name) => document.head.appendChild(script(`/remotes/${name}/1/chunk.js`)));
  markRetry('/remotes/b/1/remoteEntry.js', 2);
  expect([hanging!.isConnected, other!.isConnected]).toEqual([false, true]);
  const chunk = script('/remotes/b/1/chunk.js');
  prepareFile(chunk);
  expect(new URL(chunk.src).search).toBe('?r=2');
  prepareFile(other!);
  expect(new URL(other!.src).search).toBe('');
});

it('requests the scripts of a remote elsewhere under new URLs when it is retried', () => {
  markRetry('https://cdn.example/remotes/b/1/remoteEntry.js', 3);
  const chunk = script('https://cdn.example/remotes/b/1/chunk.js');
  prepareFile(chunk);
  expect(chunk.src).toBe('https://cdn.example/remotes/b/1/chunk.js?r=3');
});

describe('registry', () => {
  const remote = (name: string, order: number, over: Partial<RemoteManifest> = {}): RemoteManifest =>
    remoteManifest(name, { nav: [{ path: `/${name}/`, label: `nav.${name}`, icon: 'users', order }], ...over });
  const remotes = [
    remote('workers', 3, { requires: { action: 'read', subject: 'workers' } }),
    remote('dashboard', 1, { requires: { action: 'read', subject: 'dashboard' } }),
    remote('admin', 10, {
      requires: { action: 'manage', subject: 'admin' },
      nav: [{ path: '/admin/users', label: 'admin.nav.users', icon: 'users', order: 10, group: 'admin.nav' }],
    }),
  ];
  const own: NavEntry[] = [{ path: '/account/', label: 'account.nav', icon: 'account', order: 2 }];
  const miner = createAbility(rulesFor({ role: 'miner', isLegacyUser: false }));
  const admin = createAbility(rulesFor({ role: 'admin', isLegacyUser: false }));

  /** The paths of a group, groups in it by their titles. */
  type Shown = (string | { [title: string]: Shown })[];
  const shown = ({ links, groups }: NavGroup): Shown => [
    ...links.map(({ path }) => path),
    ...groups.map((group) => ({ [group.title]: shown(group) })),
  ];

  it('orders navigation and leaves out what the user may not see', () => {
    expect(shown(navigation(remotes, own, miner))).toEqual(['/dashboard/', '/account/', '/workers/']);
    expect(shown(navigation(remotes, own, admin))).toEqual([
      '/dashboard/',
      '/account/',
      '/workers/',
      { 'admin.nav': ['/admin/users'] },
    ]);
  });

  it('has groups in groups of any depth, without those that would be empty', () => {
    const link = (
      at: string,
      order: number,
      group?: string | string[],
      subject: NonNullable<NavEntry['requires']>['subject'] = 'workers',
    ) =>
      ({ path: `/lab/${at}`, label: at, icon: 'users', order, group, requires: { action: 'read', subject } }) as const;
    const lab = remote('lab', 1, {
      nav: [
        link('a', 1, ['lab', 'lab.deep', 'lab.deeper']),
        link('b', 2, 'lab'),
        link('c', 3, ['lab', 'lab.deep']),
        link('d', 4),
        link('e', 5, ['lab', 'lab.other', 'lab.secret'], 'acl-page'),
      ],
    });
    const main = navigation([lab], [], miner);
    expect(shown(main)).toEqual([
      '/lab/d',
      { lab: ['/lab/b', { 'lab.deep': ['/lab/c', { 'lab.deeper': ['/lab/a'] }] }] },
    ]);
    expect(linksIn(main).map(({ label }) => label)).toEqual(['d', 'b', 'c', 'a']);
  });

  it('a group has its icon and its rule, also one that is in another', () => {
    const acl = { action: 'read', subject: 'acl-page' } as const;
    const link = (at: string, order: number, group: string[]) =>
      ({ path: `/lab/${at}`, label: at, icon: 'users', order, group }) as const;
    const lab = remote('lab', 1, {
      nav: [
        link('a', 1, ['lab', 'lab.open']),
        link('b', 2, ['lab', 'lab.secret', 'lab.open']),
        link('c', 3, ['lab.secret']),
      ],
      groups: { 'lab.open': { icon: 'M1 2' }, 'lab.secret': { requires: acl } },
    });
    const main = navigation([lab], [], miner);
    expect(shown(main)).toEqual([{ lab: [{ 'lab.open': ['/lab/a'] }] }]);
    expect(main.groups[0]?.groups[0]?.icon).toBe('M1 2');
  });

  it('finds the remote of a path, and none for a path the user may not see', () => {
    expect(remoteAt('/workers/', remotes, miner)?.name).toBe('workers');
    expect(remoteAt('/workers', remotes, miner)?.name).toBe('workers');
    expect(remoteAt('/workersX', remotes, miner)).toBeNull();
    expect(remoteAt('/admin/users', remotes, miner)).toBeNull();
    expect(remoteAt('/admin/users', remotes, admin)?.name).toBe('admin');
  });

  it('marks the deepest link that leads to the page', () => {
    const links = [
      { path: '/a/', label: '', icon: 'users', order: 1 },
      { path: '/a/b/', label: '', icon: 'users', order: 2 },
    ] as const;
    expect(activePath('/a/b/c', links)).toBe('/a/b/');
    expect(activePath('/a/x', links)).toBe('/a/');
    expect(activePath('/ab', links)).toBeNull();
  });
});

describe('calls before the page', () => {
  const remote = {
    basePath: '/workers' as const,
    prefetchCalls: ['/api/liveWorkers/?userName={account}&span={span=d1}&algorithm={algorithm}'],
  };
  const defaults = { account: 'owner', algorithm: 'SCRYPT' };
  const send = (path: string) =>
    sendPrefetchCalls(remote, new URL(path, 'http://pool'), defaults, () => Promise.resolve('token'));
  const OWN = '/api/liveWorkers/?userName=owner&span=d1&algorithm=SCRYPT';

  const requested: [string, unknown][] = [];
  beforeEach(() => {
    jest.useFakeTimers();
    requested.length = 0;
    globalThis.earlyRequests = undefined;
    globalThis.fetch = (url, init) => {
      requested.push([String(url), (init as { headers: Record<string, string> }).headers.authorization]);
      return Promise.resolve({ ok: true, url } as Response);
    };
  });
  afterEach(() => jest.useRealTimers());

  it('are sent before the page asks, which uses the answers once', async () => {
    await send('/workers/');
    expect(requested).toEqual([[OWN, 'Bearer token']]);
    await earlyFetch(OWN, { headers: {} });
    expect(requested).toHaveLength(1);
    await earlyFetch(OWN, { headers: {} });
    expect(requested).toHaveLength(2);
  });

  it('are for what the link says, and only of the first page', async () => {
    await send('/workers?account=barn&algorithm=SHA256_ASICBOOST&span=d7');
    expect(requested[0]?.[0]).toBe('/api/liveWorkers/?userName=barn&span=d7&algorithm=SHA256_ASICBOOST');
    await send('/workers/pools');
    expect(requested).toHaveLength(1);
  });

  it('are not used by a page that comes much later', async () => {
    await send('/workers/');
    jest.advanceTimersByTime(10_000);
    await earlyFetch(OWN, { headers: {} });
    expect(requested).toHaveLength(2);
  });
});

describe('files before the page', () => {
  const remote = (name: string): RemoteManifest =>
    remoteManifest(name, {
      preload: [`/remotes/${name}/1/app.js`],
      parts: ['icons', 'not-in-this-shell'],
    });
  const hints = () =>
    [...document.querySelectorAll<HTMLLinkElement>('link[rel=prefetch]')].map(({ href }) => new URL(href).pathname);

  let idle: (() => void)[] = [];
  let end: (() => void) | undefined;
  const open = jest.fn(async ({ name }: RemoteManifest, link: HTMLAnchorElement) => {
    opened.push([name, link.search]);
    await loading;
  });
  let opened: [string, string][] = [];
  let loading: Promise<void> = Promise.resolve();
  const settle = () => new Promise((resolve) => setTimeout(resolve));
  const start = (...names: string[]) => {
    end = prefetchRemotes(names.map(remote), open);
    return end;
  };
  afterEach(() => end?.());
  beforeEach(() => {
    [idle, opened, loading] = [[], [], Promise.resolve()];
    globalThis.requestIdleCallback = (work) => idle.push(work as () => void);
    globalThis.cancelIdleCallback = (id) => void delete idle[id - 1];
  });

  test('the other remotes are fetched when the user has done something and the page is idle, not before', async () => {
    start('workers');
    expect(idle).toHaveLength(0);
    dispatchEvent(new Event('pointerdown'));
    dispatchEvent(new Event('keydown'));
    await settle();
    expect(idle).toHaveLength(1);
    expect(hints()).toEqual([]);
    idle[0]?.();
    expect(hints()).toEqual(['/remotes/workers/1/remoteEntry.js', '/remotes/workers/1/app.js']);
  });

  test('a remote is fetched, with its parts of the shared UI, when the pointer or the focus is on a link to it', () => {
    const icons = jest.spyOn(UI_PARTS, 'icons');
    document.head.replaceChildren();
    document.body.innerHTML =
      '<a href="/referral/?account=barn"><b>Referral</b></a><a href="/account/">Account</a><svg><a href="/referral/"><rect /></a></svg>';
    start('referral');
    // A link within a chart is no link of HTML.
    document.querySelector('rect')?.dispatchEvent(new Event('pointerover', { bubbles: true }));
    document.querySelector('a[href="/account/"]')?.dispatchEvent(new Event('focusin', { bubbles: true }));
    expect(hints()).toEqual([]);
    expect(icons).not.toHaveBeenCalled();
    document.querySelector('b')?.dispatchEvent(new Event('pointerover', { bubbles: true }));
    expect(hints()).toEqual(['/remotes/referral/1/remoteEntry.js', '/remotes/referral/1/app.js']);
    expect(icons).toHaveBeenCalledTimes(1);
  });

  test('a pressed link opens its remote at once; the other remotes come after it', async () => {
    document.body.innerHTML =
      '<a href="/referral/?account=barn"><b>Referral</b></a><a href="/referral/" target="_blank">';
    start('referral', 'payments');
    let loaded = () => undefined as void;
    loading = new Promise((resolve) => (loaded = resolve));
    const press = (element: Element | null, event: Event) => element?.dispatchEvent(event);
    press(document.querySelector('b'), new Event('pointerdown', { bubbles: true }));
    await settle();
    expect(opened).toEqual([['referral', '?account=barn']]);
    expect(idle).toHaveLength(0);
    loaded();
    await settle();
    expect(idle).toHaveLength(1);
    press(document.querySelector('a[target]'), new Event('pointerdown', { bubbles: true }));
    press(document.querySelector('b'), new KeyboardEvent('keydown', { bubbles: true, key: 'Tab' }));
    press(document.querySelector('b'), new KeyboardEvent('keydown', { bubbles: true, key: 'Enter' }));
    expect(opened).toHaveLength(2);
  });

  test('not for somebody who saves data, nor for a page that is gone', async () => {
    start('payments')();
    dispatchEvent(new Event('pointerdown'));
    await settle();
    expect(idle).toHaveLength(0);
    Object.defineProperty(navigator, 'connection', { configurable: true, value: { saveData: true } });
    start('payments');
    dispatchEvent(new Event('pointerdown'));
    await settle();
    expect(idle).toHaveLength(0);
  });
});
