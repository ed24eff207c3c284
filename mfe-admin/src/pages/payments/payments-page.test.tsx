import { ApiError } from '@pool/shared';
import {
  desktop,
  type FakeAnswers,
  type FakeApi,
  fakeApi,
  keepsNames,
  problem,
  refusing,
  type RenderOptions,
  renderPage,
} from '@pool/shared/testing';
import { screen, waitFor, within } from '@testing-library/react';
import type { AdminPayment, Status } from '../../api/payments';
import { payment } from '../../testing/payment';
import { PaymentsPage, ReferralPaymentsPage } from './payments-page';
import { changesOf, movesFrom, sortOut } from './moves';
import { COMMANDS, readTxids } from './exports';

const TX = 'cd'.repeat(32);
const HELD = payment({
  id: 2,
  account: 'hall-2',
  userName: 'aurora-mines',
  amountSat: 1_230_000,
  heldUntil: '2026-11-25T10:00:00.000Z',
  address: '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy',
});
const ALL = [payment(), HELD, payment({ id: 3, account: 'saltflat', userName: 'saltflat', status: 'queued' })];
const page = (all: readonly AdminPayment[]): FakeAnswers['GET /getPayments/'] =>
  (({ query }: { query: { status?: Status } }) => {
    const rows = all.filter(({ status }) => status === query.status);
    const count = (status: Status) => all.filter((each) => each.status === status);
    return {
      rows,
      total: rows.length,
      nextCursor: null,
      totalSat: rows.reduce((sum, { amountSat }) => sum + amountSat, 0),
      sums: (['pending', 'queued'] as const).map((status) => ({
        status,
        count: count(status).length,
        totalSat: count(status).reduce((sum, { amountSat }) => sum + amountSat, 0),
      })),
    };
  }) as never;

const open = (answers: FakeAnswers = {}, options: RenderOptions = {}) =>
  renderPage(<PaymentsPage />, {
    path: '/admin/payments',
    role: 'admin',
    session: { userName: 'boss' },
    api: fakeApi({
      'GET /getPayments/': page(ALL),
      'GET /homePrice/': { price: 100_000, at: null, stale: false },
      'GET /waiting': { changes: [] },
      'GET /admin/paymentSettings': { fourEyes: false, offAskedBy: null, waiting: null },
      'PUT /bulkUpdatePayments': { changed: 1, totalSat: 5_474_000 },
      'GET /audit': { rows: [], total: 0, nextCursor: null },
      ...answers,
    }),
    ...options,
  });
const sent = (api: FakeApi) =>
  (api.bodies('PUT /bulkUpdatePayments') as { payments: unknown[] }[]).map((body) => body.payments);

beforeEach(desktop);

test('names keep their signs at their end in Arabic', () =>
  keepsNames(
    { 'GET /getPayments/': { rows: ALL, total: 3, nextCursor: null, totalSat: 0, sums: [] } },
    'aurora-mines',
    (odd) => open(odd, { language: 'ar' }),
  ));

test('pending payments come oldest first, with their sums; the status is in the URL and in the request', async () => {
  const { api, user } = await open();
  expect(await screen.findByText(/approving moves them to the queue/)).toHaveTextContent('Payments: 2 · 0.06704000');
  const table = screen.getByRole('table', { name: 'Payments' });
  expect(within(table).getByText('aurora-mines').closest('tr')).toHaveTextContent(
    /aurora-mines \/ hall-2.*0\.01230000\$1,230.*Review · address on hold/,
  );
  const asked = () => api.sent('GET /getPayments/').at(-1);
  expect(asked()).toMatchObject({ query: { status: 'pending', order: 'oldest' } });
  await user.click(screen.getByText('Queued'));
  await waitFor(() => expect(asked()).toMatchObject({ query: { status: 'queued', order: 'oldest' } }));
});

