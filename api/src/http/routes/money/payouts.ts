import { writeAudit } from '../../../platform/audit';
import type { PayoutSettings } from '@pool/shared/api/contract';
import { transaction } from '../../../platform/db/transaction';
import { findSubAccount, type SubAccountRow } from '../../../accounts/accounts';
import { THRESHOLD } from '../../../money/payouts/balance';
import { coolDownOf, waitingRun } from '../../../money/payouts/cool-down';
import { refreshReasons } from '../../../money/payouts/open-payments';
import { allPayments, paymentById, paymentsOf } from '../../../money/payouts/payments';
import { readableAccount } from '../../context/readable-accounts';
import { paged } from '../../server/cursor';
import type { Deps } from '../../context/deps';
import { found } from '../../../platform/refused';
import { actorOf } from '../../auth/principal';
import type { Handlers } from '../../auth/route';
import { changePayment, changePayments, failedAfterSending } from './payment-moves';
import { rowsOf } from '../../../platform/db/querier';

type Payout = Pick<SubAccountRow, 'name' | 'thresholdSat' | 'payoutPaused'>;
const settingsOf = ({ name, thresholdSat, payoutPaused: paused }: Payout): PayoutSettings => {
  return { account: name, thresholdSat, paused, ...THRESHOLD };
};

export function payoutRoutes(deps: Deps) {
  const { pool, now } = deps;
  return {
    'GET /payoutSettings': async ({ me, query }) => settingsOf(await readableAccount(deps, me, query.accountName)),
    'PUT /payoutSettings': async ({ query, body, ...c }) => {
      const { user } = c.me;
      const account = found(await findSubAccount(pool, query.accountName ?? user.userName, user.id));
      return transaction(pool, async (client) => {
        const [row = account] = await rowsOf<Payout>(client)`
          update sub_account
          set threshold_sat = coalesce(${body.thresholdSat ?? null}, threshold_sat),
            payout_paused = coalesce(${body.paused ?? null}, payout_paused)
          where id = ${account.id} returning name, threshold_sat, payout_paused`;
        await refreshReasons(client, now(), account.id);
        const factsOf = ({ thresholdSat, payoutPaused: paused }: Payout) => ({ thresholdSat, paused });
        const facts = { before: factsOf(account), after: factsOf(row) };
        await writeAudit(client, actorOf(c), 'payout_settings.change', row.name, facts);
        return settingsOf(row);
      });
    },
    'GET /getSubAccountPayments/': async ({ me, query }) => {
      const { id } = await readableAccount(deps, me, query.subAccountName);
      return paged(query, (page) => paymentsOf(pool, [id], page, page));
    },
    'GET /getPayments/': ({ query }) => paged(query, (page) => allPayments(pool, page, page)),
    'PUT /payments/': {
      shows: ({ query, body }) => failedAfterSending(pool, [{ ...body, id: query.id }]),
      handle: (c) => changePayment(deps, c, c.query.id, c.body),
    },
    'POST /paymentsHistory/{id}': {
      shows: ({ params, body }) => (body.status ? failedAfterSending(pool, [{ ...body, id: params.id }]) : null),
      handle: async (c) => {
        if (c.body.status) return changePayment(deps, c, c.params.id, c.body);
        const payment = found(await paymentById(pool, c.params.id));
        return changePayment(deps, c, c.params.id, { status: 'queued', version: payment.version });
      },
    },
    'PUT /paymentsHistory/{id}': {
      shows: ({ params, body }) => failedAfterSending(pool, [{ ...body, id: params.id }]),
      handle: (c) => changePayment(deps, c, c.params.id, c.body),
    },
    'PUT /bulkUpdatePayments': {
      shows: ({ body }) => failedAfterSending(pool, body.payments),
      handle: (c) => changePayments(deps, c, c.body.payments),
    },
    'POST /admin/stopPayoutRun': async (c) => {
      const coolDown = coolDownOf(deps.config);
      // Approved payments of a run that does not wait are not stopped by a click meant for another.
      const isWaiting = (await waitingRun(pool, coolDown, now())) !== null;
      const rows = await rowsOf<{ id: number; version: number }>(pool)`
        select id, version from payment where ${isWaiting} and status = 'queued'
          and queued_at > to_timestamp(${now() - (coolDown?.seconds ?? 0)}::float8) order by id`;
      const note = `stopped by ${c.me.user.userName}`;
      const cancelled = rows.map((row) => ({ ...row, status: 'cancelled' as const, note }));
      return changePayments(deps, c, cancelled);
    },
  } satisfies Partial<Handlers>;
}
