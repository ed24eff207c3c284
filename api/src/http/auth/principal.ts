/** Finds the caller of a request. Roles come from the pool's own table, never from a token. */
import type { FastifyRequest } from 'fastify';
import { abilityFor, createAbility, type PoolAbility, type Subject } from '@pool/shared/ability';
import { reads, type Scope } from '@pool/shared/api/contract';
import type { Pool } from 'pg';
import { joinedRows, raw, rowsOf, sql } from '../../platform/db/querier';
import { TokenError, type Verified, type Identity } from '../../identity';
import { findToken, hashOf, TOKEN, tokenSeen, VALID_TOKEN } from '../../accounts/access-tokens';
import { userOfIdentity, type AppUser } from '../../accounts/accounts';
import { followHosted, type Grant, type Member as MemberRow } from '../../accounts/organizations/organizations';
import { TtlCache } from '../../platform/ttl-cache';
import type { PoolChanges } from '../../stratum/pool-changes';
import { RateLimit } from '../../platform/limits/rate-limit';
import { problems } from '../server/problem';
import { factsOf } from './account-limits';
import { ViewAs, viewedUser } from './view-as';

export type Member = Grant & {
  user: AppUser;
  organizationId: string;
  /** Name of the first sub-account that the role is limited to; null: the organization's primary. */
  first: string | null;
};

export type Principal = {
  /** Whose data it is: the caller's own, or the organization's. */
  user: AppUser;
  member?: Member;
  /** The organization of the hosted sign-in service that its owner acts in, while it has no account here. */
  unlinked?: string;
  /** What the caller may do (shared/src/contract/ability.ts). */
  ability: PoolAbility;
  identityId: string;
  signedInAt: Date;
  /** An admin who has to set up two-step sign-in first, and may do what a miner may until then. */
  twoStepRequired?: true;
  /** Session of the sign-in service; empty for a token. */
  sessionId: string;
  /** Set when a watcher link or an API key is used: it can only read, and only what its scopes allow. */
  token?: { id: number; scopes: readonly Scope[]; expiresAt: Date | null };
  /** The admin who looks at this user's pages (view-as.ts). */
  viewer?: Principal;
};
const SUBJECT_OF = {
  hashrate: 'dashboard',
  workers: 'workers',
  earnings: 'payments',
} as const satisfies Record<Scope, Subject>;
const LISTS: readonly Subject[] = ['sub-account-list', 'algorithm-list'];

/** What a watcher link or an API key may do: read, and of its owner's data only what its scopes open. */
const abilityOfScopes = ({ isLegacyUser }: AppUser, scopes: readonly Scope[]): PoolAbility =>
  createAbility([...scopes.map((scope) => SUBJECT_OF[scope]), ...(isLegacyUser ? [] : LISTS)].map(reads));

/** Scope a token needs for a call; `any`: the call itself checks the scopes. */
export type WantedScope = Scope | 'any';

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal | null;
  }
}

const CACHE_MS = 5000;
const SEEN_EVERY_MS = 5 * 60_000;
const CACHE_MAX = 10_000;
/** Wrong tokens an address may try in a minute, and requests a minute with a valid one. */
const GUESSES = 10;
const REQUESTS_A_TOKEN = 600;

/** Name of the sub-account that a call is about which names none. */
export const homeOf = ({ user, member }: Principal): string => member?.first ?? user.userName;

/** The person who calls, whose notifications and connections they are; never the organization. */
export const personOf = ({ user, member }: Principal): AppUser => member?.user ?? user;

/** `owner`: the row whose data are the organization's. */
type Membership = { row: MemberRow; owner: AppUser; first: string | null };
const asMember = (user: AppUser, { row, first }: Membership): Member => {
  const { organizationId, role, money, accounts } = row;
  return { user, organizationId, role, money, accounts, first };
};
const keyOf = ({ organizationId, userId }: { organizationId: string; userId: number }) => `${organizationId} ${userId}`;

export class Principals {
  private readonly users: TtlCache<{ user: AppUser; twoStepRequired: boolean }>;
  private readonly memberships: TtlCache<Membership | null>;
  private readonly tokens: TtlCache<Awaited<ReturnType<typeof findToken>>>;
  private readonly guesses = new RateLimit(GUESSES);
  private readonly requests = new RateLimit(REQUESTS_A_TOKEN);
  readonly viewAs: ViewAs;

  constructor(
    readonly db: Pool,
    private readonly identity: Pick<Identity, 'verifyToken' | 'workingSessions' | 'sessionsEnded'>,
    private readonly changes: PoolChanges,
    /** `hosted`: the hosted sign-in service says who is a member, and as what. `cacheMs`: how long callers are known without another look: 5 s. */
    private readonly options: { requireTwoStep: boolean; hasBot: boolean; hosted?: boolean; cacheMs?: number },
  ) {
    const { cacheMs = CACHE_MS } = options;
    this.users = new TtlCache(cacheMs, CACHE_MAX);
    this.tokens = new TtlCache(cacheMs, CACHE_MAX);
    this.memberships = new TtlCache(cacheMs, CACHE_MAX);
    this.viewAs = new ViewAs(db, (owner, name) => this.memberNamed(owner, name));
    changes.onCallers(() => {
      this.users.clear();
      this.tokens.clear();
      this.memberships.clear();
    });
  }