test('many are approved at once: the dialog says the total and leaves out what is on hold', async () => {
  const { api, user } = await open();
  await screen.findByText('northfield');
  await user.click(screen.getByRole('checkbox', { name: 'Select all' }));
  const bar = screen.getByRole('region', { name: 'Selected payments' });
  expect(bar).toHaveTextContent('2 selected0.06704000 BTC$6,704 to 2 addresses');
  expect(within(bar).getAllByRole('button')[0]).toHaveTextContent('Approve…');
  await user.click(within(bar).getByRole('button', { name: 'Approve…' }));
  const dialog = await screen.findByRole('dialog', { name: 'Approve these payments?' });
  expect(dialog).toHaveTextContent(/Payments1Total0\.05474000 BTC/);
  expect(dialog).toHaveTextContent(/Not included: 1.*hall-2.*address on hold until 25 Nov 2026/);
  expect(sent(api)).toEqual([]);
  await user.click(within(dialog).getByRole('button', { name: 'Approve: 1' }));
  await waitFor(() => expect(sent(api)).toEqual([[{ id: 1, version: 3, status: 'queued' }]]));
  expect(await screen.findByText('1 payment approved, 0.05474000 BTC')).toBeVisible();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.queryByRole('region', { name: 'Selected payments' })).toBeNull();
});

test('marking as sent needs a transaction id; failing needs a reason', async () => {
  const { api, user } = await open({}, { path: '/admin/payments?status=queued&payment=3' });
  const drawer = await screen.findByRole('dialog', { name: 'Payment 3' });
  await user.click(within(drawer).getByRole('button', { name: 'Mark as sent…' }));
  // Two dialogs have the same generated id in tests, so this one has the other's name.
  const send = (await screen.findByText('Were these payments sent?')).closest<HTMLElement>('[role="dialog"]')!;
  const ok = within(send).getByRole('button', { name: 'Mark as sent: 1' });
  expect(ok).toBeDisabled();
  await user.type(within(send).getByLabelText('Transaction id'), `${TX.toUpperCase()} `);
  await user.type(within(send).getByLabelText(/Network fee/), '1410');
  await user.click(ok);
  await waitFor(() =>
    expect(sent(api)).toEqual([[{ id: 3, version: 3, status: 'sent', txid: TX, networkFeeSat: 1410 }]]),
  );
});

test('a refused change names the row and keeps the dialog; without an answer it can be sent again', async () => {
  let answer: () => never = () => {
    throw new ApiError({
      ...problem(422, 'bulk_refused').problem,
      errors: [{ path: 'payments.0', message: 'payment_state' }],
    });
  };
  const { api, user } = await open({ 'PUT /bulkUpdatePayments': () => answer() });
  await screen.findByText('northfield');
  await user.click(screen.getAllByRole('checkbox', { name: /^Select northfield/ })[0]!);
  await user.click(screen.getByRole('button', { name: 'Cancel payment…' }));
  const dialog = await screen.findByRole('dialog', { name: 'Cancel these payments?' });
  const ok = within(dialog).getByRole('button', { name: 'Cancel payments: 1' });
  await user.click(ok);
  expect(await within(dialog).findByRole('alert')).toHaveTextContent(
    'Nothing was changed.1 northfield: It changed in the meantime, or its state does not allow this.',
  );
  answer = refusing(0, 'offline');
  await user.click(ok);
  expect(await within(dialog).findByText(/The pool does not answer/)).toBeVisible();
  await user.click(ok);
  await waitFor(() => expect(sent(api)).toHaveLength(3));
  expect(sent(api)[2]).toEqual(sent(api)[1]);
  // The server has done it after all: the list knows.
  api.answer({ 'GET /getPayments/': page(ALL.slice(1)) });
  await user.click(ok);
  await within(dialog).findByText(/these payments have already been moved/);
  expect(within(dialog).queryByText(/The pool does not answer/)).toBeNull();
  expect(within(dialog).getByRole('button', { name: 'Cancel payments: 0' })).toBeDisabled();
});

