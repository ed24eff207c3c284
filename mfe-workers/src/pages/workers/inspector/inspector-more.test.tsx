import type { Worker } from '@pool/shared';
import { type FakeAnswers, fakeApi, renderPage, subAccounts } from '@pool/shared/testing';
import { configure, fireEvent, screen, waitFor } from '@testing-library/react';
import { upstream } from '../../../testing/pools';
import { series } from '../../../testing/series';
import { worker } from '../../../testing/worker';
import { InspectorMore } from './inspector-more';

// Nothing with a role is hidden here, and looking takes long in jsdom.
configure({ defaultHidden: true });

const open = (facts: Partial<Worker> = {}, answers: FakeAnswers = {}) =>
  renderPage(<InspectorMore worker={worker({ id: 5, group: 'Hall A', ...facts })} />, {
    api: fakeApi({
      'GET /subAccounts/': subAccounts,
      'GET /upstreams': [upstream({ name: 'North' })],
      'GET /workers/{id}/hashchart': series({ difficulty: [512, null, 65_536] }),
      'GET /workers/{id}/events': [
        { at: 1_795_184_000, kind: 'offline_over', value: null },
        { at: 1_795_183_000, kind: 'group', value: 'Hall A' },
        { at: 1_795_182_000, kind: 'alert_limit', value: 0.5 },
      ],
      'GET /workers/{id}/uptime': {
        h24: 0.9931,
        d7: 0.97,
        model: { name: 'Antminer S21', hashrate: 200e12, by: 'name' },
      },
      'PUT /workers/{id}': { id: 5, alertLimit: 0.75 },
      'POST /workers/bulk': { changed: 1 },
      ...answers,
    }),
  });

test('says where its work goes, how much it mined and what its model would, how its difficulty went, and what happened to it', async () => {
  await open({ h24: 190e12 });
  expect(await screen.findByText('North')).toBeVisible();
  const fact = async (label: string) => (await screen.findByText(label)).nextElementSibling;
  await waitFor(async () => expect(await fact('Uptime, 24 h · 7 days')).toHaveTextContent('99.31 % · 97.00 %'));
  expect(await fact('Model')).toHaveTextContent('Antminer S21, says its name');
  expect(await fact('24 h, of its nominal 200.00 TH/s')).toHaveTextContent('95.00 %');
  expect(screen.getByText('Hall A')).toBeVisible();
  expect(await screen.findByText('512 – 65,536')).toBeVisible();
  const events = await screen.findAllByRole('listitem');
  expect(events.map((row) => row.textContent)).toEqual([
    expect.stringContaining('Back online'),
    expect.stringContaining('Moved to Hall A'),
    expect.stringContaining('Alert limit set to 50'),
  ]);
});

test('a worker that is not connected has no upstream', async () => {
  await open({ connectedAt: null });
  await screen.findByText('512 – 65,536');
  expect(screen.queryByText('North')).toBeNull();
});

test('its alert limit is sent once the slider rests; its alerts are switched off, and on again by the toast', async () => {
  const { api, user } = await open();
  const slider = await screen.findByRole('slider', { name: 'Alert limit, of the 24 h mean' });
  fireEvent.change(slider, { target: { value: '80' } });
  fireEvent.change(slider, { target: { value: '75' } });
  expect(api.sent('PUT /workers/{id}')[0]).toBeUndefined();
  fireEvent.keyUp(slider);
  await waitFor(() =>
    expect(api.sent('PUT /workers/{id}')[0]).toEqual({ params: { id: 5 }, body: { alertLimit: 0.75 } }),
  );
  await user.click(screen.getByRole('switch', { name: 'Alerts for this worker' }));
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  await waitFor(() =>
    expect(api.sent('POST /workers/bulk')).toEqual([
      { body: { ids: [5], action: 'mute' } },
      { body: { ids: [5], action: 'unmute' } },
    ]),
  );
});

test('a log that is as long as its answer may be says that these are the last entries', async () => {
  const events = (length: number) =>
    Array.from({ length }, (_, at) => ({ at: 1_790_000_000 - at * 60, kind: 'offline' as const, value: null }));
  const { unmount } = await open({}, { 'GET /workers/{id}/events': events(49) });
  expect(await screen.findAllByRole('listitem')).toHaveLength(49);
  expect(screen.queryByText('The last 50 are shown.')).toBeNull();
  unmount();
  await open({}, { 'GET /workers/{id}/events': events(50) });
  expect(await screen.findByText('The last 50 are shown.')).toBeVisible();
});
