/** A machine under a new name: what looks so, joining it with its former worker, and parting them again. */
import type { WorkerJoins } from '@pool/shared/api/contract';
import { DEFAULT_ALGORITHM, type AlgorithmName } from '@pool/shared/domain';
import { joinsOf, joinWorkers, likelyPairs, partWorkers } from '../../../mining/workers/join';
import { actorOf, type Principal } from '../../auth/principal';
import type { Handlers } from '../../auth/route';
import type { Deps } from '../../context/deps';
import { readableAccount } from '../../context/readable-accounts';
import { problems } from '../../../platform/refused';

type Asked = { userName?: string; algorithm?: AlgorithmName };

async function placeOf(deps: Deps, me: Principal, { userName, algorithm = DEFAULT_ALGORITHM }: Asked) {
  const { id, name } = await readableAccount(deps, me, userName);
  return { subAccountId: id, account: name, algorithm };
}
type Place = Awaited<ReturnType<typeof placeOf>>;

async function shown({ pool, now }: Deps, place: Place): Promise<WorkerJoins> {
  const offers = (await likelyPairs(pool, place, now())).map(({ worker, former }) => ({
    worker: worker.id,
    name: worker.name,
    former: former.id,
    formerName: former.name,
    since: worker.cameAt ?? now(),
    goneAt: former.goneAt ?? now(),
  }));
  return { offers, joins: await joinsOf(pool, place, now()) };
}

export function workerJoinRoutes(deps: Deps) {
  const { pool, workers, bus, now } = deps;
  const changed = (me: Principal, place: Place): Promise<WorkerJoins> => {
    const { subAccountId, account, algorithm } = place;
    workers.forget(subAccountId, algorithm);
    bus.publish({ type: 'workers', data: { account, algorithm }, userId: me.user.id });
    return shown(deps, place);
  };
  return {
    'GET /workerJoins': async ({ me, query }) => shown(deps, await placeOf(deps, me, query)),
    'POST /workerJoins': async ({ query, body: { pairs, same }, ...c }) => {
      const place = await placeOf(deps, c.me, query);
      await joinWorkers(pool, { ...actorOf(c), ownerId: c.me.user.id }, place, { pairs, same }, now());
      return changed(c.me, place);
    },
    'POST /workerJoins/part': async ({ query, body: { ids }, ...c }) => {
      const place = await placeOf(deps, c.me, query);
      const kept: number[] = [];
      let parted = 0;
      // Each for itself, so that shares are counted between them; the last first, which an earlier one may wait for.
      for (const id of [...new Set(ids)].sort((a, b) => b - a)) {
        const refused = await partWorkers(pool, { ...actorOf(c), ownerId: c.me.user.id }, place, id, now());
        if (refused === 'changed_meanwhile') kept.push(id);
        if (refused === null) parted += 1;
      }
      if (parted + kept.length === 0) throw problems.notFound();
      return { ...(await changed(c.me, place)), kept };
    },
  } satisfies Partial<Handlers>;
}
