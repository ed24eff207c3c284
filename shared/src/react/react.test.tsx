import { notifyManager } from '@tanstack/react-query';
import { act, render, renderHook, screen } from '@testing-library/react';
import { createInstance } from 'i18next';
import { Component, Suspense, useState, type ReactNode } from 'react';
import { I18nextProvider } from 'react-i18next';
import { MemoryRouter, useLocation, useNavigate } from 'react-router-dom';
import { renderPage } from '../testing';
import { lazyPart } from './lazy-part';
import { LinkTabs } from './link-tabs';
import { PageLink } from './page-link';
import { usePageTitle } from './page-title';
import { createQueryClient } from './query';
import { dayText, oneOf, shortText, useUrlState } from './url-state';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { useAbility } from './remote';
import { ToastProvider, type Toasts, useToasts } from '../ui/core/toasts';
import type { ToastPosition } from '../contract';

const TABS = [
  { name: 'first', to: '/first', text: 'First' },
  { name: 'second', to: { search: 'tab=second' }, text: 'Second' },
] as const;

test('tabs are links; the one that is shown says so and is in view', async () => {
  const rect = jest.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
    return (this.tagName === 'NAV' ? { left: 0, width: 300 } : { left: 400, width: 100 }) as DOMRect;
  });
  await renderPage(<LinkTabs label="Pages" tabs={TABS} shown="second" />, { path: '/here' });
  rect.mockRestore();
  expect(screen.getByRole('link', { name: 'First' })).toHaveAttribute('href', '/first');
  expect(screen.getByRole('link', { name: 'First' })).not.toHaveAttribute('aria-current');
  expect(screen.getByRole('link', { name: 'Second' })).toHaveAttribute('href', '/here?tab=second');
  expect(screen.getByRole('link', { name: 'Second' })).toHaveAttribute('aria-current', 'page');
  expect(screen.getByRole('navigation', { name: 'Pages' }).scrollLeft).toBe(300);
});

describe('a link to a page', () => {
  test('leads to the page that another remote has by this id', async () => {
    await renderPage(
      <PageLink page="workers.list" search="?state=low">
        6 low
      </PageLink>,
    );
    expect(screen.getByRole('link', { name: '6 low' })).toHaveAttribute('href', '/workers/?state=low');
  });

  test('without that page there is no link', async () => {
    const { container } = await renderPage(<PageLink page="map.list">Map</PageLink>);
    expect(container).toHaveTextContent('');
    await renderPage(
      <PageLink page="map.list" keepWords className="words">
        Map
      </PageLink>,
    );
    expect(screen.getByText('Map')).toHaveClass('words');
    expect(screen.queryByRole('link')).toBeNull();
  });
});

describe('the title', () => {
  function Page() {
    const [title, setTitle] = useState<string>();
    const navigate = useNavigate();
    usePageTitle(title);
    return (
      <>
        <button onClick={() => setTitle('5 PH/s')}>measure</button>
        <button onClick={() => setTitle('6 PH/s')}>measure again</button>
        <button onClick={() => void navigate('/payments/')}>follow</button>
      </>
    );
  }

  test('a page titles the tab at its own address, below another too, and changes nothing once the tab has left it', async () => {
    document.title = "the shell's";
    const { user } = await renderPage(<Page />, { path: '/dashboard/?timeframe=d7' });
    const press = (name: string) => user.click(screen.getByRole('button', { name }));
    expect(document.title).toBe("the shell's");
    history.replaceState(null, '', '/watch/wt_abc/dashboard/');
    await press('measure');
    expect(document.title).toBe('5 PH/s · Mining Pool');

    act(() => history.pushState(null, '', '/payments/'));
    document.title = 'Payments · Mining Pool';
    await press('measure again');
    expect(document.title).toBe('Payments · Mining Pool');
    await press('follow');
    expect(document.title).toBe('6 PH/s · Mining Pool');
  });
});

