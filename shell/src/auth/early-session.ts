/** The session of Clerk's two readable cookies, before clerk-js has run. The API checks the token, not this. */
export type EarlySession = {
  token: string;
  userId: string;
  organizationId: string | null;
  /** Only the embedded service's tokens name it. */
  picture: string | null;
  /** Unix milliseconds. */
  expiresAt: number;
};

/** A token that expires within this time is not sent. */
const MARGIN_MS = 5_000;

const cookie = (cookies: string, name: string): string | undefined =>
  cookies
    .split('; ')
    .find((part) => part.startsWith(`${name}=`))
    ?.slice(name.length + 1);

/** Clerk also writes the cookie with a suffix made from the publishable key. */
export const hasSignedInMark = (cookies: string): boolean => /(?:^|; )__client_uat(?:_[^=;]*)?=[1-9]/.test(cookies);

function claimsOf(token: string): Record<string, unknown> | null {
  try {
    const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
    const claims: unknown = JSON.parse(atob(payload));
    return typeof claims === 'object' && claims !== null ? (claims as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function organizationOf({ org_id: id, o }: Record<string, unknown>): string | null {
  if (typeof id === 'string') return id;
  return typeof o === 'object' && o !== null && 'id' in o && typeof o.id === 'string' ? o.id : null;
}

/** The user of the `__session` cookie, fresh or not. */
export function userOfToken(cookies: string): string | undefined {
  const sub = claimsOf(cookie(cookies, '__session') ?? '')?.sub;
  return typeof sub === 'string' ? sub : undefined;
}

/** The session of a fresh `__session` cookie; null when there is none, it has expired or is incomplete. */
export function readEarlySession(cookies: string, now: number): EarlySession | null {
  const token = cookie(cookies, '__session');
  const claims = token && hasSignedInMark(cookies) ? claimsOf(token) : null;
  if (!token || !claims || typeof claims.sub !== 'string' || typeof claims.exp !== 'number' || claims.sts === 'pending')
    return null;
  const session = {
    token,
    userId: claims.sub,
    organizationId: organizationOf(claims),
    picture: typeof claims.pic === 'string' ? claims.pic : null,
    expiresAt: claims.exp * 1000,
  };
  return isFresh(session, now) ? session : null;
}

export const isFresh = (session: EarlySession, now: number): boolean => session.expiresAt - now > MARGIN_MS;
