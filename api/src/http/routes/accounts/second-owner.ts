/** Changes that another owner confirms: the calls that wait, and what is done about them. */
import {
  contract,
  type Call,
  type Endpoint,
  type OrganizationRequest,
  type SecondOwnerKind,
} from '@pool/shared/api/contract';
import { subAccountsOf } from '../../../accounts/accounts';
import { membersOf } from '../../../accounts/organizations/members';
import {
  askSecondOwner,
  confirmRequest,
  declineRequest,
  needsSecondOwner,
  requestOwner,
} from '../../../accounts/organizations/requests';
import { placesOf } from '../../../mining/upstreams/pool-lists';
import { poolConfigsOf } from '../../../mining/upstreams/pool-configs';
import type { Querier } from '../../../platform/db/querier';
import type { Member, Principal } from '../../auth/principal';
import { checkRecent } from '../../auth/recent';
import type { Handlers } from '../../auth/route';
import type { Deps } from '../../context/deps';
import { found, HttpProblem } from '../../server/problem';
import { checkedAddress } from '../money/wallet';
import { acted, refusal, shownOrganization } from './organizations';

type About = OrganizationRequest['about'];
type Given = { params: unknown; query: unknown; body: unknown };
type Asked = Given & { me: Principal; request: { ip: string } };
type Handle = (context: object) => Promise<unknown>;
type Kept = { call: string; content: string; organizationId: string };

const CALLS = Object.entries(contract as Record<string, Endpoint>).flatMap(([call, { secondOwner }]) =>
  secondOwner ? [[call as Call, secondOwner] as const] : [],
);

type Fields = {
  id?: number;
  subAccountId?: number;
  accountName?: string;
  btcAddress?: string;
  walletAddress?: string;
  name?: string;
  url?: string;
  user?: string;
  email?: string | null;
  enabled?: boolean;
  priority?: number;
  role?: NonNullable<About['grant']>['role'];
  money?: boolean;
  accounts?: string[] | null;
  poolConfigId?: number;
  configs?: { poolConfigId: number }[];
  reorderedConfigs?: { id: number; subAccountId: number }[];
};

/** What an owner has to know of a change, with names in place of ids. Throws where it names what is not there. */
async function aboutOf(db: Querier, kind: SecondOwnerKind, me: Principal, given: Given): Promise<About> {
  const { id, ...fields }: Fields = {
    ...(given.params as Fields),
    ...(given.query as Fields),
    ...(given.body as Fields),
  };
  const accountOf = async (wanted: number | string | undefined) =>
    found((await subAccountsOf(db, me.user.id)).find((row) => row.id === wanted || row.name === wanted)).name;
  const { name, url, user, enabled, priority, role, money = false, accounts = null } = fields;
  if (kind === 'address') {
    const address = checkedAddress(fields.btcAddress ?? '');
    return { account: await accountOf(fields.accountName ?? me.user.userName), address };
  }
  if (kind === 'referral_address') return { address: checkedAddress(fields.walletAddress ?? '', 'walletAddress') };
  if (kind === 'one_owner' || kind === 'closing') return {};
  if (kind === 'invitation') return { name: fields.email ?? undefined, grant: { role: role!, money, accounts } };
  if (kind === 'member' || kind === 'member_removal') {
    const member = found((await membersOf(db, me.member!.organizationId)).find(({ userId }) => userId === id));
    return { name: member.userName, ...(role ? { grant: { role, money, accounts } } : {}) };
  }
  const pools = await poolConfigsOf(db, me.user.id);
  const poolOf = (poolId: number | undefined) => found(pools.find((pool) => pool.id === poolId)).name;
  if (kind.startsWith('pool_')) return { ...(id === undefined ? {} : { pools: [poolOf(id)] }), name, url, user };
  if (kind === 'list_add' || fields.configs)
    return {
      account: await accountOf(fields.subAccountId),
      pools: (fields.configs ?? [fields]).map(({ poolConfigId }) => poolOf(poolConfigId)),
    };
  const places = await placesOf(db, me.user.id);
  const named = (fields.reorderedConfigs?.map((entry) => entry.id) ?? [id]).map((placeId) =>
    found(places.find((place) => place.id === placeId)),
  );
  const account = await accountOf(named[0]?.subAccountId);
  return { account, pools: named.map((place) => place.name), enabled, priority };
}

/** Calls that another owner confirms are kept, with 409 `second_owner`, where the organization wants that. */
export function secondOwnerHandlers(deps: Deps, own: Partial<Handlers>): Partial<Handlers> {
  const { pool, secrets, organizations } = deps;
  const keep = async (call: Call, kind: SecondOwnerKind, { me, request, params, query, body }: Asked) => {
    const { organizationId, user } = me.member as Member;
    checkRecent(me);
    const about = await aboutOf(pool, kind, me, { params, query, body });
    const content = secrets.seal(JSON.stringify({ params, query, body }), requestOwner(organizationId));
    const by = { actorId: user.id, ip: request.ip };
    await askSecondOwner(organizations, by, organizationId, { call, content, about }).catch(refusal);
    const detail = 'Another owner has to confirm this; it waits under Account > Organization.';
    throw new HttpProblem(409, 'second_owner', { detail });
  };
  const kept = CALLS.map(([call, kind]) => {
    const handle = own[call] as Handle;
    const guarded = async (context: Asked): Promise<unknown> => {
      const { member } = context.me;
      const stepsDown = kind === 'member' && (context.params as Fields).id === member?.user.id;
      if (member && !stepsDown && (await needsSecondOwner(pool, member.organizationId, member.user.id)))
        await keep(call, kind, context);
      return handle(context);
    };
    return [call, guarded];
  });
  return Object.fromEntries(kept) as Partial<Handlers>;
}

export function secondOwnerRoutes(deps: Deps, own: Partial<Handlers>) {
  const { pool, secrets, organizations } = deps;
  return {
    'POST /organization/requests/{id}': async ({ me, params, request, reply }) => {
      let isClosed = false;
      const carryOut = async ({ call, content, organizationId }: Kept) => {
        isClosed = call === ('DELETE /account' satisfies Call);
        const given = JSON.parse(secrets.open(content, requestOwner(organizationId))) as Given;
        return (await (own[call as Call] as Handle)({ ...given, me, request, reply })) as { link?: string | null };
      };
      const confirming = confirmRequest(organizations, ...acted(me, request.ip), params.id, carryOut);
      const answer = await confirming.catch(refusal);
      return { organization: isClosed ? null : await shownOrganization(pool, me), link: answer.link ?? null };
    },
    'DELETE /organization/requests/{id}': async ({ me, params, request }) => {
      await declineRequest(organizations, ...acted(me, request.ip), params.id).catch(refusal);
      return { organization: await shownOrganization(pool, me) };
    },
  } satisfies Partial<Handlers>;
}
