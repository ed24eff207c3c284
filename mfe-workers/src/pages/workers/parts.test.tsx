import { type FakeAnswers, fakeApi, refusing, renderPage, subAccounts } from '@pool/shared/testing';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { Worker } from '@pool/shared';
import { worker } from '../../testing/worker';
import { BulkBar } from './controls/bulk-bar';
import { AppRoutes } from '../../routes';
import { upstream } from '../../testing/pools';
import { series } from '../../testing/series';
import { InspectorMore } from './inspector/inspector-more';

describe('the bulk bar', () => {
  const workers = [worker({ id: 11 }), worker({ id: 12, muted: true }), worker({ id: 13, state: 'inactive' })];
  const open = async (answers: FakeAnswers = {}, of = workers) => {
    const clear = jest.fn();
    const compare = jest.fn();
    const onExport = jest.fn();
    const api = fakeApi({
      'GET /subAccounts/': subAccounts,
      'GET /workerGroups/': [{ id: 1, name: 'Hall A', subAccountId: 7, workers: 2 }],
      'POST /workers/bulk': { changed: of.length },
      ...answers,
    });
    const page = await renderPage(
      <BulkBar workers={of} satsPerHs={0.5e-9} onExport={onExport} onCompare={compare} onClear={clear} />,
      { api },
    );
    const sent = () => api.sent('POST /workers/bulk');
    return { ...page, clear, compare, onExport, sent };
  };

  test('moves all selected workers into a group, or out of theirs', async () => {
    const { user, sent, clear } = await open();
    expect(screen.getByRole('status')).toHaveTextContent(
      '3 selected1 h 272.40 TH/s24 h 275.70 TH/s438 sats a day lost',
    );
    await user.click(screen.getByRole('button', { name: 'Move to group' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Hall A' }));
    await waitFor(() =>
      expect(sent()).toEqual([{ body: { ids: [11, 12, 13], action: 'group', groupName: 'Hall A' } }]),
    );
    await waitFor(() => expect(clear).toHaveBeenCalled());
    await user.click(screen.getByRole('button', { name: 'Move to group' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Remove from group' }));
    await waitFor(() => expect(sent()[1]).toEqual({ body: { ids: [11, 12, 13], action: 'group', groupName: null } }));
  });

  test('moves them into a group that is made for them', async () => {
    const { user, api, sent } = await open({
      'POST /workerGroups/': { id: 2, name: 'Hall B', subAccountId: 7, workers: 0 },
    });
    await user.click(screen.getByRole('button', { name: 'Move to group' }));
    const item = await screen.findByRole('menuitem', { name: 'New group…' });
    await act(() => user.click(item));
    const dialog = await screen.findByRole('dialog', { name: 'New group' });
    await user.type(within(dialog).getByRole('textbox'), 'Hall B{Enter}');
    await waitFor(() =>
      expect(sent()).toEqual([{ body: { ids: [11, 12, 13], action: 'group', groupName: 'Hall B' } }]),
    );
    expect(api.calls.map(({ call }) => call)).toContain('POST /workerGroups/');
  });

  test('two to five workers can be compared; of more it is said', async () => {
    const { user, compare, unmount } = await open();
    await user.click(screen.getByRole('button', { name: 'Compare' }));
    expect(compare).toHaveBeenCalledWith([11, 12, 13]);
    unmount();
    const six = await open(
      {},
      Array.from({ length: 6 }, (_, id) => worker({ id: id + 1 })),
    );
    await six.user.click(screen.getByRole('button', { name: 'Compare' }));
    expect(await screen.findByText('Select 2 to 5 workers to compare')).toBeVisible();
    expect(six.compare).not.toHaveBeenCalled();
  });

  test('deletes the inactive ones only, after a question; a refusal is said and keeps the selection', async () => {
    const { user, sent, clear } = await open({
      'POST /workers/bulk': refusing(409, 'worker_active', 'Only workers without a share in 24 hours can be deleted.'),
    });
    await user.click(screen.getByRole('button', { name: 'Delete 1 inactive' }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(sent()).toEqual([{ body: { ids: [13], action: 'delete' } }]));
    expect(await screen.findByRole('alert')).toHaveTextContent('Only workers without a share');
    expect(clear).not.toHaveBeenCalled();
  });

  test('more than 50 are changed after a question that says how many and of which groups, and the toast takes it back', async () => {
    const of = Array.from({ length: 51 }, (_, id) =>
      worker({ id: id + 1, group: id < 50 ? 'Hall A' : null, muted: id === 0 }),
    );
    const { user, sent, unmount } = await open({}, of);
    await user.click(screen.getByRole('button', { name: 'Mute alerts' }));
    const dialog = await screen.findByRole('dialog', { name: 'Mute the alerts of 51 workers?' });
    expect(dialog).toHaveTextContent('They are now in: Hall A, No group.');
    expect(sent()).toEqual([]);
    await user.click(within(dialog).getByRole('button', { name: 'Mute alerts' }));
    await waitFor(() => expect(sent()).toHaveLength(1));
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    // The first one was muted before.
    await waitFor(() =>
      expect(sent()[1]).toEqual({ body: { ids: of.slice(1).map(({ id }) => id), action: 'unmute' } }),
    );
    unmount();
  });

  test('workers moved by mistake are put back into the groups they were in', async () => {
    const of = [worker({ id: 21, group: 'Hall B' }), worker({ id: 22 }), worker({ id: 23, group: 'Hall B' })];
    const { user, sent } = await open({}, of);
    await user.click(screen.getByRole('button', { name: 'Move to group' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Hall A' }));
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    await waitFor(() =>
      expect(sent().slice(1)).toEqual([
        { body: { ids: [21, 23], action: 'group', groupName: 'Hall B' } },
        { body: { ids: [22], action: 'group', groupName: null } },
      ]),
    );
  });
});

describe('the choice of columns', () => {
  const open = () =>
    renderPage(<AppRoutes />, {
      path: '/workers/',
      route: '/workers/*',
      api: fakeApi({
        'GET /liveWorkers/': {
          workers: [worker({ name: 'rig-1' })],
          counts: { online: 1, low: 0, offline: 0, inactive: 0, total: 1 },
          total: 1,
          nextCursor: null,
        },
      }),
    });
  const headings = async () =>
    within(await screen.findByRole('table'))
      .getAllByRole('columnheader')
      .slice(1)
      .map((heading) => heading.textContent);
  beforeEach(() => localStorage.clear());

  test('columns and rows are chosen beside the list, remembered, and reset', async () => {
    const { user, unmount } = await open();
    expect((await headings()).slice(0, 4)).toEqual(['Worker', 'Group', 'State', 'Last 24 h']);
    await user.click(screen.getByRole('button', { name: 'Columns and rows' }));
    const drawer = within(await screen.findByRole('dialog', { name: 'Columns and rows' }));
    expect(drawer.getByRole('checkbox', { name: 'Worker' })).toBeDisabled();
    expect(drawer.getByRole('checkbox', { name: 'Last share' })).toBeChecked();
    await user.click(drawer.getByRole('checkbox', { name: 'Last 24 h' }));
    await user.click(drawer.getByRole('button', { name: 'Move State up' }));
    await user.click(drawer.getByText('Compact'));
    expect((await headings()).slice(0, 4)).toEqual(['Worker', 'State', 'Group', expect.stringMatching(/^5 min/)]);
    expect(screen.getByRole('table').style.getPropertyValue('--row-height')).toBe('36px');
    unmount();

    const again = await open();
    expect((await headings()).slice(0, 3)).toEqual(['Worker', 'State', 'Group']);
    await again.user.click(screen.getByRole('button', { name: 'Columns and rows' }));
    await again.user.click(await screen.findByRole('button', { name: 'Reset' }));
    expect((await headings()).slice(0, 4)).toEqual(['Worker', 'Group', 'State', 'Last 24 h']);
    expect(screen.getByRole('table').style.getPropertyValue('--row-height')).toBe('50px');
    expect(localStorage.getItem('workers.view')).toBeNull();
  });
});

describe('the inspector', () => {
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
});
