import type { WorkerGroup } from '@pool/shared/api/contract';
import { isAlgorithm } from '@pool/shared/domain';
import {
  changeGroup,
  changeWorkers,
  deleteGroup,
  groupsOf,
  makeGroup,
  MAX_GROUPS,
  setAlertLimit,
  type BulkAction,
  type Place,
} from '../../../mining/workers/worker-groups';
import { readableAccount } from '../../context/readable-accounts';
import type { Deps } from '../../context/deps';
import { isHidden } from '../../auth/account-limits';
import type { Principal } from '../../auth/principal';
import { found, HttpProblem, problems } from '../../server/problem';
import type { Handlers } from '../../auth/route';

const REFUSED = {
  group_name_taken: 'There is a group of that name.',
  too_many_groups: `At most ${MAX_GROUPS} groups.`,
  worker_active: 'Only workers without a share in 24 hours, or with strange names, can be deleted.',
};
const noSubAccount = (): HttpProblem => new HttpProblem(400, 'no_sub_account', { detail: 'No sub-account selected' });

export function workerGroupRoutes(deps: Deps) {
  const { pool, bus, stratum, workers, now } = deps;
  /** Owner of the groups: the caller, or for an admin the user it names. */
  const ownerOf = async (me: Principal, userName: string | undefined): Promise<number> =>
    userName === undefined ? me.user.id : (await readableAccount(deps, me, userName)).userId;
  /** The groups that the caller may know of. What power costs is money. */
  const seesMoney = (me: Principal): boolean => me.ability.can('read', 'payments');
  const shown = async (me: Principal, ownerId: number): Promise<WorkerGroup[]> =>
    (await groupsOf(pool, ownerId, seesMoney(me) ? now() : undefined)).filter(
      (group) => !isHidden(me, group.subAccountId),
    );
  const changed = (userId: number, places: readonly Place[]): void => {
    for (const { subAccountId, account, algorithm } of places) {
      if (!isAlgorithm(algorithm)) continue;
      workers.forget(subAccountId, algorithm);
      bus.publish({ type: 'workers', data: { account, algorithm }, userId });
    }
  };
  return {
    'GET /workerGroups/': async ({ me, query }) => shown(me, await ownerOf(me, query.userName)),
    'POST /workerGroups/': async ({ me, query, body: { name, subAccountId }, request: { ip } }) => {
      if (subAccountId === null || subAccountId === undefined) throw noSubAccount();
      const by = { actorId: me.user.id, ownerId: await ownerOf(me, query.userName), ip };
      const made = await makeGroup(pool, by, subAccountId, name);
      if (typeof made === 'string') throw problems.refused(made, REFUSED);
      return made;
    },
    'PUT /workerGroups/{name}': async ({ me, params, query, body, request: { ip } }) => {
      const { subAccountId, userName } = query;
      if (subAccountId === undefined) throw noSubAccount();
      // A member who sees no price would overwrite one unseen.
      if (body.power !== undefined && !seesMoney(me)) throw problems.forbidden();
      const ownerId = await ownerOf(me, userName);
      const by = { actorId: me.user.id, ownerId, ip };
      const done = await changeGroup(pool, by, { subAccountId, name: params.name }, body);
      if (typeof done === 'string') throw problems.refused(done, REFUSED);
      if (body.name !== undefined) workers.forget(subAccountId);
      return found((await shown(me, ownerId)).find(({ id }) => id === done.id));
    },
    'DELETE /workerGroups/{name}': async ({ me, params, query: { subAccountId, userName }, request: { ip } }) => {
      if (subAccountId === undefined) throw noSubAccount();
      const ownerId = await ownerOf(me, userName);
      const ids = found(await deleteGroup(pool, { actorId: me.user.id, ownerId, ip }, subAccountId, params.name));
      workers.forget(subAccountId);
      return { deleted: true, workers: ids };
    },
    'POST /workers/bulk': async ({ me, body: { ids, action, groupName, until }, request: { ip } }) => {
      if (action !== 'group' && groupName !== undefined)
        throw problems.invalid('A group is named only to move workers.', [
          { path: 'groupName', message: 'does not go with this action' },
        ]);
      if (action !== 'mute' && until !== undefined)
        throw problems.invalid('Only muting has a time.', [{ path: 'until', message: 'does not go with this action' }]);
      const change: BulkAction =
        action === 'group'
          ? { action, groupName: groupName ?? null }
          : { action, ...(action === 'mute' ? { until } : {}) };
      const done = await changeWorkers(pool, { userId: me.user.id, ip }, ids, change, now());
      if (done.refused) throw problems.refused(done.refused, REFUSED);
      for (const { subAccountId, algorithm, worker } of done.deleted)
        if (isAlgorithm(algorithm)) stratum.dismiss({ subAccountId, algorithm }, worker);
      changed(me.user.id, done.places);
      return { changed: done.changed };
    },
    'PUT /workers/{id}': async ({ me, params: { id }, body: { alertLimit }, request: { ip } }) => {
      const place = found(await setAlertLimit(pool, { userId: me.user.id, ip }, id, alertLimit));
      changed(me.user.id, [place]);
      return { id, alertLimit };
    },
  } satisfies Partial<Handlers>;
}
