import { ApiError, type Answer } from '@pool/shared';
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
import { ClosingPage } from '../closing/closing-page';
import { CorrectionsPage } from '../corrections/corrections-page';

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
  api.sent('PUT /bulkUpdatePayments').map((options) => (options as { body: { payments: unknown[] } }).body.payments);

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

describe('closing', () => {
  const A = 'SHA256_ASICBOOST';
  type Closing = Answer<'GET /admin/closing'>;
  const WAITING: NonNullable<Closing['waiting']> = {
    day: '2026-11-20',
    tag: 'seen',
    findings: [
      { kind: 'account', algorithm: A, name: 'ghost', hashrate: 5e22, usual: null, grossSat: 2.4e12, payable: false },
      { kind: 'account', algorithm: A, name: 'farm', hashrate: 5e16, usual: 2e14, grossSat: 2_450_000, payable: true },
      { kind: 'upstream', algorithm: A, name: 'a:1 b', hashrate: 5e16, usual: 4e16, grossSat: 490_000, payable: true },
    ],
  };
  const row = (upstream: string, accepted: number, counted: number | null = null): Closing['upstreams'][number] => ({
    day: '2026-11-20',
    algorithm: A,
    upstream,
    accepted,
    credited: 1000,
    acceptedShares: 10,
    creditedShares: 10,
    counted,
  });
  const open = (decided: object | (() => never)) =>
    renderPage(<ClosingPage />, {
      path: '/admin/payments/closing',
      role: 'admin',
      api: fakeApi({
        'GET /admin/closing': {
          waiting: WAITING,
          upstreams: [row('a:1 b', 960), row('c:2 d', 990), row('e:3 f', 0), row('g:4 h', 1000, 940)],
        },
        'POST /admin/closing/{day}': decided as never,
      }),
    });

  beforeEach(desktop);

  test('says why a day waits, and marks an upstream that accepted over 2 % less than was credited', async () => {
    await open({});
    const notice = await screen.findByText(/is not closed: it waits for your decision/);
    expect(notice).toHaveTextContent(
      /Sub-account ghost: .* nothing in the 14 days before\..*More than any sub-account/,
    );
    expect(notice).toHaveTextContent(
      /Sub-account farm: 50\.00 PH\/s of SHA256; highest in the 14 days before: 200\.00 TH\/s/,
    );
    const table = screen.getByRole('table', { name: 'Accepted by upstream pools and credited to miners' });
    const texts = within(table)
      .getAllByRole('row')
      .slice(1)
      .map(({ textContent }) => textContent);
    expect(texts[0]).toMatch(/a:1 b.*960 estimate.*\+4\.17\s% above 2 %$/);
    expect(texts[1]).toMatch(/c:2 d.*\+1\.01\s%$/);
    expect(texts[2]).toMatch(/e:3 f.*—$/);
    expect(texts[3]).toMatch(/g:4 h.*940 as the pool counts.*\+6\.38\s% above 2 %$/);
  });

  test('the decision names what was seen, what is withheld, and the reason', async () => {
    const { api, user } = await open({ days: 1, accounts: 2, grossSat: 0, netSat: 0, payments: 3 });
    await user.click(await screen.findByRole('button', { name: 'Decide…' }));
    const dialog = await screen.findByRole('dialog', { name: /^Close / });
    const close = within(dialog).getByRole('button', { name: 'Close the day' });
    expect(close).toBeDisabled();
    expect(within(dialog).getByRole('checkbox', { name: /ghost/ })).toBeChecked();
    expect(within(dialog).getByRole('checkbox', { name: /ghost/ })).toBeDisabled();
    expect(within(dialog).getByRole('checkbox', { name: /farm/ })).not.toBeChecked();
    await user.click(within(dialog).getByRole('checkbox', { name: /farm/ }));
    await user.click(within(dialog).getByRole('checkbox', { name: /farm/ }));
    await user.type(within(dialog).getByRole('textbox', { name: /Reason/ }), 'called the farm');
    await user.click(close);
    await screen.findByText('The day is closed; payments created: 3');
    expect(api.sent('POST /admin/closing/{day}')).toEqual([
      {
        params: { day: '2026-11-20' },
        body: { tag: 'seen', reason: 'called the farm', withhold: [{ account: 'ghost', algorithm: A }] },
      },
    ]);
  });

  test('where the findings have changed the dialog says so and closes nothing more', async () => {
    const { user } = await open(() => {
      throw new ApiError({ type: 'about:blank', title: 'Conflict', status: 409, code: 'changed_meanwhile' });
    });
    await user.click(await screen.findByRole('button', { name: 'Decide…' }));
    const dialog = await screen.findByRole('dialog', { name: /^Close / });
    await user.type(within(dialog).getByRole('textbox', { name: /Reason/ }), 'x');
    await user.click(within(dialog).getByRole('button', { name: 'Close the day' }));
    expect(await within(dialog).findByRole('alert')).toHaveTextContent(/look again before you decide/);
    await waitFor(() => expect(within(dialog).getByRole('button', { name: 'Close the day' })).toBeDisabled());
  });

  describe('corrections', () => {
    const EARNING = { account: 'kestrel', algorithm: 'SHA256_ASICBOOST', day: '2026-11-19' } as const;
    const made = (
      id: number,
      before: number,
      after: number,
      last: boolean,
    ): Answer<'GET /admin/adjustments'>['rows'][number] => ({
      ...EARNING,
      id,
      at: '2026-11-20T10:00:00.000Z',
      grossSatBefore: before,
      grossSat: after,
      note: `reason ${id}`,
      by: 'boss',
      last,
    });

    const open = (answers: FakeAnswers, gross: number) =>
      renderPage(<CorrectionsPage />, {
        path: '/admin/payments/corrections',
        role: 'admin',
        api: fakeApi({
          'GET /admin/adjustments': { rows: [], total: 0, nextCursor: null },
          'GET /admin/lateWork': [],
          'GET /earnings/{day}/math': {
            ...EARNING,
            status: 'final',
            meanHashrate: 1e15,
            computedGrossSat: 1000,
            grossSat: gross,
            feePercent: 1.5,
          } as never,
          'PUT /earnings/{day}': {} as never,
          ...answers,
        }),
      });

    test('row 29: nothing is edited: the last correction is reversed by another, from the amount that was seen', async () => {
      const rows = [made(2, 900, 1200, true), made(1, 1000, 900, false)];
      const { api, user } = await open({ 'GET /admin/adjustments': { rows, total: 2, nextCursor: null } }, 1200);
      const table = await screen.findByRole('table', { name: 'Corrections' });
      expect(within(table).getByText('Corrected again')).toBeVisible();
      const [reverse, ...others] = within(table).getAllByRole('button', { name: /Reverse/ });
      expect(others).toEqual([]);
      await user.click(reverse!);
      const dialog = await screen.findByRole('dialog', { name: 'Reverse a correction' });
      const book = within(dialog).getByRole('button', { name: 'Reverse' });
      await within(dialog).findByText(/The gross falls by/);
      expect(book).toBeDisabled();
      await user.type(within(dialog).getByRole('textbox', { name: /Reason/ }), 'counted twice');
      await user.click(book);
      await waitFor(() =>
        expect(api.sent('PUT /earnings/{day}')).toEqual([
          {
            params: { day: EARNING.day },
            body: {
              account: EARNING.account,
              algorithm: EARNING.algorithm,
              grossSat: 900,
              expectedGrossSat: 1200,
              note: 'counted twice',
            },
          },
        ]),
      );
    });

    test('late work: its correction proposes the right amount, and names the work that it pays', async () => {
      const late = { ...EARNING, grossSat: 1000, rightSat: 1500, work: 2.5e9 };
      const { api, user } = await open({ 'GET /admin/lateWork': [late] }, 1000);
      await user.click(await screen.findByRole('button', { name: 'Correct…' }));
      const dialog = await screen.findByRole('dialog');
      await user.type(await within(dialog).findByRole('textbox', { name: /Reason/ }), 'late');
      await user.click(within(dialog).getByRole('button', { name: 'Book the correction' }));
      await waitFor(() =>
        expect(api.calls.find(({ call }) => call.startsWith('PUT'))?.options).toMatchObject({
          body: { grossSat: 1500, expectedGrossSat: 1000, paidWork: 2.5e9 },
        }),
      );
    });
  });
});
