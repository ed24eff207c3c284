import { createQueryClient, QueryClientProvider, useMutation, useQuery } from '@pool/shared/query';
import { fakeApi, renderPage } from '@pool/shared/testing';
import { act, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { SettingsProvider, useSettingsStore } from '../settings/settings-context';
import { TabAlarm } from './tab-alarm';
import { followTrace, traceClicks, withTrace } from './traces';
import { useOtherTabs } from './use-other-tabs';
import { useState } from 'react';
import { NewVersion } from '../service-worker/new-version';

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
