/** The site that passkeys are bound to, as WebAuthn names it. */
import { isIP } from 'node:net';

/** `id`: domain of the passkeys. `origin`: of the pages that may ask for them. */
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
