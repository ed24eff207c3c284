import { transaction } from '../../../platform/db/transaction';
import type { SubAccountPoolConfig } from '@pool/shared/api/contract';
import { ownerOf as secretOwner, type Owner } from '../../../mining/upstreams/pool-configs';
import { type PlaceRow, placesOf } from '../../../mining/upstreams/pool-lists';
import { announceLists, cancelHeld, poolHoldOf, setPoolHold } from '../../../mining/upstreams/pool-hold';
import {
  addPlace,
  changePlace,
  type ListChange,
  removePlace,
  reorder,
  replaceList,
  undoListChange,
} from '../../../mining/upstreams/pool-list-edit';
import type { PoolStatus } from '../../../stratum/ports';
import { PASSWORD_UNREADABLE } from '../../../stratum/upstream/upstream-state';
import { switchesSince } from '../../../mining/upstreams/switches';
import type { Deps } from '../../context/deps';
import { isHidden } from '../../auth/account-limits';
import { personOf, type Principal } from '../../auth/principal';
import { checkRecent, reverify, signedInRecently } from '../../auth/recent';
import { problems } from '../../server/problem';
import type { Handlers } from '../../auth/route';
import { refusal } from './pool-configs';

type Live = Pick<SubAccountPoolConfig, 'state' | 'latencyMs' | 'lastError' | 'lastSwitchAt' | 'rejectRate'>;

const DAY_S = 86_400;

const NOTHING = { latencyMs: null, lastError: null, lastSwitchAt: null, rejectRate: null };

/** Errors of pools that were not reached: codes of the system and words of the proxy. */
const UNREACHED = /^(E[A-Z]+|no answer to the handshake|closed by the peer|speaks something else than Stratum)$/;
/** As in the connection test (row 50), the kind of failure is hidden. */
const withoutFailureKind = (status: PoolStatus): PoolStatus =>
  status.lastError !== null && UNREACHED.test(status.lastError)
    ? { ...status, lastError: 'cannot be reached' }
    : status;

export function poolListRoutes({ pool, config, accounts, secrets, changes, bus, stratum, now }: Deps) {
  const { WALLET_HOLD_HOURS: holdHours } = config;
  const ownerOf = (me: Principal, ip: string): Owner => ({ id: me.user.id, ip, holdHours });
  const liveOf = ({ enabled, password, userId, inForce }: PlaceRow, status: PoolStatus | undefined): Live => {
    if (!enabled) return { ...NOTHING, state: 'disabled' };
    if (password !== null && secrets.tryOpen(password, secretOwner(userId)) === null)
      return { ...NOTHING, state: 'unreadable', lastError: PASSWORD_UNREADABLE };
    // Nobody mines there, or not yet: the proxy does not probe it.
    return status && inForce ? withoutFailureKind(status) : { ...NOTHING, state: 'standby' };
  };
  const lists = async (userId: number, subAccountId?: number): Promise<SubAccountPoolConfig[]> => {
    const rows = await placesOf(pool, userId, subAccountId).catch(refusal);
    const accounts = [...new Set(rows.map((row) => row.subAccountId))];
    const known = new Map(await Promise.all(accounts.map(async (id) => [id, await stratum.poolStatus(id)] as const)));
    return rows.map((row) => {
      const { id, subAccountId, poolConfigId, algorithm: algo, name, url, priority, enabled } = row;
      const live = liveOf(row, known.get(subAccountId)?.get(id));
      return { id, subAccountId, poolConfigId, algo, name, url, priority, enabled, ...live };
    });
  };
  const answer = (me: Principal, { subAccountId, changed }: ListChange): Promise<SubAccountPoolConfig[]> => {
    announceLists(changes, bus, me.user.id, changed);
    return lists(me.user.id, subAccountId);
  };
  return {
    'GET /upstreamSwitches': async ({ me, query }) =>
      switchesSince(pool, await accounts.one(me, query.userName), now() - DAY_S),
    'GET /subAccountPoolConfigs': async ({ me, query }) =>
      (await lists(me.user.id, query.subAccountId)).filter((place) => !isHidden(me, place.subAccountId)),
    'POST /subAccountPoolConfigs': async ({ me, query: { subAccountId }, body, request: { ip } }) =>
      answer(me, await addPlace(pool, ownerOf(me, ip), subAccountId, body).catch(refusal)),
    'PUT /subAccountPoolConfigs': async ({ me, query: { subAccountId }, body: { algo, configs }, request: { ip } }) =>
      answer(me, await replaceList(pool, ownerOf(me, ip), subAccountId, algo, configs).catch(refusal)),
    'PUT /subAccountPoolConfigs/{id}': async ({ me, params: { id }, body, request: { ip } }) =>
      answer(me, await changePlace(pool, ownerOf(me, ip), id, body).catch(refusal)),
    'DELETE /subAccountPoolConfigs/{id}': async ({ me, params: { id }, request: { ip } }) =>
      answer(me, await removePlace(pool, ownerOf(me, ip), id).catch(refusal)),
    'POST /subAccountPoolConfigs/undo': async ({ me, body: { notification }, request: { ip } }) => {
      const told = { id: notification, reader: personOf(me).id };
      return answer(me, await undoListChange(pool, ownerOf(me, ip), told, signedInRecently(me)).catch(refusal));
    },
    'GET /poolHold': ({ me, request: { ip } }) => poolHoldOf(pool, ownerOf(me, ip)),
    'PUT /poolHold': async ({ me, body: { on }, request: { ip } }) => {
      if (!on) checkRecent(me);
      await setPoolHold(pool, ownerOf(me, ip), on);
      return poolHoldOf(pool, ownerOf(me, ip));
    },
    'DELETE /poolHold': async ({ me, request: { ip } }) => {
      const recent = signedInRecently(me);
      const subAccountIds = await transaction(pool, (client) => cancelHeld(client, ownerOf(me, ip), recent));
      if (subAccountIds === 'old') throw reverify();
      if (!subAccountIds) throw problems.conflict('no_pending_change', 'There is no change that is held.');
      announceLists(changes, bus, me.user.id, subAccountIds);
      return poolHoldOf(pool, ownerOf(me, ip));
    },
    'PUT /subAccountPoolConfigs/reorder': async ({ me, body: { reorderedConfigs }, request: { ip } }) => {
      const [first] = reorderedConfigs;
      if (!first) throw problems.invalid('An order of nothing.');
      const { subAccountId, algo } = first;
      if (reorderedConfigs.some((entry) => entry.subAccountId !== subAccountId || entry.algo !== algo))
        throw problems.conflict('not_the_list', 'These are of more than one list.');
      const ids = reorderedConfigs.map(({ id }) => id);
      return answer(me, await reorder(pool, ownerOf(me, ip), subAccountId, algo, ids).catch(refusal));
    },
  } satisfies Partial<Handlers>;
}
