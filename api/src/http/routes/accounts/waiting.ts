import type { Call, WaitingChange } from '@pool/shared/api/contract';
import { waitingIn, type Waiting } from '../../../accounts/waiting/waiting';
import { mayDo } from '../../../accounts/waiting/who-decides';
import type { Querier } from '../../../platform/db/querier';
import { personOf, type Principal } from '../../auth/principal';
import { handleOf, type Handlers } from '../../auth/route';
import { confirmWaiting, deciderOf, endWaiting, waitsOf, type Given } from '../../auth/waiting';
import type { Deps } from '../../context/deps';
import { problems } from '../../../platform/refused';
import type { Context } from '../../auth/route';
import { shownOrganization } from './organizations';

/** What waits where the caller acts, as far as it is his to see. */
async function waitingFor(db: Querier, me: Principal): Promise<WaitingChange[]> {
  const by = deciderOf(me);
  const rows = me.member || by.isAdmin ? await waitingIn(db, me.member?.organizationId ?? null) : [];
  return rows.flatMap((row) => toAnswer(row, mayDo(row, by), personOf(me).id));
}

function toAnswer(row: Waiting, may: ReturnType<typeof mayDo>, personId: number): WaitingChange[] {
  const waits = waitsOf(row.call);
  if (!waits || !may.see) return [];
  const { id, name: by, askedBy, askedAt, endsAt, endsAs, organizationId, shown } = row;
  const isHeld = endsAs === 'done';
  return [
    {
      ...{ id, kind: waits.shows, by, shown, own: askedBy === personId, mayConfirm: may.confirm },
      ...{ at: askedAt.toISOString(), until: endsAt.toISOString() },
      waitsFor: isHeld ? 'time' : organizationId === null ? 'admin' : 'owner',
      // What is held is taken back by the call of the page that it is about.
      mayEnd: may.end && !isHeld,
    },
  ];
}

export function waitingRoutes(deps: Deps, own: () => Handlers) {
  const confirm = async (
    id: number,
    { me, request, reply }: Pick<Context<'GET /waiting'>, 'me' | 'request' | 'reply'>,
  ) => {
    const make = (call: Call, given: Given) =>
      handleOf(own()[call as keyof Handlers])({ ...given, me, request, reply });
    const { call, answer } = await confirmWaiting(deps, id, { me, request }, make);
    return { isClosed: call === 'DELETE /account', link: (answer as { link?: string | null }).link ?? null };
  };
  return {
    'GET /waiting': async ({ me }) => ({ changes: await waitingFor(deps.pool, me) }),
    'POST /waiting/{id}': async ({ params, ...context }) => ({ link: (await confirm(params.id, context)).link }),
    'DELETE /waiting/{id}': async ({ params, ...context }) => {
      await endWaiting(deps, params.id, context);
      return { ended: true as const };
    },
    'POST /organization/requests/{id}': async ({ params, ...context }) => {
      if (!context.me.member) throw problems.conflict('not_member', 'You act in no organization.');
      const { isClosed, link } = await confirm(params.id, context);
      return { organization: isClosed ? null : await shownOrganization(deps.pool, context.me), link };
    },
    'DELETE /organization/requests/{id}': async ({ params, ...context }) => {
      await endWaiting(deps, params.id, context);
      return { organization: await shownOrganization(deps.pool, context.me) };
    },
  } satisfies Partial<Handlers>;
}
