/** What broke where: the events of an account's owner, of the sub-accounts that the caller may read. */
import { DEFAULT_ALGORITHM, type AlgorithmName } from '@pool/shared/domain';
import { changeEvent, eventWorkers, farmEvents, holdsEvent } from '../../../alerts/event-calls';
import type { Principal } from '../../auth/principal';
import type { Handlers } from '../../auth/route';
import type { Deps } from '../../context/deps';
import { readableAccount } from '../../context/readable-accounts';
import { problems } from '../../server/problem';

const DAY_S = 86_400;

export function farmEventRoutes(deps: Deps) {
  const { pool, accounts, now } = deps;
  /** The owner, and ids of the sub-accounts of that owner that the caller may read. */
  const placeOf = async (me: Principal, userName: string | undefined) => {
    const { id, userId } = await readableAccount(deps, me, userName);
    return { userId, accounts: userId === me.user.id ? await accounts.whole(me) : [id] };
  };
  const list = async (
    me: Principal,
    {
      userName,
      algorithm = DEFAULT_ALGORITHM,
      since,
    }: { userName?: string; algorithm?: AlgorithmName; since?: number },
  ) => {
    const asked = { ...(await placeOf(me, userName)), algorithm, since: since ?? now() - DAY_S };
    const events = await farmEvents(pool, asked, now(), me.ability.can('read', 'payments'));
    // A watcher link or an API key is given away: where machines stand, and who looks after them, is not told.
    return me.token === undefined
      ? events
      : events.map((event) => ({
          ...event,
          ...(event.by === 'address' ? { by: 'workers' as const, value: '' } : {}),
          ...{ acknowledged: null, note: null },
        }));
  };
  return {
    'GET /farmEvents': ({ me, query }) => list(me, query),
    'GET /farmEvents/{id}/workers': async ({ me, params, query: { userName } }) => {
      const workers = await eventWorkers(pool, params.id, (await placeOf(me, userName)).accounts);
      if (workers.length === 0) throw problems.notFound();
      return workers;
    },
    'PUT /farmEvents/{id}': async ({ me, params: { id }, query, body, request: { ip } }) => {
      const { accounts: own } = await placeOf(me, query.userName);
      if ((await eventWorkers(pool, id, own)).length === 0) throw problems.notFound();
      // An event that somebody looks after is silent for everybody: that is for readers of all its workers.
      if (!(await holdsEvent(pool, id, own))) throw problems.forbidden();
      await changeEvent(pool, { id, ...body }, { actorId: me.user.id, ip });
      return list(me, query);
    },
  } satisfies Partial<Handlers>;
}
