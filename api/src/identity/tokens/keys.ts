/** The installation's signing key (kept encrypted in `setting`), and the tokens made with it. */
import { randomUUID } from 'node:crypto';
import {
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  SignJWT,
  type JSONWebKeySet,
  type JWK,
  type JWTPayload,
} from 'jose';
import type { Querier } from '../../platform/db/querier';
import { sealedSetting } from '../../platform/sealed-setting';
import type { Secrets } from '../../platform/secrets';

export const SIGNING_KEY = 'identity.sealed_signing_key';
/** Lifetime of a session token; clerk-js fetches a new one before it expires. */
export const TOKEN_SECONDS = 60;
/** Lifetime of a token for another server. */
const OTHERS_SECONDS = 300;
/** Host in the embedded service's publishable key: clerk-js requires one, nothing is sent to it. */
const EMBEDDED_HOST = 'pool.localhost';

export const publishableKey = (): string => `pk_live_${Buffer.from(`${EMBEDDED_HOST}$`).toString('base64')}`;

/** Host of the Frontend API in a publishable key (`pk_live_` or `pk_test_` + base64 of `host$`). */
export function frontendApi(key: string): string {
  const encoded = /^pk_(?:live|test)_([A-Za-z0-9+/=_-]+)$/.exec(key.trim())?.[1] ?? '';
  const host = Buffer.from(encoded, 'base64').toString();
  if (!/^[a-z0-9.-]+\.[a-z0-9-]+\$$/i.test(host))
    throw new Error('CLERK_PUBLISHABLE_KEY is not a publishable key (pk_live_… or pk_test_…)');
  return host.slice(0, -1).toLowerCase();
}

/** `iss` of session tokens that belong to a publishable key. */
export const issuerOf = (key: string): string => `https://${frontendApi(key)}`;

type SessionFacts = {
  sessionId: string;
  userId: string;
  /** Address of the user's picture: the page shows it before clerk-js has run. */
  picture: string | null;
  /** When the password was last entered. */
  signedInAt: Date;
  /** When a code was last entered; null: the user has no second factor. */
  secondFactorAt: Date | null;
  /** Claims of the organization that the session acts in. */
  organization: object | null;
  origin: string;
};

/** Minutes since the first and the second factor were checked; -1: there is no second factor. */
export const factorAges = (first: Date, second: Date | null, now = new Date()): [number, number] => {
  const minutes = (at: Date): number => Math.max(0, Math.floor((now.getTime() - at.getTime()) / 60_000));
  return [minutes(first), second ? minutes(second) : -1];
};

export type SigningKeys = {
  /** Public keys, as published. */
  jwks: JSONWebKeySet;
  sign(facts: SessionFacts, now?: Date): Promise<string>;
  /** Token for another server (`aud`), which the pool itself does not take. `iss`: the pool's origin. */
  signFor(claims: Record<'iss' | 'sub' | 'aud', string> & JWTPayload): Promise<string>;
};

async function makeKey(): Promise<string> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  return JSON.stringify(await exportJWK(privateKey));
}

export async function openKeys(db: Querier, secrets: Secrets): Promise<SigningKeys> {
  const { text } = await sealedSetting(db, secrets, { name: SIGNING_KEY, owner: 'signing key', make: makeKey });
  const secret = JSON.parse(text) as JWK;
  const kid = `ins_${await calculateJwkThumbprint(secret)}`;
  const key = await importJWK(secret, 'RS256');
  const issuer = issuerOf(publishableKey());
  const signed = (claims: JWTPayload, lifeSeconds: number, now = new Date()): Promise<string> => {
    const seconds = Math.floor(now.getTime() / 1000);
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid })
      .setJti(randomUUID())
      .setIssuedAt(seconds)
      .setNotBefore(seconds - 10)
      .setExpirationTime(seconds + lifeSeconds)
      .sign(key);
  };
  return {
    jwks: { keys: [{ kty: 'RSA', use: 'sig', alg: 'RS256', kid, n: secret.n, e: secret.e }] },
    sign: ({ sessionId, userId, picture, signedInAt, secondFactorAt, organization, origin }, now) => {
      const claims = {
        iss: issuer,
        sub: userId,
        azp: origin,
        fva: factorAges(signedInAt, secondFactorAt, now),
        sid: sessionId,
        ...(picture ? { pic: picture } : {}),
        sts: 'active',
        ...organization,
      };
      return signed(claims, TOKEN_SECONDS, now);
    },
    signFor: (claims) => signed(claims, OTHERS_SECONDS),
  };
}