describe('a lazy part', () => {
  afterEach(() => {
    jest.useRealTimers();
  });
  class Boundary extends Component<{ children: ReactNode }> {
    override state = { failed: false };
    static getDerivedStateFromError = () => ({ failed: true });
    override render() {
      return this.state.failed ? (
        <button onClick={() => this.setState({ failed: false })}>Retry</button>
      ) : (
        this.props.children
      );
    }
  }

  async function show(Part: () => ReactNode) {
    jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const i18n = createInstance();
    await i18n.init({ lng: 'en', resources: {} });
    await act(async () =>
      render(
        <I18nextProvider i18n={i18n}>
          <section>
            <Boundary>
              <Suspense fallback={<p>waiting</p>}>
                <Part />
              </Suspense>
            </Boundary>
          </section>
        </I18nextProvider>,
      ),
    );
  }

  test('a load that fails is shown as failed, and tried again once it is shown again', async () => {
    const load = jest.fn(() => Promise.reject<() => string>(new Error('offline')));
    await show(lazyPart('texts', load) as () => ReactNode);
    const retry = await screen.findByText('Retry');
    await act(async () => {});
    expect(load).toHaveBeenCalledTimes(1);
    load.mockImplementation(() => Promise.resolve(() => 'loaded'));
    await act(async () => retry.click());
    expect(await screen.findByText('loaded')).toBeVisible();
    expect(load).toHaveBeenCalledTimes(2);
  });

  test('a load that the way to another document cancels is not shown as failed, unless the page stays', async () => {
    jest.useFakeTimers();
    dispatchEvent(new Event('beforeunload'));
    await show(lazyPart('texts', () => Promise.reject(new Error('cancelled'))) as () => ReactNode);
    await act(() => jest.advanceTimersByTimeAsync(4900));
    expect(screen.queryByText('Retry')).toBeNull();
    await act(() => jest.advanceTimersByTimeAsync(200));
    expect(screen.getByText('Retry')).toBeVisible();
  });
});

describe('the state in the URL', () => {
  const SCHEMA = {
    q: shortText,
    sort: oneOf(['name', '-name'], 'name'),
    year: (text: string | null) => (text === '2025' ? 2025 : undefined),
    group: (text: string | null) => text,
  };

  const start = (address: string) =>
    renderHook(
      () => {
        const [state, set, searchOf] = useUrlState(SCHEMA);
        return { state, set, searchOf, search: useLocation().search, navigate: useNavigate() };
      },
      {
        wrapper: ({ children }) => <MemoryRouter initialEntries={['/start', address]}>{children}</MemoryRouter>,
      },
    ).result;

  test('reads the state from the URL; what is missing or invalid is the default', () => {
    expect(start('/').current.state).toEqual({ q: undefined, sort: 'name', year: undefined, group: null });
    expect(start(`/?q=%20${'x'.repeat(200)}&sort=evil&year=1&group=`).current.state).toEqual({
      q: 'x'.repeat(64),
      sort: 'name',
      year: undefined,
      group: '',
    });
  });

  test('writes changes without defaults and keeps other parameters; Back restores, replace makes no entry', () => {
    const page = start('/?account=barn&q=old');
    act(() => page.current.set({ q: '', sort: '-name', year: 2025, group: '' }));
    expect(page.current.search).toBe('?account=barn&sort=-name&year=2025&group=');
    expect(page.current.searchOf({ sort: 'name', group: null })).toBe('account=barn&year=2025');
    act(() => page.current.set({ q: 'a' }, { replace: true }));
    expect(page.current.state).toEqual({ q: 'a', sort: '-name', year: 2025, group: '' });
    act(() => void page.current.navigate(-1));
    expect(page.current.search).toBe('?account=barn&q=old');
  });

  test('what is written after a link was followed is written to its page, though the one before is still drawn', () => {
    const page = renderHook(() => ({ set: useUrlState(SCHEMA)[1], ...useLocation(), navigate: useNavigate() }), {
      wrapper: ({ children }) => <MemoryRouter initialEntries={['/list?sort=-name']}>{children}</MemoryRouter>,
    }).result;
    act(() => {
      void page.current.navigate('/list/12?sort=-name');
      page.current.set({ q: 'a' });
      page.current.set({ year: 2025 }, { replace: true });
    });
    expect(page.current.pathname + page.current.search).toBe('/list/12?sort=-name&q=a&year=2025');
  });

  test.each([
    ['2026-02-28', '2026-02-28'],
    ['2026-02-31', undefined],
    ['%00', undefined],
    [null, undefined],
  ])('a day of the URL: %s', (text, day) => {
    expect(dayText(text)).toBe(day);
  });
});

