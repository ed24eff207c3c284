/** The day that waits for an admin's decision, and what upstreams accepted against what miners were credited. */
import { upstreamDays } from '../../../money/accounting/upstream-days';
import { writeAudit } from '../../../platform/audit';
import { addDays, dayOf } from '../../../platform/days';
import { DayWaits } from '../../../money/jobs/closing-gate';
import type { Handlers } from '../../auth/route';
import { notClosed } from '../../context/closing';
import type { Deps } from '../../context/deps';
import { problems } from '../../server/problem';

const SHOWN_DAYS = 31;

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
        return notClosed(error);
      });
      await writeAudit(pool, actor, 'payments.calculate', day, { after: answer });
      return answer;
    },
  } satisfies Partial<Handlers>;
}
