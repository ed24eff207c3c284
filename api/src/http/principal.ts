/** Who asks. Roles come from the pool's own table, never from a token. */
import { eq, sql } from 'drizzle-orm';
import type { FastifyRequest } from 'fastify';
import type { Db } from '../db/database';
import { appUser, identityUser } from '../db/schema';
import { TokenError, type Verified, type VerifyToken } from '../identity';
import { userOfIdentity, type AppUser } from '../pool/accounts';

export type Principal = { user: AppUser; identityId: string; signedInAt: Date };

declare module 'fastify' {
  interface FastifyRequest { principal: Principal | null }
}

const CACHE_MS = 5000;
const SEEN_EVERY_MS = 5 * 60_000;
const CACHE_MAX = 10_000;

export class Principals {
  private readonly cache = new Map<string, { user: AppUser; until: number }>();

  constructor(private readonly db: Db, private readonly verifyToken: VerifyToken) {}

  /** After a change of roles or flags: the next request reads anew. */
  forget(): void { this.cache.clear(); }

  /** What the embedded sign-in service knows of somebody the pool sees for the first time; the hosted one's users choose later. */
  private async facts(identityId: string): Promise<{ userName: string | null; email: string | null }> {
    const [known] = await this.db.select({ userName: identityUser.userName, email: identityUser.email }).from(identityUser).where(eq(identityUser.id, identityId));
    return known ?? { userName: null, email: null };
  }

  private async user(identityId: string): Promise<AppUser> {
    const hit = this.cache.get(identityId);
    if (hit && hit.until > Date.now()) return hit.user;
    const user = await userOfIdentity(this.db, identityId, () => this.facts(identityId));
    if (this.cache.size >= CACHE_MAX) this.cache.clear();
    this.cache.set(identityId, { user, until: Date.now() + CACHE_MS });
    if (!user.lastSeenAt || Date.now() - user.lastSeenAt.getTime() > SEEN_EVERY_MS)
      await this.db.update(appUser).set({ lastSeenAt: sql`now()` }).where(eq(appUser.id, user.id));
    return user;
  }

  /** The user of a proven identity; null when disabled. First sight makes the user. */
  async of(verified: Verified | null): Promise<Principal | null> {
    if (!verified) return null;
    const user = await this.user(verified.identityId);
    return user.disabled ? null : { user, identityId: verified.identityId, signedInAt: verified.signedInAt };
  }

  private async verified(token: string, request: FastifyRequest): Promise<Verified | null> {
    try {
      return await this.verifyToken(token, request.host);
    } catch (error) {
      if (!(error instanceof TokenError)) throw error;
      request.log.debug({ reason: error.reason }, 'token refused');
      return null;
    }
  }

  /** The caller of an API request: a bearer token counts for everything, the `__session` cookie only for GETs. */
  async find(request: FastifyRequest): Promise<Principal | null> {
    const header = request.headers.authorization;
    if (header !== undefined) {
      const token = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/.exec(header)?.[1];
      return token ? this.of(await this.verified(token, request)) : null;
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') return null;
    const session = request.cookies.__session;
    return session ? this.of(await this.verified(session, request)) : null;
  }
}
