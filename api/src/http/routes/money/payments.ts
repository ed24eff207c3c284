import { writeAudit } from '../../../platform/audit';
import { summaryOf } from '../../../money/payouts/balance';
import { earningsOf, monthlyOf } from '../../../money/payouts/earnings-list';
import { balanceOf, paymentsOf } from '../../../money/payouts/payments';
import { ALL_ACCOUNTS } from '@pool/shared/domain';
import { readableAccount, readableAccounts } from '../../context/readable-accounts';
import { nextCursor, offsetOf } from '../../server/cursor';
import type { Deps } from '../../context/deps';
import { actorOf } from '../../auth/principal';
import type { Handlers } from '../../auth/route';

const idsOf = (accounts: readonly { id: number }[]): number[] => accounts.map(({ id }) => id);

export function paymentRoutes(deps: Deps) {
  const { pool, closeDays, config, now } = deps;
  return {
    'GET /payment/': async ({ me, query }) =>
      summaryOf(pool, await readableAccounts(deps, me, query.currentAccount), now()),
    'GET /paymentsHistory/': async ({
      me,
      query: { accountName = ALL_ACCOUNTS, from, to, kind, search, limit, cursor },
    }) => {
      const offset = offsetOf(cursor);
      const accounts = await readableAccounts(deps, me, accountName);
      if (kind === 'payouts') {
        const page = await paymentsOf(pool, idsOf(accounts), { from, to, search }, { limit, offset });
        const next = nextCursor(offset, page.rows.length, page.total);
        return { kind, ...page, nextCursor: next, explorer: config.EXPLORER_TX_URL ?? null };
      }
      const page = await earningsOf(pool, accounts, { from, to }, { limit, offset }, now());
      return { kind, ...page, nextCursor: nextCursor(offset, page.rows.length, page.total) };
    },
    'GET /earnings/monthly': async ({ me, query: { accountName = ALL_ACCOUNTS } }) =>
      monthlyOf(pool, idsOf(await readableAccounts(deps, me, accountName)), now()),
    'GET /getSubAccountBalance/': async ({ me, query }) => {
      const { id } = await readableAccount(deps, me, query.subAccountName);
      return balanceOf(pool, id);
    },
    'POST /calculatePayments/': async ({ body, ...c }) => {
      const answer = await closeDays(body.day);
      await writeAudit(pool, actorOf(c), 'payments.calculate', body.day ?? null, { after: answer });
      return answer;
    },
  } satisfies Partial<Handlers>;
}
