import type { WorkerGroup } from '@pool/shared/api/contract';
import { isAlgorithm } from '@pool/shared/domain';
import {
  changeGroup,
  changeWorkers,
  deleteGroup,
  groupsOf,
  makeGroup,
  setAlertLimit,
  type BulkAction,
  type Place,
} from '../../../mining/workers/worker-groups';
import { readableAccount } from '../../context/readable-accounts';
import type { Deps } from '../../context/deps';
import { isHidden } from '../../auth/account-limits';
import type { Principal } from '../../auth/principal';
import { found, Refused, problems } from '../../../platform/refused';
import type { Handlers } from '../../auth/route';

const noSubAccount = (): Refused => new Refused(400, 'no_sub_account', { detail: 'No sub-account selected' });

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
      return makeGroup(pool, by, subAccountId, name);
    },
    'PUT /workerGroups/{name}': async ({ me, params, query, body, request: { ip } }) => {
      const { subAccountId, userName } = query;
      if (subAccountId === undefined) throw noSubAccount();
      // A member who sees no price would overwrite one unseen.
      if (body.power !== undefined && !seesMoney(me)) throw problems.forbidden();
      const ownerId = await ownerOf(me, userName);
      const by = { actorId: me.user.id, ownerId, ip };
      const done = await changeGroup(pool, by, { subAccountId, name: params.name }, body);
      if (body.name !== undefined) workers.forget(subAccountId);
      return found((await shown(me, ownerId)).find(({ id }) => id === done.id));
    },
    'DELETE /workerGroups/{name}': async ({ me, params, query: { subAccountId, userName }, request: { ip } }) => {
      if (subAccountId === undefined) throw noSubAccount();
      const ownerId = await ownerOf(me, userName);
      const ids = await deleteGroup(pool, { actorId: me.user.id, ownerId, ip }, subAccountId, params.name);
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
      for (const { subAccountId, algorithm, worker } of done.deleted)
        if (isAlgorithm(algorithm)) stratum.dismiss({ subAccountId, algorithm }, worker);
      changed(me.user.id, done.places);
      return { changed: done.changed };
    },
    'PUT /workers/{id}': async ({ me, params: { id }, body: { alertLimit }, request: { ip } }) => {
      const place = await setAlertLimit(pool, { userId: me.user.id, ip }, id, alertLimit);
      changed(me.user.id, [place]);
      return { id, alertLimit };
    },
  } satisfies Partial<Handlers>;
}
