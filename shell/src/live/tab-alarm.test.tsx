import { fakeApi, renderPage } from '@pool/shared/testing';
import { act, screen, waitFor } from '@testing-library/react';
import { SettingsProvider, useSettingsStore } from '../settings/settings-context';
import { TabAlarm } from './tab-alarm';

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
  jest.restoreAllMocks();
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
