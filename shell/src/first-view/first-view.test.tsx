import type { Settings } from '@pool/shared';
import { readFacts } from '@pool/shared/page-start';
import { createQueryClient, QueryClientProvider, useQuery } from '@pool/shared/query';
import { render } from '@testing-library/react';
import { useBrowserFacts } from './facts';
import { keptQueries, withSentQueries } from '../service-worker/persister';
import { showWhenReady, whenPageShown } from './show';

/** The page as the server sends it; `bones`: place holders of its first view, without one: a skeleton only. */
function page(bones?: number): HTMLElement {
  document.documentElement.dataset.view = bones === undefined ? '' : 'on';
  document.body.innerHTML = `<div id="first"><div class="sk-view" data-bones="${bones ?? 0}"></div></div><div id="root"></div>`;
  const root = document.getElementById('root')!;
  showWhenReady(root);
  return root;
}
const isShown = () => document.getElementById('first') === null;
/** Changes are seen after the task that made them. */
const write = async (root: HTMLElement, html: string) => {
  root.innerHTML = html;
  await Promise.resolve();
};

test('a skeleton goes with the first thing the page shows', async () => {
  const root = page();
  const later = jest.fn();
  void whenPageShown().then(later);
  await write(root, '');
  expect(isShown()).toBe(false);
  expect(later).not.toHaveBeenCalled();
  await write(root, '<main><div data-skeleton="charts"></div></main>');
  expect(isShown()).toBe(true);
  expect(later).toHaveBeenCalledTimes(1);
});

test('a first view stays until the page has as much to show', async () => {
  const root = page(1);
  for (const html of [
    '<div></div>',
    '<main><div data-skeleton="charts"></div></main>',
    '<main><div data-remote="dashboard"><div></div></div></main>',
    '<main><div data-remote="dashboard"><div><i data-bone></i><i data-bone></i></div></div></main>',
  ]) {
    await write(root, html);
    expect(isShown()).toBe(false);
  }
  await write(root, '<main><div data-remote="dashboard"><div><i data-bone></i>5 PH/s</div></div></main>');
  expect(isShown()).toBe(true);
});

test('a page that does not get ready is shown as it is', async () => {
  jest.useFakeTimers();
  const root = page(0);
  await write(root, '<main><i data-bone></i></main>');
  expect(isShown()).toBe(false);
  jest.advanceTimersByTime(4_000);
  expect(isShown()).toBe(true);
  jest.useRealTimers();
});

test('on a slow line the first view stays in the place of what loads, for as long as that does', async () => {
  jest.useFakeTimers();
  const root = page(0);
  const skeleton = '<main><div data-skeleton="list"></div></main>';
  await write(root, skeleton);
  jest.advanceTimersByTime(4_000);
  expect(isShown()).toBe(true);
  const stays = () => root.querySelector('main > * > .sk-view') !== null;
  expect(stays()).toBe(true);
  for (const html of ['<main><section data-failure="slow"></section></main>', skeleton]) {
    await write(root, html);
    expect(stays()).toBe(true);
  }
  await write(root, '<main><h1>Workers</h1></main>');
  await write(root, skeleton);
  expect(stays()).toBe(false);
  jest.useRealTimers();
});

test('answers that came with the page are data of its first rendering, however slow its code; asked for later like all', async () => {
  jest.useFakeTimers();
  const facts = { language: 'en', direction: 'ltr', mode: 'dark', width: 1440, plot: 790 } as const;
  const list = { pages: ['first page'], pageParams: [null] };
  globalThis.sentView = {
    facts,
    isKept: true,
    queries: [
      { queryKey: ['a'], url: '/api/a', data: 'held' },
      { queryKey: ['list'], url: '/api/list', data: list },
    ],
  };
  const ask = jest.fn(async () => 'asked');
  const queryClient = withSentQueries(createQueryClient());
  const Shown = () => <p>{useQuery({ queryKey: ['a'], queryFn: ask }).data ?? 'nothing'}</p>;
  const show = () =>
    render(<Shown />, {
      wrapper: ({ children }) => <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>,
    });
  expect(queryClient.getQueryData(['list'])).toEqual(list);
  jest.advanceTimersByTime(20_000);
  const { container, unmount } = show();
  expect(container).toHaveTextContent('held');
  expect(ask).not.toHaveBeenCalled();
  expect([...keptQueries].map(({ queryKey }) => queryKey)).toEqual([['a'], ['list']]);
  unmount();
  jest.advanceTimersByTime(20_000);
  show();
  expect(ask).toHaveBeenCalledTimes(1);
  jest.useRealTimers();
  keptQueries.clear();

  // An organization's answers are for its members only while they are there.
  globalThis.sentView.isKept = false;
  withSentQueries(createQueryClient());
  expect(keptQueries.size).toBe(0);
});

const SETTINGS: Settings = { mode: 'dark', language: 'ar', direction: 'rtl', timeZone: 'utc' };
function Facts({ settings }: { settings: Settings }) {
  useBrowserFacts(settings);
  return null;
}
const cookie = () => readFacts(/pool-facts=([^;]*)/.exec(document.cookie)?.[1] ?? '');

test('the server is told how the next page will look, as long as it can know', () => {
  document.body.innerHTML = '';
  document.documentElement.style.fontSize = '16px';
  const { rerender } = render(<Facts settings={SETTINGS} />);
  // No chart was seen yet.
  expect(cookie()).toBeNull();
  const plot = document.body.appendChild(document.createElement('main')).appendChild(document.createElement('div'));
  plot.dataset.plot = '';
  Object.defineProperty(plot, 'clientWidth', { value: 790 });
  const content = plot.parentElement!.appendChild(document.createElement('div'));
  content.dataset.remote = 'dashboard';
  Object.defineProperty(content, 'clientWidth', { value: 1132 });
  // What the server was told for this page is not measured again (boot-inline.ts).
  document.documentElement.dataset.plot = '700';
  dispatchEvent(new Event('pagehide'));
  expect(cookie()).toEqual({
    language: 'ar',
    direction: 'rtl',
    mode: 'dark',
    currency: 'usd',
    themeColor: '#ed4540',
    skin: 'default',
    width: innerWidth,
    height: innerHeight,
    content: 1132,
    plot: 790,
  });
  // On a page without them the widths are still those of the last one.
  plot.remove();
  content.remove();
  rerender(<Facts settings={{ ...SETTINGS, currency: 'none' }} />);
  expect(cookie()).toMatchObject({ currency: 'none', content: 1132, plot: 790 });
  rerender(<Facts settings={{ ...SETTINGS, timeZone: 'local' }} />);
  expect(cookie()).toBeNull();
  // A reader who wants larger texts waits for the page itself.
  document.querySelector('main')?.append(plot, content);
  document.documentElement.style.fontSize = '24px';
  rerender(<Facts settings={{ ...SETTINGS }} />);
  expect(cookie()).toBeNull();
});
