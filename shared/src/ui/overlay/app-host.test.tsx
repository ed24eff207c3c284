import { act, renderHook, screen } from '@testing-library/react';
import { App, type AppApi, AppProvider } from '../core/app';
import type { ToastPosition } from '../../contract';

let message: AppApi['message'];

/** The first toast loads antd's part with real timers; from then on time is faked. */
async function start(toastPosition?: ToastPosition) {
  const { result } = renderHook(App.useApp, {
    wrapper: ({ children }) => <AppProvider toastPosition={toastPosition}>{children}</AppProvider>,
  });
  ({ message } = result.current);
  act(() => message.loading('Preparing')());
  act(() => message.success('First'));
  await screen.findByText('First');
  jest.useFakeTimers();
}
const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));

afterEach(() => jest.useRealTimers());

test('success leaves after 2 s, an error after 4, loading when its work is done', async () => {
  await start();
  let done!: () => void;
  await act(async () => {
    message.success('Saved');
    message.error('Not saved');
    done = message.loading('Saving');
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
  for (let i = 1; i <= 25; i += 1) {
    await act(async () => {
      message.loading(`Toast ${i}`);
    });
  }
  await pass(1_000);
  expect(screen.getAllByText(/^Toast \d+$/)).toHaveLength(20);
  expect(screen.getByText('Toast 25')).toBeVisible();
  expect(screen.getByText('Toast 25').closest('.ant-notification')).toHaveClass('ant-notification-bottomLeft');
});