test('a list of transaction ids is checked line by line before anything is sent', async () => {
  const { api, user } = await open();
  await user.click(await screen.findByRole('button', { name: 'More' }));
  await user.click(await screen.findByText('Import transaction ids…'));
  const dialog = await screen.findByRole('dialog', { name: 'Import transaction ids…' });
  const lines = within(dialog).getByRole('textbox');
  await user.click(lines);
  await user.paste(`3 ${TX}\n99 ${TX}`);
  expect(await within(dialog).findByText(/Line 2/)).toHaveTextContent('no payment waiting to be sent');
  expect(within(dialog).getByRole('button', { name: 'Mark as sent: 1' })).toBeDisabled();
  await user.clear(lines);
  await user.paste(`3\t${TX}`);
  await user.click(within(dialog).getByRole('button', { name: 'Mark as sent: 1' }));
  await waitFor(() => expect(sent(api)).toEqual([[{ id: 3, version: 3, status: 'sent', txid: TX }]]));
});

test('the calculation is previewed before it runs', async () => {
  const { user, api } = await open({
    'GET /admin/calculation': {
      days: [{ day: '2026-11-20', accounts: 4, grossSat: 1000, feeSat: 15, referralSat: 1, netSat: 985 }],
      payments: { count: 2, totalSat: 700 },
      uncounted: [{ day: '2026-11-21', why: 'refused', shares: 12 }],
      waiting: null,
    },
    'POST /calculatePayments/': { days: 1, accounts: 4, grossSat: 1000, netSat: 985, payments: 2 },
  });
  await user.click(await screen.findByRole('button', { name: 'Run calculation…' }));
  const dialog = await screen.findByRole('dialog', { name: 'Close finished days' });
  await waitFor(() => expect(within(dialog).getByText('Gross')).toBeVisible());
  expect(dialog).toHaveTextContent(/Days1 · 20 Nov.*To the miners0\.00000985.*Payments created2 · 0\.00000700/);
  // Days of another year than this one have it.
  expect(dialog).toHaveTextContent(/21 Nov( 2026)?: shares set aside: 12/);
  expect(api.sent('POST /calculatePayments/')).toEqual([]);
  await user.click(within(dialog).getByRole('button', { name: 'Run calculation' }));
  await waitFor(() => expect(api.sent('POST /calculatePayments/')).toHaveLength(1));
});

test('referral payments are asked for as such', async () => {
  const answer = page([payment({ trigger: 'referral' })]) as never;
  const { api } = await renderPage(<ReferralPaymentsPage />, {
    path: '/admin/payments/referral',
    role: 'admin',
    api: fakeApi({
      'GET /admin/referralPayments': answer,
      'GET /homePrice/': { price: 100_000, at: null, stale: false },
      'GET /waiting': { changes: [] },
      'GET /admin/paymentSettings': { fourEyes: false, offAskedBy: null, waiting: null },
    }),
  });
  expect(await screen.findByText('northfield')).toBeVisible();
  expect(api.calls.map(({ call }) => call)).toContain('GET /admin/referralPayments');
});

test('without permission shows the same as for a missing page', async () => {
  await open({ 'GET /getPayments/': refusing(403, 'forbidden') });
  expect(await screen.findByText('Page not found')).toBeVisible();
});

