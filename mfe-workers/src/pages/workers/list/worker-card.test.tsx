import { renderPage } from '@pool/shared/testing';
import { screen } from '@testing-library/react';
import { worker } from '../../../testing/worker';
import { WorkerCard } from './worker-card';

const lost = () => screen.queryByText(/lost/)?.textContent;

test('a card says what its worker loses a day, where it does and its worth is known', async () => {
  const off = worker({ state: 'offline', h1: 0 });
  const { unmount } = await renderPage(<WorkerCard worker={off} satsPerHs={1e-11} />);
  expect(lost()).toBe('910 sats a day lost');
  unmount();
  const unknown = await renderPage(<WorkerCard worker={off} satsPerHs={undefined} />);
  expect(lost()).toBeUndefined();
  unknown.unmount();
  await renderPage(<WorkerCard worker={worker({ rejectRate: 0, staleRate: 0 })} satsPerHs={1e-11} />);
  expect(lost()).toBeUndefined();
});
