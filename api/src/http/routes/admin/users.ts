import type { SubAccount, SubAccountChange, User, UserChange } from '@pool/shared/api/contract';
import { editUsers, EditRefused, updateSubAccounts, updateUsers } from '../../../admin/admin-edit';
import { askSecondAdmin } from '../../../accounts/second-admin';
import { listSubAccounts } from '../../../admin/sub-accounts';
import { listUsers } from '../../../admin/users';
import { poolFee } from '../../context/access';
import { paged } from '../../server/cursor';
import type { Deps } from '../../context/deps';
import { found, HttpProblem, problems } from '../../server/problem';
import type { Handlers } from '../../auth/route';

/** An unknown id of one item is a 404; any fault of a list's row is a 422 that names the row. */
function refusal(error: unknown, many: boolean): unknown {
  if (!(error instanceof EditRefused)) return error;
  if (error.code === 'not_admin') return problems.forbidden();
  if (!many) return error.code === 'unknown_id' ? problems.notFound() : problems.conflict(error.code, error.message);
  return new HttpProblem(422, error.code, {
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
  const ask = async (me: { user: { id: number; userName: string } }, ip: string, id: number): Promise<void> => {
    const [user] = (await editUsers(pool, { ids: String(id) }, { limit: 1, offset: 0 })).rows;
    await askSecondAdmin(
      pool,
      { actorId: me.user.id, ip },
      {
        what: `admin ${id}`,
        userName: me.user.userName,
        kind: 'admins_asked',
        values: { name: user?.userName ?? '' },
      },
      now(),
    );
  };
  const users = async (
    many: boolean,
    me: { user: { id: number; userName: string } },
    ip: string,
    updates: readonly (UserChange & { id: number })[],
    legacy?: boolean,
  ) => {
    const { users: edited, ended } = await editEach(many, () =>
      updateUsers(pool, { id: me.user.id, ip }, updates, now(), legacy).catch(async (error: unknown) => {
        const asked = error instanceof EditRefused && error.code === 'second_admin' ? updates[error.row] : undefined;
        if (asked) await ask(me, ip, asked.id);
        throw error;
      }),
    );
    principals.sessionsEnded(ended);
    if (updates.some(({ disabled }) => disabled !== undefined)) changes.accounts();
    return edited;
  };
  const subAccounts = async (
    many: boolean,
    me: { user: { id: number } },
    ip: string,
    updates: readonly (SubAccountChange & { id: number })[],
  ) => {
    const edited = await editEach(many, () => updateSubAccounts(pool, { id: me.user.id, ip }, updates, reserved()));
    if (updates.some(({ ports, proxyPort }) => ports !== undefined || proxyPort !== undefined)) changes.ports();
    return edited;
  };

  return {
    'GET /users/': ({ query: { cursor, ...filter } }) =>
      paged(cursor, async (offset) => listUsers(pool, { ...filter, offset }, await poolFee(deps), now())),
    'PUT /users/': async ({ me, query: { id, legacy }, body, request: { ip } }) => {
      return found((await users(false, me, ip, [{ ...body, id }], legacy))[0]);
    },
    'GET /admin/editUsers': ({ query: { cursor, limit, ...filter } }) =>
      paged(cursor, (offset) => editUsers(pool, filter, { limit, offset })),
    'GET /admin/subAccounts': ({ query: { cursor, ...filter } }) =>
      paged(cursor, (offset) => listSubAccounts(pool, { ...filter, offset }, now())),
    'PUT /bulkUpdateUsers': async ({ me, body: { updates, legacy }, request: { ip } }) => ({
      changed: (await users(true, me, ip, updates, legacy)).length,
    }),
    'PUT /bulkUpdateSubAccounts': async ({ me, body: { updates }, request: { ip } }) => ({
      changed: (await subAccounts(true, me, ip, updates)).length,
    }),
    'GET /admin/getNonLegacyUsersWithSubAccounts': async () => {
      const { rows } = await editUsers(pool, { legacy: false }, { limit: null, offset: 0 });
      return rows.map(({ subAccounts: accounts, id, userName, email, role, isLegacyUser, createdAt }) => ({
        user: { id, userName, email, role, isLegacyUser, createdAt } satisfies User,
        subAccounts: accounts.map(({ id: accountId, name, ports, proxyPort }): SubAccount => ({
          id: accountId,
          name,
          ports,
          proxyPort,
        })),
      }));
    },
    'PUT /admin/subAccounts/': async ({ me, query: { id }, body, request: { ip } }) => {
      return found((await subAccounts(false, me, ip, [{ ...body, id }]))[0]);
    },
  } satisfies Partial<Handlers>;
}
