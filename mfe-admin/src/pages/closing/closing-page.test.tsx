import type { Answer } from '@pool/shared';
import { desktop, fakeApi, refusing, renderPage, rowsOf, textsIn } from '@pool/shared/testing';
import { screen, waitFor, within } from '@testing-library/react';
import { ClosingPage } from './closing-page';

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
  expect(notice).toHaveTextContent(/Sub-account ghost: .* nothing in the 14 days before\..*More than any sub-account/);
  expect(notice).toHaveTextContent(
    /Sub-account farm: 50\.00 PH\/s of SHA256; highest in the 14 days before: 200\.00 TH\/s/,
  );
  const table = screen.getByRole('table', { name: 'Accepted by upstream pools and credited to miners' });
  const texts = textsIn(rowsOf(table));
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
  const { user } = await open(refusing(409, 'changed_meanwhile'));
  await user.click(await screen.findByRole('button', { name: 'Decide…' }));
  const dialog = await screen.findByRole('dialog', { name: /^Close / });
  await user.type(within(dialog).getByRole('textbox', { name: /Reason/ }), 'x');
  await user.click(within(dialog).getByRole('button', { name: 'Close the day' }));
  expect(await within(dialog).findByRole('alert')).toHaveTextContent(/look again before you decide/);
  await waitFor(() => expect(within(dialog).getByRole('button', { name: 'Close the day' })).toBeDisabled());
});
