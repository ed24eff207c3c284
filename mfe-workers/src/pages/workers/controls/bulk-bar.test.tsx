import { type FakeAnswers, fakeApi, refusing, renderPage, subAccounts } from '@pool/shared/testing';
import { act, configure, screen, waitFor, within } from '@testing-library/react';
import { worker } from '../../../testing/worker';
import { BulkBar } from './bulk-bar';

// Nothing with a role is hidden here, and looking takes long in jsdom.
configure({ defaultHidden: true });

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
  expect(screen.getByRole('status')).toHaveTextContent('3 selected1 h 272.40 TH/s24 h 275.70 TH/s438 sats a day lost');
  await user.click(screen.getByRole('button', { name: 'Move to group' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Hall A' }));
  await waitFor(() => expect(sent()).toEqual([{ body: { ids: [11, 12, 13], action: 'group', groupName: 'Hall A' } }]));
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
  await waitFor(() => expect(sent()).toEqual([{ body: { ids: [11, 12, 13], action: 'group', groupName: 'Hall B' } }]));
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

test('what is selected can be exported', async () => {
  const { user, onExport } = await open();
  await user.click(screen.getByRole('button', { name: 'Export' }));
  expect(onExport).toHaveBeenCalledWith(workers);
});

test('mutes, and unmutes where all are muted', async () => {
  const { user, sent } = await open();
  await user.click(screen.getByRole('button', { name: 'Mute alerts' }));
  await waitFor(() => expect(sent()).toEqual([{ body: { ids: [11, 12, 13], action: 'mute' } }]));
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
  await waitFor(() => expect(sent()[1]).toEqual({ body: { ids: of.slice(1).map(({ id }) => id), action: 'unmute' } }));
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
