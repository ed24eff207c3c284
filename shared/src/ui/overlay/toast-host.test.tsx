import { act, renderHook, screen } from '@testing-library/react';
import { ToastProvider, type Toasts, useToasts } from '../core/toasts';
import type { ToastPosition } from '../../contract';

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
