/** Answers an admin's `X-View-As: <userName>` or `<account>~<userName>` (a member) as that user, read-only, audited. */
import type { FastifyRequest } from 'fastify';
import { abilityFor, isAdmin } from '@pool/shared/ability';
import { findSubAccount, type AppUser } from '../../accounts/accounts';
import { writeAudit } from '../../platform/audit';
import { rowsOf, type Querier } from '../../platform/db/querier';
import { TtlCache } from '../../platform/ttl-cache';
import { isWrite } from '../server/guards';
import { problems } from '../server/problem';
import { factsOf } from './account-limits';
import type { Member, Principal } from './principal';

const RECORDED_MS = 600_000;
const OWNERS_MS = 10_000;
const ACCOUNT_FIELDS = ['userName', 'accountName', 'subAccountName', 'currentAccount'] as const;

export const viewedUser = (request: FastifyRequest): string | undefined => request.headers['x-view-as']?.toString();

export class ViewAs {
  private readonly recorded = new TtlCache<void>(RECORDED_MS, 10_000);
  private readonly owners = new TtlCache<AppUser | undefined>(OWNERS_MS, 10_000);

  constructor(
    private readonly db: Querier,
    private readonly memberOf: (owner: AppUser, name: string) => Promise<Member | undefined>,
  ) {}

  /** The user's own rights to read, without a role: what an admin has of its own is not there. */
  async look(viewer: Principal, user: AppUser, request: FastifyRequest, member?: Member): Promise<Principal> {
    const call = (request.routeOptions.url ?? '').replace(/^\/api/, '');
    await this.recorded.get(`${viewer.user.id} ${user.id} ${member?.user.id} ${call}`, () =>
      writeAudit(this.db, { actorId: viewer.user.id, ip: request.ip }, 'view_as.read', user.userName, {
        after: { call, ...(member ? { member: member.user.userName } : {}) },
      }),
    );
    return {
      user,
      ...(member ? { member } : {}),
      ability: abilityFor({
        ...user,
        readOnly: true,
        hasBot: viewer.ability.can('read', 'telegram'),
        ...(member ? { member: factsOf(member) } : {}),
      }),
      identityId: (member?.user ?? user).identityId,
      sessionId: '',
      signedInAt: new Date(0),
      viewer,
    };
  }

  async ownerOf(name: string): Promise<AppUser | undefined> {
    const account = await findSubAccount(this.db, name);
    const [owner] = account ? await rowsOf<AppUser>(this.db)`select * from app_user where id = ${account.userId}` : [];
    return owner;
  }

  /** Records an admin's read of another user's data, whichever call names the account. */
  async record(viewer: Principal | null, request: FastifyRequest): Promise<void> {
    if (!viewer || viewer.viewer || isWrite(request) || !isAdmin(viewer.ability)) return;
    const query = (request.query ?? {}) as Record<string, unknown>;
    const name = ACCOUNT_FIELDS.map((field) => query[field]).find((value) => typeof value === 'string');
    if (name === undefined || name === viewer.user.userName) return;
    const owner = await this.owners.get(name, () => this.ownerOf(name));
    if (owner && owner.id !== viewer.user.id) await this.look(viewer, owner, request);
  }

  check(viewer: Principal | null, request: FastifyRequest): Principal {
    if (!viewer) throw problems.signedOut();
    if (!isAdmin(viewer.ability)) throw problems.forbidden();
    if (isWrite(request)) throw viewAsIsReadOnly();
    return viewer;
  }

  async named(caller: Principal | null, name: string, request: FastifyRequest): Promise<Principal> {
    const viewer = this.check(caller, request);
    const [account, person] = name.split('~');
    const [user] = await rowsOf<AppUser>(this.db)`select * from app_user where user_name = ${account}`;
    if (!user) throw problems.notFound();
    if (person === undefined) return this.look(viewer, user, request);
    const member = await this.memberOf(user, person);
    if (!member) throw problems.notFound();
    return this.look(viewer, user, request, member);
  }
}

export const viewAsIsReadOnly = () =>
  problems.forbidden('view_as_read_only', "Another user's pages are only looked at.");
