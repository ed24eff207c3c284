/** Watcher links and API keys: 192 random bits, shown once, stored as a hash. */
import { createHash, randomBytes } from 'node:crypto';
import { writeAudit } from './audit';
import { and, count, desc, eq, gt, isNull, or, sql } from 'drizzle-orm';
import type { AccessToken } from '@pool/shared/api/contract';
import type { Db, DbOrTx } from '../db/database';
import { accessToken, appUser } from '../db/schema';
import type { AppUser } from './accounts';

export type AccessTokenRow = typeof accessToken.$inferSelect;
export type TokenKind = AccessTokenRow['kind'];
export type NewAccessToken = { name: string; scopes: AccessToken['scopes']; expiresAt: Date | null };

const PREFIX: Record<TokenKind, string> = { watcher: 'wt_', api_key: 'pk_' };
export const TOKEN = /^(?:wt|pk)_[\w-]{32}$/;
const PREFIX_LENGTH = 8;
/** Limit of valid tokens of each kind for one user. */
export const MAX_TOKENS = 20;
const LAST_USED_STEP_MS = 60_000;

export const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

export const toAccessToken = (row: AccessTokenRow): AccessToken => ({
  id: row.id,
  name: row.name,
  prefix: row.prefix,
  scopes: row.scopes as AccessToken['scopes'],
  createdAt: row.createdAt.toISOString(),
  expiresAt: row.expiresAt?.toISOString() ?? null,
  lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
});

/** Newest first. Includes expired tokens, but no revoked ones. */
export const tokensOf = (db: DbOrTx, userId: number, kind: TokenKind): Promise<AccessTokenRow[]> =>
  db
    .select()
    .from(accessToken)
    .where(and(eq(accessToken.userId, userId), eq(accessToken.kind, kind), isNull(accessToken.revokedAt)))
    .orderBy(desc(accessToken.id))
    .limit(500);

/** Condition: neither revoked nor expired at `now`. */
export const isValidToken = (now: Date) =>
  and(isNull(accessToken.revokedAt), or(isNull(accessToken.expiresAt), gt(accessToken.expiresAt, now)));

/** Returns null when the user has `MAX_TOKENS` valid tokens of this kind. */
export function makeToken(
  db: Db,
  userId: number,
  kind: TokenKind,
  { name, scopes, expiresAt }: NewAccessToken,
  ip: string,
): Promise<{ row: AccessTokenRow; token: string } | null> {
  return db.transaction(async (tx) => {
    // Lock the user, so that the count below includes tokens made at the same time.
    await tx.select({ id: appUser.id }).from(appUser).where(eq(appUser.id, userId)).for('update');
    const [known] = await tx
      .select({ n: count() })
      .from(accessToken)
      .where(and(eq(accessToken.userId, userId), eq(accessToken.kind, kind), isValidToken(new Date())));
    if (known && known.n >= MAX_TOKENS) return null;
    const token = PREFIX[kind] + randomBytes(24).toString('base64url');
    const prefix = token.slice(0, PREFIX_LENGTH);
    const [row] = await tx
      .insert(accessToken)
      .values({ userId, kind, name, tokenHash: hashOf(token), prefix, scopes: [...new Set(scopes)], expiresAt })
      .returning();
    if (!row) throw new Error('no row');
    await writeAudit(tx, { actorId: userId, ip }, `${kind}.create`, name, {
      after: { id: row.id, prefix, scopes: row.scopes, expiresAt },
    });
    return { row, token };
  });
}

/** Revokes a token of the user; returns false when the user has no such token. */
export function revokeToken(db: Db, userId: number, kind: TokenKind, id: number, ip: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [row] = await tx
      .update(accessToken)
      .set({ revokedAt: sql`now()` })
      .where(
        and(
          eq(accessToken.id, id),
          eq(accessToken.userId, userId),
          eq(accessToken.kind, kind),
          isNull(accessToken.revokedAt),
        ),
      )
      .returning();
    if (!row) return false;
    const before = { id, prefix: row.prefix };
    await writeAudit(tx, { actorId: userId, ip }, `${kind}.revoke`, row.name, { before });
    return true;
  });
}

/** A valid token and its user. */
export async function findToken(db: DbOrTx, hash: string): Promise<{ token: AccessTokenRow; user: AppUser } | null> {
  const [row] = await db
    .select({ token: accessToken, user: appUser })
    .from(accessToken)
    .innerJoin(appUser, eq(appUser.id, accessToken.userId))
    .where(and(eq(accessToken.tokenHash, hash), isValidToken(new Date()), eq(appUser.disabled, false)));
  return row ?? null;
}

/** Stores the time of use, at most once a minute. Updates the given row too, because callers cache it. */
export async function tokenSeen(db: DbOrTx, token: AccessTokenRow): Promise<void> {
  const now = new Date();
  if (token.lastUsedAt && now.getTime() - token.lastUsedAt.getTime() < LAST_USED_STEP_MS) return;
  token.lastUsedAt = now;
  await db.update(accessToken).set({ lastUsedAt: now }).where(eq(accessToken.id, token.id));
}
