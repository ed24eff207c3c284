/** Lists of upstream pools of sub-accounts. */
import type { SubAccountPoolConfig } from '@pool/shared/api/contract';
import { announceNotes } from '../../../accounts/notifications';
import { ownerOf } from '../../../upstreams/pool-configs';
import {
  addPlace,
  changePlace,
  type ListChange,
  type PlaceRow,
  placesOf,
  removePlace,
  reorder,
  replaceList,
  undoListChange,
} from '../../../upstreams/pool-list-edit';
import type { PoolStatus } from '../../../stratum/ports';
import { PASSWORD_UNREADABLE } from '../../../stratum/upstream/upstream-state';
import { switchesSince } from '../../../upstreams/switches';
import type { Deps } from '../../context/deps';
import type { Principal } from '../../auth/principal';
import { problems } from '../../server/problem';
import type { SomeHandlers } from '../../auth/route';
import { refusal } from './pool-configs';

type Calls =
  | 'GET /upstreamSwitches'
  | 'GET /subAccountPoolConfigs'
  | 'POST /subAccountPoolConfigs'
  | 'PUT /subAccountPoolConfigs'
  | 'PUT /subAccountPoolConfigs/{id}'
  | 'DELETE /subAccountPoolConfigs/{id}'
  | 'PUT /subAccountPoolConfigs/reorder'
  | 'POST /subAccountPoolConfigs/undo';
type Live = Pick<SubAccountPoolConfig, 'state' | 'latencyMs' | 'lastError' | 'lastSwitchAt' | 'rejectRate'>;

/** The switches of a day are shown. */
const DAY_S = 86_400;

const NOTHING = { latencyMs: null, lastError: null, lastSwitchAt: null, rejectRate: null };

/** Errors of pools that were not reached: codes of the system and words of the proxy. */
const UNREACHED = /^(E[A-Z]+|no answer to the handshake|closed by the peer|speaks something else than Stratum)$/;
/** As in the connection test (row 50), the kind of failure is hidden. */
const withoutFailureKind = (status: PoolStatus): PoolStatus =>
  status.lastError !== null && UNREACHED.test(status.lastError)
    ? { ...status, lastError: 'cannot be reached' }
    : status;

export function poolListRoutes({
  database: { pool },
  accounts,
  secrets,
  changes,
  bus,
  stratum,
  now,
}: Deps): SomeHandlers<Calls> {
  const liveOf = ({ enabled, password, user_id: userId }: PlaceRow, status: PoolStatus | undefined): Live => {
    if (!enabled) return { ...NOTHING, state: 'disabled' };
    if (password !== null && secrets.tryOpen(password, ownerOf(userId)) === null)
      return { ...NOTHING, state: 'unreadable', lastError: PASSWORD_UNREADABLE };
    // Nobody mines there: the proxy does not probe it.
    return status ? withoutFailureKind(status) : { ...NOTHING, state: 'standby' };
  };
  const lists = async (userId: number, subAccountId?: number): Promise<SubAccountPoolConfig[]> => {
    const rows = await placesOf(pool, userId, subAccountId).catch(refusal);
    const known = new Map(
      [...new Set(rows.map((row) => row.sub_account_id))].map((id) => [id, stratum.poolStatus(id)]),
    );
    return rows.map((row) => ({
      id: row.id,
      subAccountId: row.sub_account_id,
      poolConfigId: row.pool_config_id,
      algo: row.algorithm,
      name: row.name,
      url: row.url,
      priority: row.priority,
      enabled: row.enabled,
      ...liveOf(row, known.get(row.sub_account_id)?.get(row.id)),
    }));
  };
  /** Call after the commit: notifies the proxy and the pages. */
  const changed = (me: Principal, { subAccountId, algorithm, notes }: ListChange): Promise<SubAccountPoolConfig[]> => {
    changes.lists([subAccountId]);
    announceNotes(bus, notes);
    bus.publish({ type: 'upstream', data: { algorithm }, userId: me.user.id });
    return lists(me.user.id, subAccountId);
  };
  return {
    'GET /upstreamSwitches': async ({ me, query }) =>
      switchesSince(pool, await accounts.one(me, query.userName), now() - DAY_S),
    'GET /subAccountPoolConfigs': ({ me, query }) => lists(me.user.id, query.subAccountId),
    'POST /subAccountPoolConfigs': async ({ me, query: { subAccountId }, body, request: { ip } }) =>
      changed(me, await addPlace(pool, { id: me.user.id, ip }, subAccountId, body).catch(refusal)),
    'PUT /subAccountPoolConfigs': async ({ me, query: { subAccountId }, body: { algo, configs }, request: { ip } }) =>
      changed(me, await replaceList(pool, { id: me.user.id, ip }, subAccountId, algo, configs).catch(refusal)),
    'PUT /subAccountPoolConfigs/{id}': async ({ me, params: { id }, body, request: { ip } }) =>
      changed(me, await changePlace(pool, { id: me.user.id, ip }, id, body).catch(refusal)),
    'DELETE /subAccountPoolConfigs/{id}': async ({ me, params: { id }, request: { ip } }) =>
      changed(me, await removePlace(pool, { id: me.user.id, ip }, id).catch(refusal)),
    'POST /subAccountPoolConfigs/undo': async ({ me, body: { notification }, request: { ip } }) =>
      changed(me, await undoListChange(pool, { id: me.user.id, ip }, notification).catch(refusal)),
    'PUT /subAccountPoolConfigs/reorder': async ({ me, body: { reorderedConfigs }, request: { ip } }) => {
      const [first] = reorderedConfigs;
      if (!first) throw problems.invalid('An order of nothing.');
      const { subAccountId, algo } = first;
      if (reorderedConfigs.some((entry) => entry.subAccountId !== subAccountId || entry.algo !== algo))
        throw problems.conflict('not_the_list', 'These are of more than one list.');
      const ids = reorderedConfigs.map(({ id }) => id);
      return changed(me, await reorder(pool, { id: me.user.id, ip }, subAccountId, algo, ids).catch(refusal));
    },
  };
}