  /** Call after a change of roles or flags: the next request reads the database again, at other processes too. */
  forget(): void {
    this.changes.callers();
  }

  /** Call after sign-in sessions were ended in the database: their tokens are refused from now on. */
  sessionsEnded(ids: readonly string[]): void {
    this.identity.sessionsEnded(ids);
  }

  /** What the embedded sign-in service knows of a new user; users of the hosted one choose a name later. */
  private async facts(identityId: string): Promise<{ userName: string | null; email: string | null }> {
    const [known] = await rowsOf<{ userName: string; email: string | null }>(this.db)`
      select user_name, email from identity_user where id = ${identityId}`;
    return known ?? { userName: null, email: null };
  }

  /** Those of the users who are admins without two-step sign-in, where it is required. */
  private async withoutTwoStep(users: readonly AppUser[]): Promise<ReadonlySet<number>> {
    const admins = users.filter(({ role }) => role === 'admin');
    if (!this.options.requireTwoStep || admins.length === 0) return new Set();
    const { rows } = await this.db.query<{ id: string }>(sql`
      select id from identity_user where id = any(${admins.map(({ identityId }) => identityId)})
        and totp_since is not null`);
    const withIt = new Set(rows.map(({ id }) => id));
    return new Set(admins.filter(({ identityId }) => !withIt.has(identityId)).map(({ id }) => id));
  }

  private async user(identityId: string): Promise<{ user: AppUser; twoStepRequired: boolean }> {
    let isRead = false;
    const found = await this.users.get(identityId, async () => {
      isRead = true;
      const user = await userOfIdentity(this.db, identityId, () => this.facts(identityId));
      return { user, twoStepRequired: (await this.withoutTwoStep([user])).has(user.id) };
    });
    const { id, lastSeenAt } = found.user;
    // A database that only reads refuses this once, and the user stays known.
    if (isRead && (!lastSeenAt || Date.now() - lastSeenAt.getTime() > SEEN_EVERY_MS))
      await this.db.query(sql`update app_user set last_seen_at = now() where id = ${id}`);
    return found;
  }

  private async membershipsOf(
    asked: readonly { organizationId: string; userId: number }[],
  ): Promise<Map<string, Membership>> {
    if (asked.length === 0) return new Map();
    const rows = await joinedRows<[MemberRow, AppUser, { first: string | null } | null]>(
      this.db,
      `select m.*, u.*,
         (select s.name from sub_account s
          where s.id = any(m.accounts) and s.deleted_at is null order by s.id limit 1) as first
       from organization_member m
       join organization o on o.id = m.organization_id
       join app_user u on u.id = o.user_id and not u.disabled
       where (m.organization_id, m.user_id) in (select * from unnest($1::text[], $2::int[]))`,
      [asked.map(({ organizationId }) => organizationId), asked.map(({ userId }) => userId)],
    );
    return new Map(rows.map(([row, owner, computed]) => [keyOf(row), { row, owner, first: computed?.first ?? null }]));
  }

  private async memberNamed(owner: AppUser, name: string): Promise<Member | undefined> {
    const [person] = await rowsOf<AppUser & { organizationId: string }>(this.db)`
      select p.*, o.id as organization_id from organization o
      join organization_member m on m.organization_id = o.id join app_user p on p.id = m.user_id
      where o.user_id = ${owner.id} and p.user_name = ${name}`;
    if (!person) return undefined;
    const asked = { organizationId: person.organizationId, userId: person.id };
    const found = (await this.membershipsOf([asked])).get(keyOf(asked));
    return found && asMember(person, found);
  }

  /** The caller of an identity; null when disabled. `whole`: a former member is the person alone, else refused. */
  async of(verified: Verified | null, whole = true): Promise<Principal | null> {
    if (!verified) return null;
    const { user: person, twoStepRequired } = await this.user(verified.identityId);
    if (person.disabled) return null;
    const { hasBot, hosted = false } = this.options;
    const facts = {
      ...(twoStepRequired ? { twoStepRequired } : {}),
      identityId: verified.identityId,
      sessionId: verified.sessionId,
      signedInAt: verified.signedInAt,
    };
    const { organizationId, organizationRole } = verified;
    if (organizationId !== undefined) {
      const asked = { organizationId, userId: person.id };
      const read = () =>
        this.memberships.get(keyOf(asked), async () => (await this.membershipsOf([asked])).get(keyOf(asked)) ?? null);
      let found = await read();
      if (hosted && organizationRole && found?.row.role !== organizationRole) {
        await followHosted(this.db, { ...asked, role: organizationRole });
        this.memberships.forget(keyOf(asked));
        found = await read();
      }
      if (found) {
        const member = asMember(person, found);
        const ability = abilityFor({ ...found.owner, hasBot, member: factsOf(member) });
        return { ...facts, user: found.owner, member, ability };
      }
      if (!whole && !hosted) throw problems.forbidden('not_member', 'You are no member of this organization any more.');
    }
    return {
      ...facts,
      ...(hosted && organizationId !== undefined && organizationRole === 'owner' ? { unlinked: organizationId } : {}),
      user: person,
      ability: abilityFor({ ...person, role: twoStepRequired ? 'miner' : person.role, hasBot }),
    };
  }