test('a run that waits is shown with the time left, and stopped with one click', async () => {
  const waiting = { count: 3, totalSat: 250_000_000, until: new Date(Date.now() + 5.5 * 3_600_000).toISOString() };
  const { user, api } = await open({
    'GET /admin/paymentSettings': { fourEyes: false, offAskedBy: null, waiting },
    'POST /admin/stopPayoutRun': { changed: 3, totalSat: 250_000_000 },
  });
  expect(await screen.findByText(/Approved payments waiting: 3/)).toBeVisible();
  expect(screen.getByText(/It can be sent in 5 h/)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Stop' }));
  expect(await screen.findByText('Payments cancelled: 3')).toBeVisible();
  expect(api.sent('POST /admin/stopPayoutRun')).toHaveLength(1);
});

describe('moves', () => {
  const boss = { userName: 'boss', fourEyes: true };

  test('each state offers what the server allows from it', () => {
    expect(movesFrom('pending')).toEqual(['approve', 'cancel']);
    expect(movesFrom('queued')).toEqual(['hand', 'send', 'fail', 'cancel']);
    expect(movesFrom('unknown')).toEqual(['send', 'fail']);
    expect(movesFrom('sent')).toEqual(['confirm', 'mend', 'fail']);
    expect(movesFrom('failed')).toEqual(['requeue']);
    expect([...movesFrom('confirmed'), ...movesFrom('cancelled')]).toEqual([]);
  });

  test('what cannot be paid is left out, and says why', () => {
    const { moving, left } = sortOut(
      [
        payment({ id: 1 }),
        payment({ id: 2, heldUntil: '2026-11-25T00:00:00.000Z' }),
        payment({ id: 3, address: null }),
        payment({ id: 4, reason: 'paused' }),
        payment({ id: 5, status: 'queued' }),
      ],
      'approve',
      boss,
    );
    expect(moving.map(({ id }) => id)).toEqual([1]);
    expect(left.map(({ payment: { id }, why }) => [id, why])).toEqual([
      [2, 'address_hold'],
      [3, 'no_address'],
      [4, 'paused'],
    ]);
  });

  test('with four eyes only others send; a payment that a node has is marked as sent even on hold', () => {
    const queued = payment({ status: 'queued', approvedBy: 'boss' });
    expect(sortOut([queued], 'send', boss).left).toMatchObject([{ why: 'same_person' }]);
    expect(sortOut([queued], 'send', { ...boss, fourEyes: false }).moving).toHaveLength(1);
    const held = payment({ status: 'unknown', heldUntil: '2026-11-25T00:00:00.000Z' });
    expect(sortOut([held], 'send', boss).moving).toHaveLength(1);
  });

  test('the fee of one transaction is divided without losing a satoshi', () => {
    const changes = changesOf(
      [1, 2, 3].map((id) => payment({ id, status: 'queued' })),
      'send',
      { txid: 'ab'.repeat(32), feeSat: 1001 },
    );
    expect(changes.map((change) => 'networkFeeSat' in change && change.networkFeeSat)).toEqual([334, 334, 333]);
  });

  describe('exports', () => {
    const A = '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2';
    const B = '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy';
    const TX = 'ab'.repeat(32);
    const payments = [
      payment({ id: 7, address: A, amountSat: 1 }),
      payment({ id: 8, address: B, amountSat: 210_000_000 }),
      payment({ id: 9, address: A, amountSat: 29_000_000 }),
    ];

    test('commands pay each address once, with exact amounts', () => {
      expect(COMMANDS.sendmany(payments)).toBe(`bitcoin-cli sendmany "" '{"${A}": 0.29000001, "${B}": 2.10000000}'`);
      const [, outputs = ''] = /'(\[\{.*\}\])'$/.exec(COMMANDS.psbt(payments)) ?? [];
      expect(JSON.parse(outputs)).toEqual([{ [A]: 0.29000001 }, { [B]: 2.1 }]);
    });

    test('transaction ids are matched by id or address, in the forms that people paste', () => {
      const { matched, faults } = readTxids(`id,txid\r\n7,${TX}\n\n"${B}"\t${TX.toUpperCase()}\n`, payments);
      expect(faults).toEqual([]);
      expect(matched.map(({ payment: { id }, txid }) => [id, txid])).toEqual([
        [7, TX],
        [8, TX],
      ]);
    });

    test('every line that cannot be understood is named', () => {
      const { matched, faults } = readTxids(
        [`7 ${TX}`, `7 ${TX}`, `${A} ${TX}`, `99 ${TX}`, '8 abc', '8'].join('\n'),
        payments,
      );
      expect(matched).toHaveLength(1);
      expect(faults.map(({ line, why }) => [line, why])).toEqual([
        [2, 'twice'],
        [3, 'several'],
        [4, 'not_found'],
        [5, 'txid'],
        [6, 'form'],
      ]);
    });
  });
});