test('a focus asks again at most every five seconds, for failed queries too', () => {
  const client = createQueryClient();
  const asks = (at: { dataUpdatedAt?: number; errorUpdatedAt?: number }) => {
    const refetch = client.getDefaultOptions().queries?.refetchOnWindowFocus;
    const query = client.getQueryCache().build(client, { queryKey: [at] as readonly unknown[] });
    query.setState({ dataUpdatedAt: 0, errorUpdatedAt: 0, ...at });
    return typeof refetch === 'function' ? refetch(query) : refetch;
  };
  const [now, before] = [Date.now(), Date.now() - 6000];
  expect(asks({ dataUpdatedAt: before })).toBe('always');
  expect(asks({ errorUpdatedAt: before })).toBe('always');
  expect(asks({ dataUpdatedAt: now })).toBe(false);
  expect(asks({ dataUpdatedAt: before, errorUpdatedAt: now })).toBe(false);
});

test('what queries report within one task is reported in one task', async () => {
  const timers = jest.spyOn(globalThis, 'setTimeout');
  const reported: string[] = [];
  // `useQuery` is told so.
  const report = notifyManager.batchCalls((of: string) => reported.push(of));
  for (const key of ['a', 'b', 'c']) report(key);
  expect(timers).toHaveBeenCalledTimes(1);
  expect(reported).toEqual([]);
  await new Promise((resolve) => setTimeout(resolve));
  expect(reported).toEqual(['a', 'b', 'c']);
  timers.mockRestore();
});

function Page() {
  const ability = useAbility();
  const may = (action: 'read' | 'manage') => ability.can(action, 'power.page');
  return <p>{[may('read'), may('manage')].join()}</p>;
}

test('a page may do what the subjects in its remote.json say', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'pool-subjects-'));
  const subjects = {
    'power.page': { read: { action: 'read', subject: 'account' }, manage: { action: 'manage', subject: 'user' } },
  };
  mkdirSync(path.join(folder, 'mfe-power'));
  writeFileSync(
    path.join(folder, 'mfe-power/remote.json'),
    JSON.stringify({ name: 'power', basePath: '/power', subjects }),
  );
  const before = process.cwd();
  process.chdir(folder);
  try {
    await renderPage(<Page />, { path: '/power/?tab=2' });
    expect(screen.getByText('true,false')).toBeVisible();
    await renderPage(<Page />, { path: '/workers/' });
    expect(screen.getByText('false,false')).toBeVisible();
  } finally {
    process.chdir(before);
    rmSync(folder, { recursive: true });
  }
});

describe('toasts', () => {
  let toasts: Toasts;

  /** The first toast loads antd's part with real timers; from then on time is faked. */
  async function start(toastPosition?: ToastPosition) {
    const { result } = renderHook(useToasts, {
      wrapper: ({ children }) => <ToastProvider toastPosition={toastPosition}>{children}</ToastProvider>,
    });
    toasts = result.current;
    act(() => toasts.loading('Preparing')());
    act(() => toasts.success('First'));
    await screen.findByText('First');
    jest.useFakeTimers();
  }
  const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));

  afterEach(() => jest.useRealTimers());

  test('success leaves after 2 s, an error after 4, loading when its work is done', async () => {
    await start();
    let done!: () => void;
    await act(async () => {
      toasts.success('Saved');
      toasts.error('Not saved');
      done = toasts.loading('Saving');
    });
    await pass(1_500);
    expect(screen.getByText('Saved')).toBeVisible();
    await pass(1_500);
    expect(screen.queryByText('Saved')).toBeNull();
    expect(screen.getByText('Not saved')).toBeVisible();
    await pass(3_000);
    expect(screen.queryByText('Not saved')).toBeNull();
    await pass(60_000);
    expect(screen.getByText('Saving')).toBeVisible();
    act(() => done());
    await pass(1_000);
    expect(screen.queryByText('Saving')).toBeNull();
  });

  test('at most 20 are shown, the newest, where the settings say', async () => {
    await start('bottom-left');
    for (let i = 1; i <= 25; i += 1) act(() => void toasts.loading(`Toast ${i}`));
    await pass(1_000);
    expect(screen.getAllByText(/^Toast \d+$/)).toHaveLength(20);
    expect(screen.getByText('Toast 25')).toBeVisible();
    expect(screen.getByText('Toast 25').closest('.ant-notification')).toHaveClass('ant-notification-bottomLeft');
  });
});