  private async verified(token: string, request: FastifyRequest): Promise<Verified | null> {
    try {
      return await this.identity.verifyToken(token, request.host);
    } catch (error) {
      if (!(error instanceof TokenError)) throw error;
      request.log.debug({ reason: error.reason }, 'token refused');
      return null;
    }
  }

  /** The owner of a watcher link or API key, with a read-only ability. */
  private async ofToken(token: string, request: FastifyRequest, scope: WantedScope): Promise<Principal | null> {
    const hash = hashOf(token);
    const found = await this.tokens.get(hash, () => findToken(this.db, hash));
    if (!found || (found.token.expiresAt && found.token.expiresAt.getTime() <= Date.now())) {
      const wait = this.guesses.takeFrom(request.ip);
      if (wait) throw problems.tooMany('too_many_requests', wait);
      return null;
    }
    const { id, scopes, expiresAt } = found.token;
    const wait = this.requests.take(String(id));
    if (wait) throw problems.tooMany('too_many_requests', wait);
    if (scope !== 'any' && !scopes.includes(scope))
      throw problems.forbidden('scope_missing', `This link or key may not read: ${scope}.`);
    await tokenSeen(this.db, found.token);
    return {
      user: found.user,
      ability: abilityOfScopes(found.user, scopes),
      identityId: found.user.identityId,
      sessionId: '',
      signedInAt: new Date(0),
      token: { id, scopes, expiresAt },
    };
  }

  /** Callers who signed out, were revoked or disabled, or got other rights; of a view, its viewer. */
  async changed(all: readonly Principal[]): Promise<Set<Principal>> {
    const callers = all.map((me) => me.viewer ?? me);
    const userIds = [...new Set(callers.map((me) => personOf(me).id))];
    const tokenIds = [...new Set(callers.flatMap(({ token }) => (token ? [token.id] : [])))];
    const sessionIds = [...new Set(callers.flatMap(({ token, sessionId }) => (token ? [] : [sessionId])))];
    const rows = await rowsOf<AppUser>(this.db)`select * from app_user where id = any(${userIds})`;
    const users = new Map(rows.map((user) => [user.id, user]));
    const withoutTwoStep = await this.withoutTwoStep(rows);
    const { rows: valid } = await this.db.query<{ id: number }>(sql`
      select id from access_token t where id = any(${tokenIds}) and ${raw(VALID_TOKEN)}`);
    const tokens = new Set(valid.map(({ id }) => id));
    const sessions = await this.identity.workingSessions(sessionIds);
    const memberships = await this.membershipsOf(
      callers.flatMap(({ member }) =>
        member ? { organizationId: member.organizationId, userId: member.user.id } : [],
      ),
    );
    const sameMember = ({ organizationId, user, role, money, accounts }: Member): boolean => {
      const row = memberships.get(keyOf({ organizationId, userId: user.id }))?.row;
      return row?.role === role && row.money === money && String(row.accounts) === String(accounts);
    };
    return new Set(
      all.filter((me) => {
        const caller = me.viewer ?? me;
        const { token, sessionId, member, twoStepRequired = false } = caller;
        const before = personOf(caller);
        const user = users.get(before.id);
        const same = user && !user.disabled && user.role === before.role && user.isLegacyUser === before.isLegacyUser;
        if (!token && withoutTwoStep.has(before.id) !== twoStepRequired) return true;
        if (member && !sameMember(member)) return true;
        return !same || !(token ? tokens.has(token.id) : sessions.has(sessionId));
      }),
    );
  }

  async find(request: FastifyRequest, scope?: WantedScope): Promise<Principal | null> {
    const caller = await this.caller(request, scope);
    const viewed = viewedUser(request);
    return viewed === undefined ? caller : this.viewAs.named(caller, viewed, request);
  }

  /** Access to calls that are the same for everybody: only an admin's request that reads may name a user. */
  async checkViewer(request: FastifyRequest): Promise<void> {
    if (viewedUser(request) !== undefined) this.viewAs.check(await this.caller(request), request);
  }

  /** A bearer token is valid for every call, the `__session` cookie only for GETs. */
  private async caller(request: FastifyRequest, scope?: WantedScope): Promise<Principal | null> {
    const header = request.headers.authorization;
    if (header !== undefined) {
      const key = header.startsWith('Bearer ') ? header.slice(7) : '';
      // Watcher links and API keys are only valid for calls with a scope: for other calls there is no caller.
      if (TOKEN.test(key)) return scope && request.method === 'GET' ? this.ofToken(key, request, scope) : null;
      const token = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/.exec(header)?.[1];
      return token ? this.of(await this.verified(token, request), false) : null;
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') return null;
    const session = request.cookies.__session;
    return session ? this.of(await this.verified(session, request)) : null;
  }
}
