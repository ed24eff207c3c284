import { ApiError, type Answer } from '@pool/shared';
import { desktop, type FakeAnswers, fakeApi, renderPage } from '@pool/shared/testing';
import { screen, waitFor, within } from '@testing-library/react';
import { CorrectionsPage } from './corrections-page';

beforeEach(desktop);

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

test('nothing is edited: the last correction is reversed by another, from the amount that was seen', async () => {
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

test('late work of a day without an earning: its correction makes one', async () => {
  const late = { ...EARNING, grossSat: 0, rightSat: 1500, work: 2.5e9 };
  const { api, user } = await open(
    {
      'GET /admin/lateWork': [late],
      'GET /earnings/{day}/math': () => {
        throw new ApiError({ type: '', title: 'Not found', status: 404, code: 'not_found' });
      },
    },
    0,
  );
  await user.click(await screen.findByRole('button', { name: 'Correct…' }));
  const dialog = await screen.findByRole('dialog');
  expect(await within(dialog).findByText(/has no earning of this day/)).toBeVisible();
  expect(within(dialog).queryByRole('alert')).toBeNull();
  await user.type(within(dialog).getByRole('textbox', { name: /Reason/ }), 'late');
  await user.click(within(dialog).getByRole('button', { name: 'Book the correction' }));
  await waitFor(() =>
    expect(api.calls.find(({ call }) => call.startsWith('PUT'))?.options).toMatchObject({
      body: { grossSat: 1500, expectedGrossSat: 0, paidWork: 2.5e9 },
    }),
  );
});

test('late work: its correction proposes the right amount, and names the work that it pays', async () => {
  const late = { ...EARNING, grossSat: 1000, rightSat: 1500, work: 2.5e9 };
  const { api, user } = await open({ 'GET /admin/lateWork': [late] }, 1000);
  await user.click(await screen.findByRole('button', { name: 'Correct…' }));
  const dialog = await screen.findByRole('dialog');
  await user.type(await within(dialog).findByRole('textbox', { name: /Reason/ }), 'late');
  const book = within(dialog).getByRole('button', { name: 'Book the correction' });
  const gross = within(dialog).getByRole('spinbutton');
  expect(gross).toHaveValue('1500');
  await user.clear(gross);
  expect(gross).toHaveValue('');
  expect(book).toBeDisabled();
  await user.type(gross, '1400');
  await user.click(book);
  await waitFor(() =>
    expect(api.calls.find(({ call }) => call.startsWith('PUT'))?.options).toMatchObject({
      body: { grossSat: 1400, expectedGrossSat: 1000, paidWork: 2.5e9 },
    }),
  );
});
