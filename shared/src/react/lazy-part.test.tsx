import { createInstance } from 'i18next';
import { act, render, screen } from '@testing-library/react';
import { Component, Suspense, type ReactNode } from 'react';
import { lazyPart } from './lazy-part';
import { I18nextProvider } from 'react-i18next';

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
