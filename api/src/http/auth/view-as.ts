/** Answers an admin's `X-View-As: <userName>` or `<account>~<userName>` (a member) as that user, read-only, audited. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyRequest } from 'fastify';
import { abilityFor, isAdmin } from '@pool/shared/ability';
import type { Endpoint } from '@pool/shared/api/contract';
import { findSubAccount, type AppUser } from '../../accounts/accounts';
import { writeAudit } from '../../platform/audit';
import { firstRow, type Querier, rowsOf } from '../../platform/db/querier';
import { TtlCache } from '../../platform/ttl-cache';
import { isWrite } from '../server/guards';
import { problems } from '../../platform/refused';
import { factsOf } from './account-limits';
import type { Memberships } from './memberships';
import type { Member, Principal } from './principal';

const RECORDED_MS = 600_000;

/** Records that the admin who is being answered looks at this user's data. */
const looks = new AsyncLocalStorage<(userId: number) => Promise<void>>();
/** Call before data are given that may be another's: an admin may read them, and the log has that. */
export const looksAt = async (me: Principal, userId: number): Promise<void> => {
  if (userId !== me.user.id) await looks.getStore()?.(userId);
};

export const viewedUser = (request: FastifyRequest): string | undefined => request.headers['x-view-as']?.toString();

export class ViewAs {
  private readonly recorded = new TtlCache<void>(RECORDED_MS, 10_000);

  constructor(
    private readonly db: Querier,
    private readonly memberships: Pick<Memberships, 'named'>,
  ) {}

  /** One entry in ten minutes for each call about a user. */
  private record(viewer: Principal, userId: number, call: string, ip: string, member?: Member): Promise<void> {
    return this.recorded.get(`${viewer.user.id} ${userId} ${member?.user.id} ${call}`, async () => {
      const user = await firstRow<AppUser>(this.db)`select * from app_user where id = ${userId}`;
      const after = { call, ...(member ? { member: member.user.userName } : {}) };
      await writeAudit(this.db, { actorId: viewer.user.id, ip }, 'view_as.read', user?.userName ?? null, { after });
    });
  }

  /** The user's own rights to read, without a role: what an admin has of its own is not there. */
  async look(viewer: Principal, user: AppUser, request: FastifyRequest, member?: Member): Promise<Principal> {
    const call = (request.routeOptions.url ?? '').replace(/^\/api/, '');
    await this.record(viewer, user.id, call, request.ip, member);
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

  /** Answers a call so that an admin's look at another's data in it is recorded. */
  looking<T>(me: Principal | null, call: string, { method, ip }: FastifyRequest, answer: () => T): T {
    if (method !== 'GET' || !me || me.viewer || !isAdmin(me.ability)) return answer();
    return looks.run((userId) => this.record(me, userId, call, ip), answer);
  }

  /** Makes an admin's call one of the user whom its query names. */
  async become(request: FastifyRequest, { field }: NonNullable<Endpoint['viewAs']>): Promise<void> {
    const query = request.query as Record<string, unknown> & { userName: string; isMainAccount?: boolean };
    const owner = await this.ownerOf(query.userName);
    if (!owner || (query.isMainAccount && owner.userName !== query.userName)) throw problems.notFound();
    request.principal = await this.look(this.check(request.principal, request), owner, request);
    request.query = { ...query, [field]: query[field] ?? query.userName };
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
    const user = await firstRow<AppUser>(this.db)`select * from app_user where user_name = ${account}`;
    if (!user) throw problems.notFound();
    if (person === undefined) return this.look(viewer, user, request);
    const member = await this.memberships.named(user, person);
    if (!member) throw problems.notFound();
    return this.look(viewer, user, request, member);
  }
}

export const viewAsIsReadOnly = () =>
  problems.forbidden('view_as_read_only', "Another user's pages are only looked at.");
