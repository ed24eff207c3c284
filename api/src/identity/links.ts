/**
 * Links in mails that act without a session. A token is 256 random bits, stored as a hash, used once, and valid by the
 * database's clock.
 */
import { createHash, randomBytes } from 'node:crypto';
import { and, eq, gt, gte, isNull, sql } from 'drizzle-orm';
import type { DbOrTx } from '../db/database';
import { identityLink } from '../db/schema';

export type LinkRow = typeof identityLink.$inferSelect;
export const LINK_PATH = '/account-link';

const hashOf = (token: string): string => createHash('sha256').update(`link ${token}`).digest('hex');

/** Returns the address to be mailed; null: the pool does not know its own (PUBLIC_URL), so nothing is linked. */
export async function makeLink(
  tx: DbOrTx,
  publicUrl: string | undefined,
  link: Pick<LinkRow, 'userId' | 'kind'> & { email?: string; hours: number },
): Promise<string | null> {
  if (!publicUrl) return null;
  const token = randomBytes(32).toString('base64url');
  const { userId, kind, email, hours } = link;
  const expiresAt = sql`now() + make_interval(hours => ${hours})`;
  await tx.insert(identityLink).values({ tokenHash: hashOf(token), userId, kind, email, expiresAt });
  return new URL(`${LINK_PATH}?token=${token}`, publicUrl).href;
}

/** What a link would do; undefined: it is none, has expired or was used. */
export const findLink = async (db: DbOrTx, token: string): Promise<LinkRow | undefined> =>
  (
    await db
      .select()
      .from(identityLink)
      .where(
        and(
          eq(identityLink.tokenHash, hashOf(token)),
          isNull(identityLink.usedAt),
          gt(identityLink.expiresAt, sql`now()`),
        ),
      )
  )[0];

/**
 * Uses up a link, and all of the user that were sent after it: they may be in the hands of whom it shuts out. Returns
 * them, the link first; empty: it is not valid, or another request was faster.
 */
export async function takeLink(tx: DbOrTx, token: string): Promise<LinkRow[]> {
  const link = await findLink(tx, token);
  if (!link) return [];
  const taken = await tx
    .update(identityLink)
    .set({ usedAt: sql`now()` })
    .where(and(eq(identityLink.userId, link.userId), gte(identityLink.id, link.id), isNull(identityLink.usedAt)))
    .returning();
  const [first] = taken.sort((a, b) => a.id - b.id);
  return first?.id === link.id ? taken : [];
}
