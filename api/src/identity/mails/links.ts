/** Links in mails that act without a session: 256 random bits, stored as a hash, used once. */
import { createHash, randomBytes } from 'node:crypto';
import { firstRow, type Querier, rowsOf, sql } from '../../platform/db/querier';

/** A link in a mail, in `identity_link`. */
export type LinkRow = {
  id: number;
  tokenHash: string;
  userId: string;
  kind: 'not_me' | 'restore_email' | 'cancel_recovery';
  /** The address that it puts back. */
  email: string | null;
  createdAt: Date;
  expiresAt: Date;
  usedAt: Date | null;
};
export const LINK_PATH = '/account-link';

const hashOf = (token: string): string => createHash('sha256').update(`link ${token}`).digest('hex');

/** `hours`: for which it is valid. */
export type NewLink = Pick<LinkRow, 'userId' | 'kind'> & { email?: string; hours: number };
/** Returns the address to be mailed; null: the pool does not know its own (PUBLIC_URL), so nothing is linked. */
export async function makeLink(
  tx: Querier,
  publicUrl: string | undefined,
  { userId, kind, email, hours }: NewLink,
): Promise<string | null> {
  if (!publicUrl) return null;
  const token = randomBytes(32).toString('base64url');
  await tx.query(sql`insert into identity_link (token_hash, user_id, kind, email, expires_at)
    values (${hashOf(token)}, ${userId}, ${kind}, ${email}, now() + make_interval(hours => ${hours}))`);
  return new URL(`${LINK_PATH}?token=${token}`, publicUrl).href;
}

/** What a link would do; undefined: there is no such link, it has expired or was used. */
export async function findLink(db: Querier, token: string): Promise<LinkRow | undefined> {
  const link = await firstRow<LinkRow>(db)`
    select * from identity_link where token_hash = ${hashOf(token)} and used_at is null and expires_at > now()`;
  return link;
}

/** Uses up a link and all later ones of the user, which a thief may have. Returns them, it first; empty: not valid. */
export async function takeLink(tx: Querier, token: string): Promise<LinkRow[]> {
  const link = await findLink(tx, token);
  if (!link) return [];
  const taken = await rowsOf<LinkRow>(tx)`
    update identity_link set used_at = now() where user_id = ${link.userId} and id >= ${link.id} and used_at is null
    returning *`;
  const [first] = taken.sort((a, b) => a.id - b.id);
  return first?.id === link.id ? taken : [];
}
