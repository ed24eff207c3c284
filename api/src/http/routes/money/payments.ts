import { writeAudit } from '../../../accounts/audit';
import { earningsOf, monthlyOf, summaryOf } from '../../../payouts/balance';
import { DayNotClosed } from '../../../accounting/earnings';
import { balanceOf, paymentsOf } from '../../../payouts/payments';
import { readableAccount, readableAccounts } from '../../context/access';
import { nextCursor, offsetOf } from '../../server/cursor';
import type { Deps } from '../../context/deps';
import { HttpProblem } from '../../server/problem';
import type { SomeHandlers } from '../../auth/route';

type Calls =
  | 'GET /payment/'
  | 'GET /paymentsHistory/'
  | 'GET /earnings/monthly'
  | 'GET /getSubAccountBalance/'
  | 'POST /calculatePayments/';

/** What is answered when a day cannot be closed; any other error as it is. */
export const notClosed = (error: unknown): unknown =>
  error instanceof DayNotClosed
    ? new HttpProblem(error.code === 'day_not_finished' ? 400 : 409, error.code, { detail: error.message })
    : error;

export function paymentRoutes(deps: Deps): SomeHandlers<Calls> {
  const {
    database: { pool },
    closeDays,
    config,
    now,
  } = deps;
  return {
    'GET /payment/': async ({ me, query }) =>
      summaryOf(pool, await readableAccount(deps, me, query.currentAccount), now()),
    'GET /paymentsHistory/': async ({ me, query: { accountName, from, to, kind, limit, cursor } }) => {
      const offset = offsetOf(cursor);
      const accounts = await readableAccounts(deps, me, accountName);
      if (kind === 'payouts') {
        const page = await paymentsOf(
          pool,
          accounts.map((account) => account.id),
          { from, to },
          { limit, offset },
        );
        return {
          kind,
          ...page,
          nextCursor: nextCursor(offset, page.rows.length, page.total),
          explorer: config.EXPLORER_TX_URL ?? null,
        };
      }
      const page = await earningsOf(pool, accounts, { from, to }, { limit, offset }, now());
      return { kind, ...page, nextCursor: nextCursor(offset, page.rows.length, page.total) };
    },
    'GET /earnings/monthly': async ({ me, query }) =>
      monthlyOf(
        pool,
        (await readableAccounts(deps, me, query.accountName)).map((account) => account.id),
        now(),
      ),
    'GET /getSubAccountBalance/': async ({ me, query }) => {
      const { unpaidSat, paidSat, heldSat } = await balanceOf(
        pool,
        (await readableAccount(deps, me, query.subAccountName)).id,
      );
      return { unpaidSat, paidSat, heldSat };
    },
    'POST /calculatePayments/': async ({ me, body, request }) => {
      const answer = await closeDays(body.day).catch((error: unknown) => {
        throw notClosed(error);
      });
      const actor = { actorId: me.user.id, ip: request.ip };
      await writeAudit(pool, actor, 'payments.calculate', body.day ?? null, { after: answer });
      return answer;
    },
  };
}
