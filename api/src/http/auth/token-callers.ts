/** Callers by watcher link or API key: only read, only what its scopes open, within limits. */
import type { FastifyRequest } from 'fastify';
import { createAbility, type PoolAbility, type Subject } from '@pool/shared/ability';
import { reads, type Scope } from '@pool/shared/api/contract';
import type { Pool } from 'pg';
import { findToken, hashOf, tokenSeen } from '../../accounts/access-tokens';
import type { AppUser } from '../../accounts/accounts';
import { RateLimit } from '../../platform/limits/rate-limit';
import { TtlCache } from '../../platform/ttl-cache';
import { problems } from '../../platform/refused';
import type { Principal } from './principal';

const SUBJECT_OF = {
  hashrate: 'dashboard',
  workers: 'workers',
  earnings: 'payments',
} as const satisfies Record<Scope, Subject>;
const LISTS: readonly Subject[] = ['sub-account-list', 'algorithm-list'];
/** Wrong tokens an address may try in a minute, and requests a minute with a valid one. */
const GUESSES = 10;
const REQUESTS_A_TOKEN = 600;

/** Scope a token needs for a call; `any`: the call itself checks the scopes. */
export type WantedScope = Scope | 'any';

const abilityOf = ({ isLegacyUser }: AppUser, scopes: readonly Scope[]): PoolAbility =>
  createAbility([...scopes.map((scope) => SUBJECT_OF[scope]), ...(isLegacyUser ? [] : LISTS)].map(reads));

export class TokenCallers {
  readonly known: TtlCache<Awaited<ReturnType<typeof findToken>>>;
  private readonly guesses = new RateLimit(GUESSES);
  private readonly requests = new RateLimit(REQUESTS_A_TOKEN);

  constructor(
    private readonly db: Pool,
    cacheMs: number,
  ) {
    this.known = new TtlCache(cacheMs, 10_000);
  }

  /** The token's owner, with an ability that only reads; null: no such token. */
  async find(token: string, { ip }: FastifyRequest, scope: WantedScope): Promise<Principal | null> {
    const hash = hashOf(token);
    const found = await this.known.get(hash, () => findToken(this.db, hash));
    if (!found || (found.token.expiresAt && found.token.expiresAt.getTime() <= Date.now())) {
      const wait = this.guesses.takeFrom(ip);
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
      ability: abilityOf(found.user, scopes),
      identityId: found.user.identityId,
      sessionId: '',
      signedInAt: new Date(0),
      token: { id, scopes, expiresAt },
    };
  }
}
