/**
 * Verifies session tokens of API requests: RS256 only, the right issuer and origin, short-lived, not expired. Embedded
 * service: with its own key, of a session of this user that has not ended, and no more recent a sign-in than the
 * session has. Hosted: with its published keys, fetched at most once in 30 s, and hourly while nobody waits for them.
 */
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  errors as jose,
  jwtVerify,
  type JSONWebKeySet,
  type JWTVerifyGetKey,
} from 'jose';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { OrganizationRole } from '@pool/shared/roles';
import { frontendApi, issuerOf } from './keys';
import { roleIn } from '../people/organizations';
import type { WorkingSession } from '../store';
import { hostOf } from '../../platform/origin-of';

export type Verified = {
  /** `sub` of the token: the user at the sign-in service. */
  identityId: string;
  sessionId: string;
  /** Time of the last complete sign-in: password, and the code when two-step sign-in is on. */
  signedInAt: Date;
  /** The organization that the token is of, and the role that it says. Whether he is a member still is asked elsewhere. */
  organizationId?: string;
  organizationRole?: OrganizationRole;
};

/** The token is refused; `reason` is for the log only. */
export class TokenError extends Error {
  constructor(readonly reason: string) {
    super('The session token is not accepted');
  }
}

/** Nothing can be said of a token, because the hosted service has not told its keys; answered as 503. */
class KeysAbsent extends Error {
  readonly statusCode = 503;
}

export type VerifierOptions = {
  publishableKey: string;
  /** Keys of the embedded service; without them they are fetched from the hosted one. */
  jwks?: JSONWebKeySet;
  /** Session of the embedded service; null: it has ended. `claimed`: the token's time of the sign-in. */
  session?: (id: string, claimed: Date) => Promise<WorkingSession | null>;
  fetch?: typeof fetch;
};
/** `host`: the request's Host header; a token made for another site's page is refused. */
export type VerifyToken = (token: string, host: string) => Promise<Verified>;

const LEEWAY_S = 5;
/** Longest life of a token, from its issue on; both services make tokens of a minute. */
const MAX_LIFE_S = 600;
const KNOWN_TOKENS = 10_000;
const COOLDOWN_MS = 30_000;
/** A key that the service publishes no more is believed about so long. */
const KEYS_REFRESH_MS = 3_600_000;
/** Keys are used for half a day while the service is down: tokens that have not expired stay valid. */
const KEYS_MAX_AGE_MS = 12 * 3_600_000;

const claims = z
  .object({
    sub: z.string().min(1),
    sid: z.string().min(1),
    iat: z.number(),
    exp: z.number(),
    nbf: z.number(),
    azp: z.string(),
    /** Minutes since the first and the second factor were checked, at `iat`; -1: the user has no such factor. */
    fva: z.tuple([z.number(), z.number()]).optional(),
    /** The organization in the first version of the claims, and in the second. */
    org_id: z.string().optional(),
    org_role: z.string().optional(),
    o: z.object({ id: z.string(), rol: z.string() }).optional(),
  })
  .refine(({ iat, exp }) => exp - iat <= MAX_LIFE_S && iat <= Date.now() / 1000 + LEEWAY_S);

function remoteKeys(key: string, send: typeof fetch): JWTVerifyGetKey {
  let lastTry = -Infinity;
  let lastAnswer = -Infinity;
  const keys = createRemoteJWKSet(new URL(`https://${frontendApi(key)}/.well-known/jwks.json`), {
    cooldownDuration: COOLDOWN_MS,
    cacheMaxAge: KEYS_MAX_AGE_MS,
    // The library pauses only after a success; a service that is down must not be requested for every token either.
    [customFetch]: async (url, options) => {
      if (performance.now() - lastTry < COOLDOWN_MS) throw new Error('the keys were asked for a moment ago');
      lastTry = performance.now();
      const answer = await send(url, options);
      if (answer.ok) lastAnswer = lastTry;
      return answer;
    },
  });
  return async (header, token) => {
    if (!keys.fresh)
      await keys.reload().catch((cause: unknown) => {
        throw new KeysAbsent('the keys of the sign-in service did not come', { cause });
      });
    else if (performance.now() - lastAnswer > KEYS_REFRESH_MS) keys.reload().catch(() => undefined);
    return keys(header, token);
  };
}

export function createVerifier({ publishableKey, jwks, session, fetch: send = fetch }: VerifierOptions): VerifyToken {
  const keys = jwks ? createLocalJWKSet(jwks) : remoteKeys(publishableKey, send);
  const issuer = issuerOf(publishableKey);
  /** Claims of tokens whose signature was right: a page sends the same one with each call. */
  const known = new LRUCache<string, z.infer<typeof claims>>({ max: KNOWN_TOKENS });
  const claimsOf = async (token: string): Promise<z.infer<typeof claims>> => {
    const before = known.get(token);
    if (before && before.exp + LEEWAY_S > Date.now() / 1000) return before;
    const { payload } = await jwtVerify(token, keys, { algorithms: ['RS256'], issuer, clockTolerance: LEEWAY_S });
    const verified = claims.parse(payload);
    known.set(token, verified);
    return verified;
  };
  const check: VerifyToken = async (token, host) => {
    try {
      const {
        sub,
        sid,
        iat,
        azp,
        fva,
        o,
        org_id: organizationId = o?.id,
        org_role: role = o?.rol,
      } = await claimsOf(token);
      const organizationRole = roleIn(role);
      if (hostOf(azp) !== host) throw new TokenError('azp');
      const minutes = fva && fva[0] >= 0 ? Math.max(...fva) : Infinity;
      return {
        identityId: sub,
        sessionId: sid,
        signedInAt: new Date(Number.isFinite(minutes) ? (iat - minutes * 60) * 1000 : 0),
        ...(organizationId ? { organizationId } : {}),
        ...(organizationId && organizationRole ? { organizationRole } : {}),
      };
    } catch (error) {
      if (error instanceof TokenError || error instanceof KeysAbsent) throw error;
      throw new TokenError(
        error instanceof jose.JOSEError ? error.code : error instanceof z.ZodError ? 'claims' : String(error),
      );
    }
  };
  return async (token, host) => {
    const verified = await check(token, host);
    if (!session) return verified;
    const found = await session(verified.sessionId, verified.signedInAt);
    if (!found) throw new TokenError('session ended');
    if (found.userId !== verified.identityId) throw new TokenError('session of another user');
    return { ...verified, signedInAt: found.signedInAt < verified.signedInAt ? found.signedInAt : verified.signedInAt };
  };
}
