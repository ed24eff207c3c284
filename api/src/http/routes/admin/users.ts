import type { SubAccountChange, UserChange } from '@pool/shared/api/contract';
import { adminsChanged, editUsers, EditRefused, updateSubAccounts, updateUsers } from '../../../admin/admin-edit';
import { listSubAccounts } from '../../../admin/sub-accounts';
import { listUsers } from '../../../admin/users';
import { type Acting, actorOf } from '../../auth/principal';
import { poolFee } from '../../context/readable-accounts';
import { paged } from '../../server/cursor';
import type { Deps } from '../../context/deps';
import { found, Refused, problems } from '../../../platform/refused';
import type { Handlers } from '../../auth/route';

/** An unknown id of one item is a 404; any fault of a list's row is a 422 that names the row. */
function refusal(error: unknown, many: boolean): unknown {
  if (!(error instanceof EditRefused)) return error;
  if (!many) return error.code === 'unknown_id' ? problems.notFound() : problems.conflict(error.code, error.message);
  return new Refused(422, error.code, {
    detail: error.message,
    errors: [{ path: `updates.${error.row}`, message: error.message }],
  });
}

export function adminRoutes(deps: Deps) {
  const { pool, config, principals, stratum, changes, now } = deps;
  const reserved = (): number[] => [config.PORT, ...[...stratum.ports, ...stratum.tlsPorts].map(({ port }) => port)];
  const editEach = async <T>(many: boolean, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw refusal(error, many);
    } finally {
      principals.forget();
    }
  };
  const users = async (
    many: boolean,
    by: Acting,
    updates: readonly (UserChange & { id: number })[],
    legacy?: boolean,
  ) => {
    const done = await editEach(many, () => updateUsers(pool, actorOf(by), updates, now(), legacy));
    principals.sessionsEnded(done.ended);
    if (updates.some(({ disabled }) => disabled !== undefined)) changes.accounts();
    return done.users;
  };
  const subAccounts = async (many: boolean, by: Acting, updates: readonly (SubAccountChange & { id: number })[]) => {
    const edited = await editEach(many, () => updateSubAccounts(pool, actorOf(by), updates, reserved()));
    if (updates.some(({ ports, proxyPort }) => ports !== undefined || proxyPort !== undefined)) changes.ports();
    return edited;
  };

  return {
    'GET /users/': ({ query }) => paged(query, async (page) => listUsers(pool, page, await poolFee(deps), now())),
    'PUT /users/': {
      shows: ({ me, query: { id }, body }) => (me.user.id === id ? null : adminsChanged(pool, [{ ...body, id }])),
      handle: async ({ query: { id, legacy }, body, ...by }) =>
        found((await users(false, by, [{ ...body, id }], legacy))[0]),
    },
    'GET /admin/editUsers': ({ query }) => paged(query, (page) => editUsers(pool, page, page)),
    'GET /admin/subAccounts': ({ query }) => paged(query, (page) => listSubAccounts(pool, page, now())),
    'PUT /bulkUpdateUsers': {
      shows: ({ body: { updates } }) => adminsChanged(pool, updates),
      handle: async ({ body: { updates, legacy }, ...by }) => ({
        changed: (await users(true, by, updates, legacy)).length,
      }),
    },
    'PUT /bulkUpdateSubAccounts': async ({ body: { updates }, ...by }) => ({
      changed: (await subAccounts(true, by, updates)).length,
    }),
    'GET /admin/getNonLegacyUsersWithSubAccounts': async () => {
      const { rows } = await editUsers(pool, { legacy: false }, { limit: null, offset: 0 });
      return rows.map((user) => ({ user, subAccounts: user.subAccounts }));
    },
    'PUT /admin/subAccounts/': async ({ query: { id }, body, ...by }) =>
      found((await subAccounts(false, by, [{ ...body, id }]))[0]),
  } satisfies Partial<Handlers>;
}
