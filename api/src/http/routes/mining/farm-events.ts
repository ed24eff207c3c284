/** What broke where: the events of an account's owner, of the sub-accounts that the caller may read. */
import type { FarmEvent } from '@pool/shared/api/contract';
import { ALL_ACCOUNTS, DEFAULT_ALGORITHM, type AlgorithmName } from '@pool/shared/domain';
import { changeEvent, eventWorkers, farmEvents, holdsEvent } from '../../../alerts/event-calls';
import { actorOf, type Principal } from '../../auth/principal';
import type { Handlers } from '../../auth/route';
import type { Deps } from '../../context/deps';
import { readableAccount } from '../../context/readable-accounts';
import { problems } from '../../../platform/refused';

const DAY_S = 86_400;

type Asked = { userName?: string; algorithm?: AlgorithmName; since?: number; until?: number; limit?: number };

/** The owner, and ids of the sub-accounts of that owner that the caller may read. */
async function placeOf(deps: Deps, me: Principal, userName: string | undefined) {
  const one = userName === ALL_ACCOUNTS ? undefined : await readableAccount(deps, me, userName);
  return one && one.userId !== me.user.id
    ? { userId: one.userId, accounts: [one.id] }
    : { userId: me.user.id, accounts: await deps.accounts.whole(me) };
}

/** Events as the caller may read them: those that are open or ended after `since` (left out: a day ago). */
export async function farmEventsFor(
  deps: Deps,
  me: Principal,
  { userName, algorithm = DEFAULT_ALGORITHM, since = deps.now() - DAY_S, until, limit }: Asked,
): Promise<FarmEvent[]> {
  const asked = { ...(await placeOf(deps, me, userName)), algorithm, since, until, limit };
  const events = await farmEvents(deps.pool, asked, deps.now(), me.ability.can('read', 'payments'));
  // A watcher link or an API key is given away: where machines stand, and who looks after them, is not told.
  return me.token === undefined
    ? events
    : events.map((event) => ({
        ...event,
        ...(event.by === 'address' ? { by: 'workers' as const, value: '' } : {}),
        ...{ acknowledged: null, note: null },
      }));
}

export function farmEventRoutes(deps: Deps) {
  const { pool } = deps;
  return {
    'GET /farmEvents': ({ me, query }) => farmEventsFor(deps, me, query),
    'GET /farmEvents/{id}/workers': async ({ me, params, query: { userName } }) => {
      const workers = await eventWorkers(pool, params.id, (await placeOf(deps, me, userName)).accounts);
      if (workers.length === 0) throw problems.notFound();
      return workers;
    },
    'PUT /farmEvents/{id}': async ({ params: { id }, query, body, ...c }) => {
      const { accounts: own } = await placeOf(deps, c.me, query.userName);
      if ((await eventWorkers(pool, id, own)).length === 0) throw problems.notFound();
      // An event that somebody looks after is silent for everybody: that is for readers of all its workers.
      if (!(await holdsEvent(pool, id, own))) throw problems.forbidden();
      await changeEvent(pool, { id, ...body }, actorOf(c));
      return farmEventsFor(deps, c.me, query);
    },
  } satisfies Partial<Handlers>;
}
