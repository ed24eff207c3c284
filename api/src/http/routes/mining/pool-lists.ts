import { transaction, type Run } from '../../../platform/db/transaction';
import type { SubAccountPoolConfig } from '@pool/shared/api/contract';
import { ownerOf as secretOwner } from '../../../mining/upstreams/pool-configs';
import { type PlaceRow, placesOf } from '../../../mining/upstreams/pool-lists';
import { announceLists, cancelHeld, type Owner, poolHoldOf, setPoolHold } from '../../../mining/upstreams/pool-hold';
import {
  addPlace,
  changePlace,
  listsAround,
  type ListChange,
  removePlace,
  reorder,
  replaceList,
  undoListChange,
} from '../../../mining/upstreams/pool-list-edit';
import type { PoolStatus } from '../../../stratum/ports';
import { PASSWORD_UNREADABLE } from '../../../stratum/upstream/upstream-state';
import type { Deps } from '../../context/deps';
import { isHidden } from '../../auth/account-limits';
import { type Acting, personOf, type Principal } from '../../auth/principal';
import { checkRecent, signedInRecently } from '../../auth/recent';
import { problems } from '../../../platform/refused';
import type { Context, Handlers } from '../../auth/route';

type Live = Pick<SubAccountPoolConfig, 'state' | 'latencyMs' | 'lastError' | 'lastSwitchAt' | 'rejectRate'>;

const NOTHING = { latencyMs: null, lastError: null, lastSwitchAt: null, rejectRate: null };

/** Errors of pools that were not reached: codes of the system and words of the proxy. */
const UNREACHED = /^(E[A-Z]+|no answer to the handshake|closed by the peer|speaks something else than Stratum)$/;
/** The status without the kind of failure, which the connection test hides too (docs/security.md, 50). */
const withoutFailureKind = (status: PoolStatus): PoolStatus =>
  status.lastError !== null && UNREACHED.test(status.lastError)
    ? { ...status, lastError: 'cannot be reached' }
    : status;

export function poolListRoutes({ pool, config, secrets, changes, bus, stratum }: Deps) {
  const { WALLET_HOLD_HOURS: holdHours } = config;
  const ownerOf = ({ me, request: { ip } }: Acting): Owner => ({ id: me.user.id, ip, holdHours });
  const commit: Run = (work) => transaction(pool, work);
  const liveOf = ({ enabled, password, userId, inForce }: PlaceRow, status: PoolStatus | undefined): Live => {
    if (!enabled) return { ...NOTHING, state: 'disabled' };
    if (password !== null && secrets.tryOpen(password, secretOwner(userId)) === null)
      return { ...NOTHING, state: 'unreadable', lastError: PASSWORD_UNREADABLE };
    // Nobody mines there, or not yet: the proxy does not look at it.
    return status && inForce ? withoutFailureKind(status) : { ...NOTHING, state: 'standby' };
  };
  const lists = async (userId: number, subAccountId?: number): Promise<SubAccountPoolConfig[]> => {
    const rows = await placesOf(pool, userId, subAccountId);
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
  /** A call that edits lists: it shows what it would do by doing it in a transaction that is taken back. */
  const edit = <C extends Acting>(make: (context: C, run: Run) => Promise<ListChange>) => ({
    shows: (c: C) => listsAround(pool, c.me.user.id, (run) => make(c, run)),
    handle: async (c: C) => answer(c.me, await make(c, commit)),
  });
  const cancel = async (c: Acting, run: Run): Promise<number[]> => {
    const held = await run((client) => cancelHeld(client, ownerOf(c), signedInRecently(c.me)));
    if (!held) throw problems.conflict('no_pending_change', 'There is no change that is held.');
    return held;
  };
  const hold = (c: Acting) => poolHoldOf(pool, ownerOf(c), c.me.member?.accounts ?? null);
  return {
    'GET /subAccountPoolConfigs': async ({ me, query }) =>
      (await lists(me.user.id, query.subAccountId)).filter((place) => !isHidden(me, place.subAccountId)),
    'POST /subAccountPoolConfigs': edit((c: Context<'POST /subAccountPoolConfigs'>, run) =>
      addPlace(run, ownerOf(c), c.query.subAccountId, c.body),
    ),
    'PUT /subAccountPoolConfigs': edit((c: Context<'PUT /subAccountPoolConfigs'>, run) =>
      replaceList(run, ownerOf(c), c.query.subAccountId, c.body.algo, c.body.configs),
    ),
    'PUT /subAccountPoolConfigs/{id}': edit((c: Context<'PUT /subAccountPoolConfigs/{id}'>, run) =>
      changePlace(run, ownerOf(c), c.params.id, c.body),
    ),
    'DELETE /subAccountPoolConfigs/{id}': edit((c: Context<'DELETE /subAccountPoolConfigs/{id}'>, run) =>
      removePlace(run, ownerOf(c), c.params.id),
    ),
    'PUT /subAccountPoolConfigs/reorder': edit((c: Context<'PUT /subAccountPoolConfigs/reorder'>, run) => {
      const { subAccountId, algo } = c.body.reorderedConfigs[0]!;
      if (c.body.reorderedConfigs.some((entry) => entry.subAccountId !== subAccountId || entry.algo !== algo))
        throw problems.conflict('not_the_list', 'These are of more than one list.');
      return reorder(
        run,
        ownerOf(c),
        subAccountId,
        algo,
        c.body.reorderedConfigs.map(({ id }) => id),
      );
    }),
    'POST /subAccountPoolConfigs/undo': edit((c: Context<'POST /subAccountPoolConfigs/undo'>, run) =>
      undoListChange(run, ownerOf(c), { id: c.body.notification, reader: personOf(c.me).id }, signedInRecently(c.me)),
    ),
    'GET /poolHold': hold,
    'PUT /poolHold': {
      shows: async (c) => {
        const { on } = await hold(c);
        return c.body.on || !on ? null : { before: { on }, after: { on: false } };
      },
      handle: async (c) => {
        if (!c.body.on) checkRecent(c.me);
        await setPoolHold(pool, ownerOf(c), c.body.on);
        return hold(c);
      },
    },
    'DELETE /poolHold': {
      shows: (c) => listsAround(pool, c.me.user.id, (run) => cancel(c, run)),
      handle: async (c) => {
        announceLists(changes, bus, c.me.user.id, await cancel(c, commit));
        return hold(c);
      },
    },
  } satisfies Partial<Handlers>;
}
