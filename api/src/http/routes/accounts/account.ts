import type { Pool } from 'pg';
import type { SubAccount, User } from '@pool/shared/api/contract';
import type { PoolAbility } from '@pool/shared/ability';
import { ALGORITHM_NAMES, countWorkers } from '@pool/shared/domain';
import { writeAudit } from '../../../platform/audit';
import { closeAccount, closingObstacles } from '../../../accounts/close-account';
import { firstRow } from '../../../platform/db/querier';
import { transaction } from '../../../platform/db/transaction';
import {
  deleteSubAccount,
  nameTaken,
  subAccountsOf,
  type AppUser,
  type SubAccountRow,
} from '../../../accounts/accounts';
import { organizationsOf } from '../../../accounts/organizations/organizations';
import { factsOf } from '../../../accounts/sub-account-facts';
import { setMinerPassword } from '../../../accounts/miner-password';
import { unreadOf } from '../../../messages/notifications';
import { ownAccounts, readableAccount, rulesOf } from '../../context/readable-accounts';
import type { Deps } from '../../context/deps';
import { problems } from '../../../platform/refused';
import { isHidden } from '../../auth/account-limits';
import { actorOf, personOf, type Member, type Principal } from '../../auth/principal';
import type { Handlers } from '../../auth/route';
import { networkOf } from '../../../platform/network-of';
import { accountConnections } from '../../context/stratum-address';

/** Sub-accounts per user: each costs rows in every step of the charts. */
const MAX_SUB_ACCOUNTS = 100;

const toUser = ({ id, userName, email, role, isLegacyUser, createdAt }: AppUser): User => {
  return { id, userName, email, role, isLegacyUser, createdAt: createdAt.toISOString() };
};
const toSubAccount = ({ id, name, ports, proxyPort }: SubAccountRow): SubAccount => {
  return { id, name, ports: ports as SubAccount['ports'], proxyPort };
};

/** The facts as far as the caller may see them: money and addresses are left out for the others. */
function factsFor(ability: PoolAbility, facts: Awaited<ReturnType<typeof factsOf>>): typeof facts {
  if (ability.can('read', 'payments')) return facts;
  return facts.map(({ unpaidSat, obstacle, ...rest }) => {
    return { ...rest, btcAddress: null, heldUntil: null, obstacle: null };
  });
}

async function organizationsFor(pool: Pool, { identityId }: Principal) {
  const memberships = await organizationsOf(pool, identityId);
  return Promise.all(
    memberships.map(async ({ organization: { id, name, userId }, member }) => ({
      id,
      name,
      accounts: (await subAccountsOf(pool, userId))
        .filter((account) => !isHidden({ member }, account.id))
        .map((account) => account.name),
    })),
  );
}
const toMember = ({ user: { userName }, organizationId, role, money, accounts }: Member) => {
  return { userName, organizationId, role, money, limited: accounts !== null };
};

export function accountRoutes(deps: Deps) {
  const { pool, stratum } = deps;
  return {
    'GET /getUserInfo/': async ({ me, me: { user, ability, member, twoStepRequired } }) => ({
      user: toUser(user),
      ...(member ? { person: toUser(member.user), member: toMember(member) } : {}),
      organizations: await organizationsFor(pool, me),
      role: user.role,
      ...(twoStepRequired ? { twoStepRequired } : {}),
      isLegacyUser: user.isLegacyUser,
      rules: rulesOf(ability),
      unreadNotifications: await unreadOf(pool, personOf(me).id),
    }),
    'GET /legacyStatus': ({ me }) => ({ data: { legacy: me.user.isLegacyUser } }),
    'GET /subAccounts/': async ({ me }) => ({
      user: toUser(me.user),
      subAccounts: (await ownAccounts(deps, me)).map(toSubAccount),
    }),
    'GET /subAccounts/facts': async ({ me, me: { user } }) =>
      factsFor(
        me.ability,
        await factsOf(pool, await ownAccounts(deps, me), user.userName, deps.now(), async (id) => {
          const lists = await Promise.all(ALGORITHM_NAMES.map((name) => deps.workers.list(id, name, deps.now())));
          return countWorkers(lists.flat());
        }),
      ),
    'POST /subAccounts/': async ({ body: { name }, ...c }) => {
      const { id: userId } = c.me.user;
      const row = await transaction(pool, async (tx) => {
        if ((await subAccountsOf(tx, userId)).length >= MAX_SUB_ACCOUNTS)
          throw problems.conflict('too_many_sub_accounts', `At most ${MAX_SUB_ACCOUNTS} sub-accounts.`);
        if (await nameTaken(tx, name)) throw problems.conflict('account_name_taken', 'That name is taken.');
        const made = await firstRow<SubAccountRow>(tx)`
          insert into sub_account (user_id, name) values (${userId}, ${name}) on conflict do nothing returning *`;
        if (!made) throw problems.conflict('account_name_taken', 'That name is taken.');
        await writeAudit(tx, actorOf(c), 'sub_account.create', name, { after: { name } });
        return made;
      });
      deps.accounts.forget();
      return toSubAccount(row);
    },
    'DELETE /subAccounts/{id}': async ({ me, params, request }) => {
      await deleteSubAccount(pool, me.user, params.id, request.ip, deps.now());
      deps.accounts.forget();
      deps.changes.lists([params.id]);
      deps.changes.ports();
      deps.changes.accounts();
      return { deleted: true };
    },
    'PUT /minerPassword/': async ({ query, body: { password }, ...c }) => {
      const name = query.accountName ?? c.me.user.userName;
      const id = await setMinerPassword(pool, actorOf(c), name, password);
      deps.changes.accounts([id]);
      return { passwordSet: password !== null };
    },
    'GET /connectionInfo/': async ({ me, query, request }) =>
      accountConnections(deps, request.hostname, await readableAccount(deps, me, query.userName)),
    'GET /account/closing': async ({ me }) => ({ obstacles: await closingObstacles(pool, me.user, deps.now()) }),
    'DELETE /account': {
      shows: ({ me }) => ({ account: me.user.userName, before: { on: true }, after: null }),
      handle: async ({ me, request }) => {
        const closed = await closeAccount(pool, me.user, request.ip, deps.now());
        if (!closed) throw problems.conflict('account_not_empty', 'Something keeps the account: GET /account/closing.');
        deps.principals.forget();
        deps.accounts.forget();
        deps.changes.lists(closed);
        deps.changes.ports();
        deps.changes.accounts();
        return { deleted: true };
      },
    },
    'GET /arrivals': async ({ me, query, request }) => {
      const { id, name, userId } = await readableAccount(deps, me, query.userName);
      // Only the account's own user is told of names that came from their network.
      const isOwn = userId === me.user.id && !me.viewer;
      const network = isOwn ? networkOf(request.ip) : null;
      return stratum.arrivals({ subAccountId: id, account: name, network });
    },
    'GET /upstreams': async ({ me, query }) => stratum.status((await readableAccount(deps, me, query.userName)).id),
  } satisfies Partial<Handlers>;
}
