import { ApiError, type Answer } from '@pool/shared';
import { desktop, type FakeAnswers, fakeApi, type FakeApi, problem, renderPage } from '@pool/shared/testing';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { EditUsers } from './edit-users';

type EditUser = Answer<'GET /admin/editUsers'>['rows'][number];

const user = (id: number, facts: Partial<EditUser> = {}): EditUser => ({
  id,
  userName: ['north', 'kestrel', 'saltflat'][id - 1] ?? `user-${id}`,
  email: null,
  role: 'miner',
  isLegacyUser: false,
  createdAt: '2025-03-01T10:00:00.000Z',
  feePercent: null,
  disabled: false,
  version: 4,
  subAccounts: [],
  ...facts,
});
const answer = (rows: EditUser[]): FakeAnswers['GET /admin/editUsers'] => ({
  rows,
  total: rows.length,
  nextCursor: null,
});
const open = (answers: FakeAnswers = {}) => {
  const onClose = jest.fn();
  return renderPage(<EditUsers ids={[1, 2, 3]} onClose={onClose} />, {
    role: 'admin',
    api: fakeApi({
      'GET /admin/editUsers': answer([user(1), user(2), user(3)]),
      'PUT /bulkUpdateUsers': { changed: 3 },
      ...answers,
    }),
  }).then((rendered) => ({ ...rendered, onClose }));
};
const updates = (api: FakeApi) =>
  api.sent('PUT /bulkUpdateUsers').map((options) => (options as { body: { updates: unknown[] } }).body.updates);

beforeEach(desktop);
afterEach(() => {
  jest.restoreAllMocks();
});

test('a pasted block and fill down are reviewed as a difference before all are changed at once', async () => {
  const { api, user: person, onClose } = await open();
  const role = await screen.findByLabelText('north: Role');
  fireEvent.paste(role, { clipboardData: { getData: () => 'Miner\tYes\nadmin\tno\n' } });
  const fee = screen.getByLabelText('north: Fee, %');
  await person.type(fee, '1,25');
  await person.keyboard('{Control>}d{/Control}');
  expect(screen.getByLabelText('saltflat: Fee, %')).toHaveValue('1,25');
  await person.keyboard('{ArrowDown}');
  expect(screen.getByLabelText('kestrel: Fee, %')).toHaveFocus();
  await person.click(screen.getByRole('button', { name: 'Review changes: 3' }));
  const differences = screen.getByRole('table', { name: 'Changes' });
  expect(
    within(differences)
      .getAllByRole('row')
      .slice(1)
      .map((row) => row.textContent),
  ).toEqual([
    'northLegacyNoYes',
    'northFee, %—1,25',
    'kestrelRoleMinerAdmin',
    'kestrelFee, %—1,25',
    'saltflatFee, %—1,25',
  ]);
  expect(updates(api)).toEqual([]);
  await person.click(screen.getByRole('button', { name: 'Save: 3' }));
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(updates(api)).toEqual([
    [
      { id: 1, version: 4, isLegacyUser: true, feePercent: 1.25 },
      { id: 2, version: 4, role: 'admin', feePercent: 1.25 },
      { id: 3, version: 4, feePercent: 1.25 },
    ],
  ]);
});

test('what is not valid cannot be saved', async () => {
  const { user: person } = await open();
  await person.type(await screen.findByLabelText('kestrel: Fee, %'), '101');
  await person.click(screen.getByRole('button', { name: 'Review changes: 1' }));
  expect(screen.getByText('Cells to correct: 1')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Save: 1' })).toBeDisabled();
});

test('a row that somebody else has changed is named and read again; nothing is overwritten unseen', async () => {
  const { api, user: person } = await open({
    'PUT /bulkUpdateUsers': () => {
      throw new ApiError({
        ...problem(422, 'changed_meanwhile').problem,
        errors: [{ path: 'updates.0', message: 'changed' }],
      });
    },
  });
  await person.type(await screen.findByLabelText('kestrel: Fee, %'), '2');
  await person.click(screen.getByRole('button', { name: 'Review changes: 1' }));
  api.answer({ 'GET /admin/editUsers': answer([user(1), user(2, { feePercent: 5, version: 5 }), user(3)]) });
  await person.click(screen.getByRole('button', { name: 'Save: 1' }));
  expect(await screen.findByText(/kestrel/, { selector: '[role=alert] bdi' })).toBeVisible();
  expect(screen.getByText(/The rows were reloaded/)).toBeVisible();
  expect(await screen.findByText('5')).toBeVisible();
  expect(screen.getByRole('table', { name: 'Changes' })).toHaveTextContent('kestrelFee, %52');
  api.answer({ 'PUT /bulkUpdateUsers': { changed: 1 } });
  await person.click(screen.getByRole('button', { name: 'Save: 1' }));
  await waitFor(() => expect(updates(api).at(-1)).toEqual([{ id: 2, version: 5, feePercent: 2 }]));
});
