/** What a browser is asked of a passkey: its time, its answer, and that it is answered once. */
import { z } from 'zod';
import { type Querier, sql } from '../../platform/db/querier';
import { errors } from '../errors';
import type { Challenge, ClientRow } from '../store';
import { isIP } from 'node:net';

/** `id`: domain of the passkeys. `origin`: the pages' that may ask for them. */
export type RelyingParty = { id: string; origin: string };

/**
 * The pool's configured address, else that of the request. Null: no browser gives passkeys there, as without TLS, at an
 * IP address, or at another address than the configured one.
 */
export function relyingParty(requested: string, publicUrl: string | undefined): RelyingParty | null {
  if (!URL.canParse(requested)) return null;
  const { host } = new URL(requested);
  const { host: own, hostname: id, origin, protocol } = new URL(publicUrl ?? requested);
  if (own !== host || isIP(id) || id.startsWith('[')) return null;
  return protocol === 'https:' || id === 'localhost' || id.endsWith('.localhost') ? { id, origin } : null;
}

export const ASKED_MS = 300_000;

/** The library is loaded by the first who needs it. */
export const webauthn = () => import('@simplewebauthn/server');

export const challengeOf = (options: { challenge: string }): Challenge => ({
  challenge: options.challenge,
  nonce: JSON.stringify(options),
  expiresAt: Date.now() + ASKED_MS,
});

const answer = z.looseObject({
  id: z.string().max(1400),
  response: z.looseObject({
    userHandle: z.string().nullish(),
    transports: z.array(z.string().max(32)).max(10).nullish(),
  }),
});
/** The library checks the rest. */
export function answerIn(text: string | undefined): z.infer<typeof answer> {
  try {
    return answer.parse(JSON.parse(text ?? ''));
  } catch {
    throw errors.wrongPasskey();
  }
}

/** The library's answer; throws where that refuses. */
export async function verified<T extends { verified: boolean }>(checked: Promise<T>): Promise<T & { verified: true }> {
  const result = await checked.catch(() => null);
  if (!result?.verified) throw errors.wrongPasskey();
  return result as T & { verified: true };
}

/** Uses a question up: of two answers at once one counts. */
export async function takeQuestion(db: Querier, { id, flow }: ClientRow): Promise<string> {
  const asked = (flow as { passkey?: Challenge } | null)?.passkey;
  if (!asked) throw errors.wrongPasskey();
  const { rowCount } = await db.query(sql`
    update identity_client set flow = flow - 'passkey' where id = ${id}
      and flow -> 'passkey' ->> 'challenge' = ${asked.challenge}`);
  if (!rowCount || Date.now() > asked.expiresAt) throw errors.wrongPasskey();
  return asked.challenge;
}
