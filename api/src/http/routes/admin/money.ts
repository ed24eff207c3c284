/** Admins and money beside payments: rules, the preview of the calculation, corrections, late work, bonus requests. */
import { NEW_ADMIN } from '../../../accounts/second-admin';
import { adjustmentsOf } from '../../../money/accounting/adjust';
import { writeAudit } from '../../../platform/audit';
import { announceNotes } from '../../../messages/notifications';
import { BonusRefused, bonusRequests, decideBonus } from '../../../money/bonus';
import { transaction } from '../../../platform/db/transaction';
import { lateWork } from '../../../ops/late-work';
import { coolDownOf, waitingRun } from '../../../money/payouts/cool-down';
import { fourEyesOf, NewAdmin, setFourEyes } from '../../../money/payouts/four-eyes';
import { once } from '../../auth/idempotency';
import type { Handlers } from '../../auth/route';
import { notClosed } from '../../context/closing';
import type { Deps } from '../../context/deps';
import { paged } from '../../server/cursor';
import { problems } from '../../server/problem';

const BONUS_REFUSED = {
  already_decided: 'Somebody has decided this request already.',
  unknown_account: 'There is no such sub-account.',
} as const;

export function adminMoneyRoutes({ bus, config, pool, closeDays, now }: Deps) {
  return {
    'GET /admin/paymentSettings': async () => ({
      ...(await fourEyesOf(pool)),
      waiting: await waitingRun(pool, coolDownOf(config), now()),
    }),
    'PUT /admin/paymentSettings': async ({ me, body, request }) => {
      const actor = { actorId: me.user.id, ip: request.ip };
      const { rules, notes } = await transaction(pool, (client) =>
        setFourEyes(client, actor, me.user.userName, body, now()),
      ).catch((error: unknown) => {
        throw error instanceof NewAdmin ? problems.conflict('new_admin', NEW_ADMIN) : error;
      });
      announceNotes(bus, notes);
      return { ...rules, waiting: await waitingRun(pool, coolDownOf(config), now()) };
    },
    'GET /admin/calculation': async () => {
      const { days, payments, uncounted, waiting } = await closeDays.preview().catch(notClosed);
      return {
        days: days.map(({ accountIds, ...sums }) => ({ ...sums, accounts: accountIds.length })),
        payments,
        uncounted: uncounted.map(({ day, why, lines }) => ({ day, why, shares: lines })),
        waiting,
      };
    },
    'GET /admin/adjustments': async ({ query: { search, limit, cursor } }) => {
      return paged(cursor, (offset) => adjustmentsOf(pool, search, { limit, offset }));
    },
    'GET /admin/lateWork': () => lateWork(pool),
    'GET /admin/bonusRequests': async ({ query: { limit, cursor, ...filter } }) => {
      return paged(cursor, (offset) => bonusRequests(pool, filter, { limit, offset }));
    },
    'PUT /admin/bonusRequests': async ({ me, request, query: { id }, body }) => {
      const { answer } = await once(pool, me, request, now(), async (client) => {
        const decided = await decideBonus(client, id, body, { adminId: me.user.id, at: now() });
        const actor = { actorId: me.user.id, ip: request.ip };
        await writeAudit(client, actor, `bonus.${body.status}`, decided.email, { after: { id, ...body } });
        return decided;
      }).catch((error: unknown) => {
        if (!(error instanceof BonusRefused)) throw error;
        throw error.code === 'not_found'
          ? problems.notFound()
          : problems.conflict(error.code, BONUS_REFUSED[error.code]);
      });
      return answer;
    },
  } satisfies Partial<Handlers>;
}
