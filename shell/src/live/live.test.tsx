import { createQueryClient, QueryClientProvider, useMutation, useQuery, onlineManager } from '@pool/shared/query';
import { fakeApi, renderPage } from '@pool/shared/testing';
import { act, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { SettingsProvider, useSettingsStore } from '../settings/settings-context';
import { TabAlarm } from './tab-alarm';
import { followTrace, traceClicks, withTrace } from './traces';
import { useOtherTabs } from './use-other-tabs';
import { useState } from 'react';
import { NewVersion } from '../service-worker/new-version';
import { setPaused } from './pause';
import { SLOW_POLL_MS, useFreshness } from './use-freshness';
import { POLL_MS, useLiveEvents } from './use-live-events';

describe('the alarm of the tab', () => {
  const counts = (offline: number) => ({ online: 3, low: 0, offline, inactive: 0, total: 3 + offline });
  const icon = () => document.querySelector<HTMLLinkElement>('link[rel="icon"]')?.href;

  const Switch = () => {
    const { chosen, change } = useSettingsStore();
    const { alarm } = chosen;
    return <button onClick={() => change({ alarm: !alarm })}>alarm</button>;
  };

  const open = (api: ReturnType<typeof fakeApi>) =>
    renderPage(
      <SettingsProvider>
        <TabAlarm />
        <Switch />
      </SettingsProvider>,
      { api },
    );

  beforeEach(() => {
    localStorage.clear();
    document.head.innerHTML = '<link rel="icon" href="data:,usual">';
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  test('the icon alarms while a worker is offline, and can be told not to', async () => {
    const { user } = await open(fakeApi({ 'GET /getWorkerCount/': counts(1) }));
    await waitFor(() => expect(icon()).toMatch(/^data:image\/svg/));
    await user.click(screen.getByRole('button', { name: 'alarm' }));
    expect(icon()).toBe('data:,usual');
    expect(JSON.parse(localStorage.getItem('settings') ?? '')).toMatchObject({ alarm: false });
  });

  test('a hidden tab hears of it once a minute', async () => {
    jest.useFakeTimers();
    jest.spyOn(document, 'hidden', 'get').mockReturnValue(true);
    const api = fakeApi({ 'GET /getWorkerCount/': counts(0) });
    await open(api);
    expect(icon()).toBe('data:,usual');
    api.answer({ 'GET /getWorkerCount/': counts(2) });
    await act(() => jest.advanceTimersByTimeAsync(61_000));
    expect(icon()).toMatch(/^data:image\/svg/);
  });
});

describe('other tabs', () => {
  const read = jest.fn(async () => 1);
  const write = jest.fn<Promise<void>, []>();

  function Page() {
    useOtherTabs();
    useQuery({ queryKey: ['subAccounts', '1'], queryFn: read, staleTime: 60_000 });
    const { mutate } = useMutation({ mutationFn: write });
    return <button onClick={() => mutate()}>change</button>;
  }

  test('what another tab has changed is asked again at once; a change is told to the others when it is made', async () => {
    const told = jest.spyOn(Storage.prototype, 'setItem');
    write.mockRejectedValueOnce(new Error('refused')).mockResolvedValue();
    render(
      <QueryClientProvider client={createQueryClient()}>
        <Page />
      </QueryClientProvider>,
    );
    await waitFor(() => expect(read).toHaveBeenCalledTimes(1));
    dispatchEvent(new StorageEvent('storage', { key: 'settings' }));
    dispatchEvent(new StorageEvent('storage', { key: 'changedAt' }));
    await waitFor(() => expect(read).toHaveBeenCalledTimes(2));

    await userEvent.click(screen.getByRole('button'));
    await waitFor(() => expect(write).toHaveBeenCalledTimes(1));
    await userEvent.click(screen.getByRole('button'));
    await waitFor(() => expect(told).toHaveBeenCalledTimes(1));
    expect(told).toHaveBeenCalledWith('changedAt', expect.any(String));
    expect(write).toHaveBeenCalledTimes(2);
  });
});

const traceOf = (): string | undefined =>
  (withTrace({ headers: { accept: 'x' } }).headers as Record<string, string>).traceparent;

test('calls have the trace of the click or event before them, for three seconds', () => {
  jest.useFakeTimers();
  const end = traceClicks();
  expect(traceOf()).toBeUndefined();
  document.body.click();
  const first = traceOf();
  expect(first).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  expect(withTrace({ headers: { accept: 'x' } }).headers).toMatchObject({ accept: 'x' });
  document.body.click();
  expect(traceOf()).not.toBe(first);
  followTrace('00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01');
  expect(traceOf()).toContain('4bf92f');
  jest.advanceTimersByTime(3001);
  expect(traceOf()).toBeUndefined();
  end();
  document.body.click();
  expect(traceOf()).toBeUndefined();
  jest.useRealTimers();
});

describe('a new version', () => {
  const at = (version: string) => [{ name: 'workers', version }];

  function Page({ lists }: { lists: { name: string; version: string }[][] }) {
    const [index, setIndex] = useState(0);
    return (
      <>
        <button onClick={() => setIndex(index + 1)}>next list</button>
        <NewVersion remotes={lists[index] ?? []} />
      </>
    );
  }

  test('a remote deployed while the page is open is told once, in one line', async () => {
    const { user } = await renderPage(<Page lists={[[], at('1'), at('2'), at('2'), at('3')]} />);
    const next = () => user.click(screen.getByRole('button', { name: 'next list' }));
    // The list comes after the page.
    await next();
    expect(screen.queryByRole('status')).toBeNull();
    await next();
    expect(await screen.findByRole('status')).toHaveTextContent('A new version is ready.');
    await user.click(screen.getByRole('button', { name: 'Later' }));
    expect(screen.queryByRole('status')).toBeNull();
    await next();
    expect(screen.queryByRole('status')).toBeNull();
    await next();
    expect(await screen.findByRole('button', { name: 'Reload' })).toBeVisible();
  });
});

describe('live events', () => {
  class FakeEventSource extends EventTarget {
    static readonly CLOSED = 2;
    static all: FakeEventSource[] = [];
    readyState = 0;
    onopen: (() => void) | null = null;
    onerror: (() => void) | null = null;
    constructor(readonly url: string) {
      super();
      FakeEventSource.all.push(this);
    }
    close(): void {
      this.readyState = 2;
    }
    static get last(): FakeEventSource {
      return FakeEventSource.all.at(-1) as FakeEventSource;
    }
  }

  const read = jest.fn<Promise<number>, []>();
  const other = jest.fn<Promise<number>, []>();
  const who = jest.fn<Promise<number>, []>();
  const timed = jest.fn<Promise<number>, []>();
  const getToken = jest.fn<Promise<unknown>, []>();
  function Page() {
    useLiveEvents(getToken);
    const { state } = useFreshness();
    useQuery({
      queryKey: ['workers', 'count', { account: 'northfield', algorithm: 'SCRYPT' }],
      queryFn: read,
      retry: false,
    });
    useQuery({ queryKey: ['users'], queryFn: other, retry: false });
    useQuery({ queryKey: ['userInfo', '1'], queryFn: who, staleTime: Infinity, retry: false });
    // Remotes have such queries: asked for again by the clock.
    useQuery({ queryKey: ['prices'], queryFn: timed, retry: false, refetchInterval: POLL_MS });
    return <p>{state}</p>;
  }
  const show = (client = createQueryClient()) =>
    render(
      <QueryClientProvider client={client}>
        <Page />
      </QueryClientProvider>,
    );
  /** Shows the page with a clock that the test moves on. */
  const shown = async (afterMs = 0) => {
    jest.useFakeTimers();
    show();
    await act(() => jest.advanceTimersByTimeAsync(afterMs));
  };
  const setVisible = (visible: boolean) => {
    Object.defineProperty(document, 'visibilityState', { value: visible ? 'visible' : 'hidden', configurable: true });
    act(() => void document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
  };

  beforeEach(() => {
    FakeEventSource.all = [];
    Object.assign(globalThis, { EventSource: FakeEventSource });
    read.mockReset().mockResolvedValue(1);
    other.mockReset().mockResolvedValue(1);
    who.mockReset().mockResolvedValue(1);
    timed.mockReset().mockResolvedValue(1);
    getToken.mockReset().mockResolvedValue('token');
    onlineManager.setOnline(true);
  });
  afterEach(() => {
    setPaused(false);
    jest.useRealTimers();
    setVisible(true);
  });

  it('lets the error of what never came stay for a while, whatever events say', async () => {
    read.mockRejectedValue(new Error('no answer'));
    show();
    await waitFor(() => expect(read).toHaveBeenCalledTimes(1));
    await act(async () => {});
    const event = () => act(async () => void FakeEventSource.last.dispatchEvent(new MessageEvent('workers')));
    await event();
    expect(read).toHaveBeenCalledTimes(1);
    read.mockResolvedValue(1);
    const later = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 16_000);
    await event();
    later.mockRestore();
    expect(read).toHaveBeenCalledTimes(2);
    await event();
    expect(read).toHaveBeenCalledTimes(3);
  });

  it('refetches only what an event names', async () => {
    show();
    await waitFor(() => expect(read).toHaveBeenCalledTimes(1));
    const event = (account: string) =>
      act(async () => {
        FakeEventSource.last.dispatchEvent(
          new MessageEvent('workers', { data: JSON.stringify({ account, algorithm: 'SCRYPT' }) }),
        );
      });
    await event('barn');
    expect(read).toHaveBeenCalledTimes(1);
    await event('northfield');
    await waitFor(() => expect(read).toHaveBeenCalledTimes(2));
    expect(other).toHaveBeenCalledTimes(1);
  });

  it('asks once for what a change of the page reads again and its event tells of, and for all that is told meanwhile', async () => {
    const queryClient = createQueryClient();
    show(queryClient);
    await waitFor(() => expect(read).toHaveBeenCalledTimes(1));
    let answer: () => void = () => undefined;
    const change = (onSuccess?: () => Promise<void>) => {
      const mutationFn = () => new Promise<void>((resolve) => (answer = resolve));
      return queryClient.getMutationCache().build(queryClient, { mutationFn, onSuccess }).execute(undefined);
    };
    const event = () => act(async () => void FakeEventSource.last.dispatchEvent(new MessageEvent('workers')));
    const reading = change(() => queryClient.invalidateQueries({ queryKey: ['workers'] }));
    await event();
    await act(async () => {
      answer();
      await reading;
    });
    expect(read).toHaveBeenCalledTimes(2);
    const silent = change();
    await event();
    expect(read).toHaveBeenCalledTimes(2);
    await act(async () => {
      answer();
      await silent;
    });
    await waitFor(() => expect(read).toHaveBeenCalledTimes(3));
  });

  it('opens the stream once the session is renewed, or cannot be, and none that is no longer wanted', async () => {
    let renewed: () => void = () => undefined;
    getToken.mockReturnValueOnce(new Promise<void>((resolve) => (renewed = resolve)));
    await shown();
    expect(FakeEventSource.all).toEqual([]);
    setVisible(false);
    getToken.mockRejectedValueOnce(new Error('no answer'));
    setVisible(true);
    await act(() => jest.advanceTimersByTimeAsync(1000));
    expect(FakeEventSource.all).toHaveLength(1);
    await act(async () => renewed());
    expect(FakeEventSource.all).toHaveLength(1);
  });

  it('polls while the stream fails, and shows old data as soon as a refresh fails', async () => {
    await shown();
    read.mockRejectedValue(new Error('down'));
    const fail = () => act(async () => FakeEventSource.last.onerror?.());
    await fail();
    await act(() => jest.advanceTimersByTimeAsync(POLL_MS - 1000));
    await fail();
    expect(screen.getByText('live')).toBeInTheDocument();
    await act(() => jest.advanceTimersByTimeAsync(1000));
    expect(screen.getByText('stale')).toBeInTheDocument();
    read.mockResolvedValue(2);
    await act(() => jest.advanceTimersByTimeAsync(POLL_MS));
    expect(screen.getByText('live')).toBeInTheDocument();
  });

  it('polls beside an open stream: no event is live, a missing response is not', async () => {
    await shown();
    await act(async () => FakeEventSource.last.onopen?.());
    await act(() => jest.advanceTimersByTimeAsync(3 * SLOW_POLL_MS));
    expect(read).toHaveBeenCalledTimes(4);
    expect(screen.getByText('live')).toBeInTheDocument();
    read.mockReturnValue(new Promise(() => undefined));
    await act(() => jest.advanceTimersByTimeAsync(3 * SLOW_POLL_MS));
    expect(screen.getByText('stale')).toBeInTheDocument();
  });

  it('is stale as soon as an open stream breaks off, until the data is newer', async () => {
    await shown();
    await act(async () => FakeEventSource.last.onopen?.());
    await act(() => jest.advanceTimersByTimeAsync(1000));
    await act(async () => FakeEventSource.last.onerror?.());
    await act(() => jest.advanceTimersByTimeAsync(0));
    expect(screen.getByText('stale')).toBeInTheDocument();
    expect(read).toHaveBeenCalledTimes(1);
    await act(async () => FakeEventSource.last.onopen?.());
    await act(() => jest.advanceTimersByTimeAsync(0));
    expect(read).toHaveBeenCalledTimes(2);
    expect(screen.getByText('live')).toBeInTheDocument();
  });

  it('a stream that the server renews is no break', async () => {
    show();
    await waitFor(() => expect(read).toHaveBeenCalledTimes(1));
    await act(async () => FakeEventSource.last.onopen?.());
    const [first] = FakeEventSource.all;
    await act(async () => void first?.dispatchEvent(new MessageEvent('renew')));
    expect(first?.readyState).toBe(FakeEventSource.CLOSED);
    expect(FakeEventSource.last.readyState).toBe(0);
    expect(screen.getByText('live')).toBeInTheDocument();
  });

  it('asks who the user is after a break: the server ends the stream of who got another role', async () => {
    await shown();
    await act(async () => FakeEventSource.last.onopen?.());
    expect(who).toHaveBeenCalledTimes(1);
    await act(async () => FakeEventSource.last.onerror?.());
    await act(async () => FakeEventSource.last.onopen?.());
    await waitFor(() => expect(who).toHaveBeenCalledTimes(2));
    expect(other).toHaveBeenCalledTimes(1);
  });

  it('a pause stops all updates until it ends', async () => {
    await shown();
    act(() => setPaused(true));
    expect(screen.getByText('paused')).toBeInTheDocument();
    expect(FakeEventSource.last.readyState).toBe(FakeEventSource.CLOSED);
    await act(() => jest.advanceTimersByTimeAsync(10 * POLL_MS));
    expect(read).toHaveBeenCalledTimes(1);
    await act(async () => setPaused(false));
    await act(() => jest.advanceTimersByTimeAsync(0));
    expect(read).toHaveBeenCalledTimes(2);
    expect(screen.getByText('live')).toBeInTheDocument();
  });

  it('asks once for several returns to the tab within five seconds, and once more after them', async () => {
    await shown(60);
    read.mockClear();
    for (let i = 0; i < 4; i += 1) {
      setVisible(false);
      await act(() => jest.advanceTimersByTimeAsync(500));
      setVisible(true);
      await act(() => jest.advanceTimersByTimeAsync(500));
    }
    expect(read).toHaveBeenCalledTimes(1);
    await act(() => jest.advanceTimersByTimeAsync(2_000));
    expect(read).toHaveBeenCalledTimes(2);
  });

  it('does nothing in a hidden tab and refetches once when it is shown', async () => {
    await shown();
    setVisible(false);
    expect(FakeEventSource.last.readyState).toBe(FakeEventSource.CLOSED);
    await act(() => jest.advanceTimersByTimeAsync(10 * POLL_MS));
    expect(read).toHaveBeenCalledTimes(1);
    expect(timed).toHaveBeenCalledTimes(1);
    setVisible(true);
    await act(() => jest.advanceTimersByTimeAsync(0));
    expect(read).toHaveBeenCalledTimes(2);
    await act(() => jest.advanceTimersByTimeAsync(POLL_MS));
    expect(timed.mock.calls.length).toBeGreaterThan(1);
    expect(FakeEventSource.last.readyState).not.toBe(FakeEventSource.CLOSED);
  });

  it('shows offline without a network, and closes the stream on unmount', async () => {
    const onLine = jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
    const { unmount } = show();
    await act(async () => {
      onLine.mockReturnValue(false);
      dispatchEvent(new Event('offline'));
    });
    expect(screen.getByText('offline')).toBeInTheDocument();
    await act(async () => {
      onLine.mockReturnValue(true);
      dispatchEvent(new Event('online'));
    });
    expect(await screen.findByText('live')).toBeInTheDocument();
    unmount();
    expect(FakeEventSource.last.readyState).toBe(FakeEventSource.CLOSED);
  });
});
