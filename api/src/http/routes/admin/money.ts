/** Admins and money beside payments: rules, the preview of the calculation, corrections, late work, bonus requests. */
import { adjustmentsOf } from '../../../money/accounting/adjust';
import { writeAudit } from '../../../platform/audit';
import { bonusRequests, decideBonus } from '../../../money/bonus';
import { transaction } from '../../../platform/db/transaction';
import { lateWork } from '../../../ops/late-work';
import { coolDownOf, waitingRun } from '../../../money/payouts/cool-down';
import { fourEyesOf, setFourEyes } from '../../../money/payouts/four-eyes-setting';
import { once } from '../../auth/idempotency';
import { actorOf } from '../../auth/principal';
import type { Handlers } from '../../auth/route';
import type { Deps } from '../../context/deps';
import { paged } from '../../server/cursor';
import { problems } from '../../../platform/refused';
import { upstreamDays } from '../../../money/accounting/upstream-days';
import { addDays, dayOf } from '../../../platform/days';
import { DayWaits } from '../../../money/jobs/closing-gate';

const SHOWN_DAYS = 31;

export function adminMoneyRoutes({ config, pool, closeDays, now }: Deps) {
  return {
    // The day that waits for an admin's decision, and what upstreams accepted against what miners were credited.
    'GET /admin/closing': async () => ({
      waiting: closeDays.waiting(),
      upstreams: await upstreamDays(pool, addDays(dayOf(now()), 1 - SHOWN_DAYS)),
    }),
    'POST /admin/closing/{day}': async ({ params: { day }, body, ...c }) => {
      const actor = actorOf(c);
      const answer = await closeDays(day, { ...body, day, actor }).catch((error: unknown) => {
        if (error instanceof DayWaits)
          throw problems.conflict('changed_meanwhile', 'What was found about that day has changed: look again.');
        throw error;
      });
      await writeAudit(pool, actor, 'payments.calculate', day, { after: answer });
      return answer;
    },
    'GET /admin/paymentSettings': async () => ({
      ...(await fourEyesOf(pool)),
      waiting: await waitingRun(pool, coolDownOf(config), now()),
    }),
    'PUT /admin/paymentSettings': {
      shows: ({ body }) => (body.fourEyes ? null : { before: { on: true }, after: { on: false } }),
      handle: async ({ body, ...c }) => {
        const { userName } = c.me.user;
        const rules = await transaction(pool, (client) => setFourEyes(client, actorOf(c), userName, body, now()));
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
    'GET /admin/adjustments': ({ query }) => paged(query, (page) => adjustmentsOf(pool, page.search, page)),
    'GET /admin/lateWork': () => lateWork(pool),
    'GET /admin/bonusRequests': ({ query }) => paged(query, (page) => bonusRequests(pool, page, page)),
    'PUT /admin/bonusRequests': async ({ query: { id }, body, ...c }) => {
      const { answer } = await once(pool, c.me, c.request, now(), async (client) => {
        const decided = await decideBonus(client, id, body, { adminId: c.me.user.id, at: now() });
        await writeAudit(client, actorOf(c), `bonus.${body.status}`, decided.email, { after: { id, ...body } });
        return decided;
      });
      return answer;
    },
  } satisfies Partial<Handlers>;
}
