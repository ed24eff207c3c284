/** Admins and money beside payments: rules, the preview of the calculation, corrections, late work, bonus requests. */
import { adjustmentsOf } from '../../../money/accounting/adjust';
import { writeAudit } from '../../../platform/audit';
import { bonusRequests, decideBonus } from '../../../money/bonus';
import { transaction } from '../../../platform/db/transaction';
import { lateWork } from '../../../ops/late-work';
import { coolDownOf, waitingRun } from '../../../money/payouts/cool-down';
import { fourEyesOf, setFourEyes } from '../../../money/payouts/four-eyes-setting';
import { once } from '../../auth/idempotency';
import type { Handlers } from '../../auth/route';
import type { Deps } from '../../context/deps';
import { paged } from '../../server/cursor';
import { problems } from '../../../platform/refused';
import { upstreamDays } from '../../../money/accounting/upstream-days';
import { addDays, dayOf } from '../../../platform/days';
import { DayWaits } from '../../../money/jobs/closing-gate';

const SHOWN_DAYS = 31;

/** The day that waits for an admin's decision, and what upstreams accepted against what miners were credited. */
export function closingRoutes({ pool, closeDays, now }: Deps) {
  return {
    'GET /admin/closing': async () => ({
      waiting: closeDays.waiting(),
      upstreams: await upstreamDays(pool, addDays(dayOf(now()), 1 - SHOWN_DAYS)),
    }),
    'POST /admin/closing/{day}': async ({ me, request, params: { day }, body }) => {
      const actor = { actorId: me.user.id, ip: request.ip };
      const answer = await closeDays(day, { ...body, day, actor }).catch((error: unknown) => {
        if (error instanceof DayWaits)
          throw problems.conflict('changed_meanwhile', 'What was found about that day has changed: look again.');
        throw error;
      });
      await writeAudit(pool, actor, 'payments.calculate', day, { after: answer });
      return answer;
    },
  } satisfies Partial<Handlers>;
}

export function adminMoneyRoutes({ config, pool, closeDays, now }: Deps) {
  return {
    'GET /admin/paymentSettings': async () => ({
      ...(await fourEyesOf(pool)),
      waiting: await waitingRun(pool, coolDownOf(config), now()),
    }),
    'PUT /admin/paymentSettings': {
      shows: ({ body }) => (body.fourEyes ? null : { before: { on: true }, after: { on: false } }),
      handle: async ({ me, body, request }) => {
        const actor = { actorId: me.user.id, ip: request.ip };
        const rules = await transaction(pool, (client) => setFourEyes(client, actor, me.user.userName, body, now()));
        return { ...rules, waiting: await waitingRun(pool, coolDownOf(config), now()) };
      },
    },
    'GET /admin/calculation': async () => {
      const { days, payments, uncounted, waiting } = await closeDays.preview();
      return {
        days: days.map(({ accountIds, ...sums }) => ({ ...sums, accounts: accountIds.length })),
        payments,
        uncounted: uncounted.map(({ day, why, lines }) => ({ day, why, shares: lines })),
        waiting,
      };
    },
    'GET /admin/adjustments': ({ query: { search, limit, cursor } }) =>
      paged(cursor, (offset) => adjustmentsOf(pool, search, { limit, offset })),
    'GET /admin/lateWork': () => lateWork(pool),
    'GET /admin/bonusRequests': ({ query: { limit, cursor, ...filter } }) =>
      paged(cursor, (offset) => bonusRequests(pool, filter, { limit, offset })),
    'PUT /admin/bonusRequests': async ({ me, request, query: { id }, body }) => {
      const { answer } = await once(pool, me, request, now(), async (client) => {
        const decided = await decideBonus(client, id, body, { adminId: me.user.id, at: now() });
        const actor = { actorId: me.user.id, ip: request.ip };
        await writeAudit(client, actor, `bonus.${body.status}`, decided.email, { after: { id, ...body } });
        return decided;
      });
      return answer;
    },
  } satisfies Partial<Handlers>;
}
