/** Finds the caller of a request. Roles come from the pool's own table, never from a token. */
import type { FastifyRequest } from 'fastify';
import { abilityFor } from '@pool/shared/ability';
import type { Pool } from 'pg';
import { firstRow, raw, rowsOf, sql, valuesOf } from '../../platform/db/querier';
import { TokenError, type Verified, type Identity } from '../../identity';
import { TOKEN, VALID_TOKEN } from '../../accounts/access-tokens';
import { userOfIdentity, type AppUser } from '../../accounts/accounts';
import { TtlCache } from '../../platform/ttl-cache';
import type { PoolChanges } from '../../stratum/pool-changes';
import { problems } from '../../platform/refused';
import { factsOf } from './account-limits';
import { asMember, Memberships } from './memberships';
import { personOf, type Principal } from './principal';
import { TokenCallers, type WantedScope } from './token-callers';
import { ViewAs, viewedUser } from './view-as';

const CACHE_MS = 5000;
const SEEN_EVERY_MS = 5 * 60_000;

export class Principals {
  private readonly users: TtlCache<{ user: AppUser; twoStepRequired: boolean }>;
  private readonly memberships: Memberships;
  private readonly tokens: TokenCallers;
  readonly viewAs: ViewAs;

  constructor(
    readonly db: Pool,
    private readonly identity: Pick<Identity, 'verifyToken' | 'workingSessions' | 'sessionsEnded'>,
    private readonly changes: PoolChanges,
    /** `hosted`: the hosted sign-in service says who is a member, and as what. `cacheMs`: how long callers are known without another look: 5 s. */
    private readonly options: { requireTwoStep: boolean; hasBot: boolean; hosted?: boolean; cacheMs?: number },
  ) {
    const { cacheMs = CACHE_MS } = options;
    this.users = new TtlCache(cacheMs, 10_000);
    this.tokens = new TokenCallers(db, cacheMs);
    this.memberships = new Memberships(db, cacheMs);
    this.viewAs = new ViewAs(db, this.memberships);
    changes.onCallers(() => {
      this.users.clear();
      this.tokens.known.clear();
      this.memberships.known.clear();
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
    const known = await firstRow<{ userName: string; email: string | null }>(this.db)`
      select user_name, email from identity_user where id = ${identityId}`;
    return known ?? { userName: null, email: null };
  }

  /** Ids of the admins among the users who lack the two-step sign-in that the pool requires. */
  private async withoutTwoStep(users: readonly AppUser[]): Promise<ReadonlySet<number>> {
    const admins = users.filter(({ role }) => role === 'admin');
    if (!this.options.requireTwoStep || admins.length === 0) return new Set();
    const withIt = await valuesOf<string>(this.db)`
      select id from identity_user where id = any(${admins.map(({ identityId }) => identityId)})
        and totp_since is not null`;
    return new Set(admins.filter(({ identityId }) => !withIt.includes(identityId)).map(({ id }) => id));
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
      const found = await this.memberships.find(asked, hosted ? organizationRole : undefined);
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

  /** Callers who signed out, were revoked or disabled, or got other rights; of a view, its viewer. */
  async changed(all: readonly Principal[]): Promise<Set<Principal>> {
    const callers = all.map((me) => me.viewer ?? me);
    const userIds = [...new Set(callers.map((me) => personOf(me).id))];
    const tokenIds = [...new Set(callers.flatMap(({ token }) => (token ? [token.id] : [])))];
    const sessionIds = [...new Set(callers.flatMap(({ token, sessionId }) => (token ? [] : [sessionId])))];
    const rows = await rowsOf<AppUser>(this.db)`select * from app_user where id = any(${userIds})`;
    const users = new Map(rows.map((user) => [user.id, user]));
    const withoutTwoStep = await this.withoutTwoStep(rows);
    const tokens = new Set(
      await valuesOf<number>(this.db)`
        select id from access_token t where id = any(${tokenIds}) and ${raw(VALID_TOKEN)}`,
    );
    const sessions = await this.identity.workingSessions(sessionIds);
    const isSame = await this.memberships.unchanged(callers.flatMap(({ member }) => member ?? []));
    return new Set(
      all.filter((me) => {
        const caller = me.viewer ?? me;
        const { token, sessionId, member, twoStepRequired = false } = caller;
        const before = personOf(caller);
        const user = users.get(before.id);
        const same = user && !user.disabled && user.role === before.role && user.isLegacyUser === before.isLegacyUser;
        if (!token && withoutTwoStep.has(before.id) !== twoStepRequired) return true;
        if (member && !isSame(member)) return true;
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
      if (TOKEN.test(key)) return scope && request.method === 'GET' ? this.tokens.find(key, request, scope) : null;
      const token = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/.exec(header)?.[1];
      return token ? this.of(await this.verified(token, request), false) : null;
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') return null;
    const session = request.cookies.__session;
    return session ? this.of(await this.verified(session, request)) : null;
  }
}
