/** Watcher links and API keys: 192 random bits, shown once, kept as a hash. */
import { createHash, randomBytes } from 'node:crypto';
import { and, count, desc, eq, gt, isNull, or, sql } from 'drizzle-orm';
import type { AccessToken } from '@pool/shared/api/contract';
import type { Db, DbOrTx } from '../db/database';
import { accessToken, appUser, audit } from '../db/schema';
import type { AppUser } from './accounts';

export type AccessTokenRow = typeof accessToken.$inferSelect;
export type TokenKind = AccessTokenRow['kind'];
export type NewAccessToken = { name: string; scopes: AccessToken['scopes']; expiresAt: Date | null };

const PREFIX: Record<TokenKind, string> = { watcher: 'wt_', api_key: 'pk_' };
export const TOKEN = /^(?:wt|pk)_[\w-]{32}$/;
const SHOWN = 8;
/** Of each kind, that work. */
export const MOST_TOKENS = 20;
const SEEN_EVERY_MS = 60_000;

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

/** Newest first; the ones that have expired too, but none that was revoked. */
export const tokensOf = (db: DbOrTx, userId: number, kind: TokenKind): Promise<AccessTokenRow[]> =>
  db
    .select()
    .from(accessToken)
    .where(and(eq(accessToken.userId, userId), eq(accessToken.kind, kind), isNull(accessToken.revokedAt)))
    .orderBy(desc(accessToken.id))
    .limit(500);

/** Neither revoked nor expired. */
export const tokenWorks = (now: Date) =>
  and(isNull(accessToken.revokedAt), or(isNull(accessToken.expiresAt), gt(accessToken.expiresAt, now)));

/** Null: the user has as many as there may be. */
export function makeToken(
  db: Db,
  userId: number,
  kind: TokenKind,
  { name, scopes, expiresAt }: NewAccessToken,
  ip: string,
): Promise<{ row: AccessTokenRow; token: string } | null> {
  return db.transaction(async (tx) => {
    // Who makes many at once waits here: the count below is of all before.
    await tx.select({ id: appUser.id }).from(appUser).where(eq(appUser.id, userId)).for('update');
    const [known] = await tx
      .select({ n: count() })
      .from(accessToken)
      .where(and(eq(accessToken.userId, userId), eq(accessToken.kind, kind), tokenWorks(new Date())));
    if (known && known.n >= MOST_TOKENS) return null;
    const token = PREFIX[kind] + randomBytes(24).toString('base64url');
    const prefix = token.slice(0, SHOWN);
    const [row] = await tx
      .insert(accessToken)
      .values({ userId, kind, name, tokenHash: hashOf(token), prefix, scopes: [...new Set(scopes)], expiresAt })
      .returning();
    if (!row) throw new Error('no row');
    await tx.insert(audit).values({
      userId,
      action: `${kind}.create`,
      subject: name,
      after: { id: row.id, prefix, scopes: row.scopes, expiresAt },
      ip,
    });
    return { row, token };
  });
}

/** Ends one of the user's own for good; false when there is none such. */
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
    if (row)
      await tx
        .insert(audit)
        .values({ userId, action: `${kind}.revoke`, subject: row.name, before: { id, prefix: row.prefix }, ip });
    return row !== undefined;
  });
}

/** A token that works, and whose it is. */
export async function findToken(db: DbOrTx, hash: string): Promise<{ token: AccessTokenRow; user: AppUser } | null> {
  const [row] = await db
    .select({ token: accessToken, user: appUser })
    .from(accessToken)
    .innerJoin(appUser, eq(appUser.id, accessToken.userId))
    .where(and(eq(accessToken.tokenHash, hash), tokenWorks(new Date()), eq(appUser.disabled, false)));
  return row ?? null;
}

/** Notes the use, at most once a minute; in the row that is remembered too. */
export async function tokenSeen(db: DbOrTx, token: AccessTokenRow): Promise<void> {
  const now = new Date();
  if (token.lastUsedAt && now.getTime() - token.lastUsedAt.getTime() < SEEN_EVERY_MS) return;
  token.lastUsedAt = now;
  await db.update(accessToken).set({ lastUsedAt: now }).where(eq(accessToken.id, token.id));
}
