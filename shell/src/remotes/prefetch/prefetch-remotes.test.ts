import type { RemoteManifest } from '@pool/shared';
import { UI_PARTS } from '../ui-parts';
import { prefetchRemotes } from './prefetch-remotes';

const remote = (name: string): RemoteManifest => ({
  name,
  version: '1',
  contract: 1,
  shared: '^1.0.0',
  basePath: `/${name}`,
  entry: `/remotes/${name}/1/remoteEntry.js`,
  preload: [`/remotes/${name}/1/app.js`],
  parts: ['icons', 'not-in-this-shell'],
  nav: [],
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
  document.body.innerHTML = '<a href="/referral/?account=barn"><b>Referral</b></a><a href="/account/">Account</a>';
  start('referral');
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
