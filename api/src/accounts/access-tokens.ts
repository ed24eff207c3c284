/** Watcher links and API keys: 192 random bits, shown once, stored as a hash. */
import { createHash, randomBytes } from 'node:crypto';
import { writeAudit } from '../platform/audit';
import type { Pool } from 'pg';
import type { AccessToken } from '@pool/shared/api/contract';
import { firstRow, hasRow, isoTime, joinedRows, oneRow, type Querier, raw, rowsOf, sql } from '../platform/db/querier';
import { transaction } from '../platform/db/transaction';
import type { AppUser } from './accounts';
import { MAKER, MAKER_ENABLED, TOKEN_HELD } from '../messages/makers';
import { problems } from '../platform/refused';

/** A watcher link or an API key, in `access_token`. */
export type AccessTokenRow = {
  id: number;
  userId: number;
  kind: 'watcher' | 'api_key';
  name: string;
  tokenHash: string;
  /** Its first characters, to recognise it. */
  prefix: string;
  scopes: AccessToken['scopes'];
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
  createdAt: Date;
  /** The person; null, or `userId`, where the account is no organization's. */
  madeBy: number | null;
};
export type TokenKind = AccessTokenRow['kind'];
export type NewAccessToken = { name: string; scopes: AccessToken['scopes']; expiresAt: Date | null };

const PREFIX: Record<TokenKind, string> = { watcher: 'wt_', api_key: 'pk_' };
export const TOKEN = /^(?:wt|pk)_[\w-]{32}$/;
const PREFIX_LENGTH = 8;
/** Limit of valid tokens of each kind for one user. */
const MAX_TOKENS = 20;
const LAST_USED_STEP_MS = 60_000;

export const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

/** Whose it is, and the person who makes it. */
type Holder = { userId: number; madeBy: number; ip: string };
type Named = Omit<AccessToken, 'by'> & { by: string | null };
const toAccessToken = ({ by, ...token }: Named): AccessToken => ({ ...token, ...(by === null ? {} : { by }) });
const COLUMNS = raw(`t.id, t.name, t.prefix, t.scopes, ${isoTime('t.created_at')} as created_at,
  ${isoTime('t.expires_at')} as expires_at, ${isoTime('t.last_used_at')} as last_used_at, ${MAKER} as by`);

/** Newest first. Includes expired tokens, but no revoked ones. */
export async function tokensOf(db: Querier, userId: number, kind: TokenKind): Promise<AccessToken[]> {
  const rows = await rowsOf<Named>(db)`
    select ${COLUMNS} from access_token t
    where t.user_id = ${userId} and t.kind = ${kind} and t.revoked_at is null order by t.id desc
    limit 500`;
  return rows.map(toAccessToken);
}

/** SQL condition: the token `t` is neither revoked nor expired, and its maker could make it now. */
export const VALID_TOKEN = `t.revoked_at is null and (t.expires_at is null or t.expires_at > now())
  and ${TOKEN_HELD} and ${MAKER_ENABLED}`;

/** A user has at most `MAX_TOKENS` valid tokens of a kind. */
export function makeToken(
  db: Pool,
  { userId, madeBy, ip }: Holder,
  kind: TokenKind,
  { name, scopes, expiresAt }: NewAccessToken,
): Promise<AccessToken & { token: string }> {
  return transaction(db, async (tx) => {
    // Lock the user, so that the count below includes tokens made at the same time.
    await tx.query(sql`select from app_user where id = ${userId} for update`);
    const isFull = await hasRow(tx)`
      select from access_token t where user_id = ${userId} and kind = ${kind} and ${raw(VALID_TOKEN)}
      offset ${raw(MAX_TOKENS - 1)} limit 1`;
    if (isFull) throw problems.conflict('too_many_tokens', `At most ${MAX_TOKENS}.`);
    const token = PREFIX[kind] + randomBytes(24).toString('base64url');
    const prefix = token.slice(0, PREFIX_LENGTH);
    const row = await oneRow<Named>(tx)`
      insert into access_token as t (user_id, made_by, kind, name, token_hash, prefix, scopes, expires_at)
      values (${userId}, ${madeBy}, ${kind}, ${name}, ${hashOf(token)}, ${prefix}, ${[...new Set(scopes)]},
        ${expiresAt})
      returning ${COLUMNS}`;
    await writeAudit(tx, { actorId: userId, ip }, `${kind}.create`, name, {
      after: { id: row.id, prefix, scopes: row.scopes, expiresAt },
    });
    return { ...toAccessToken(row), token };
  });
}

/** Revokes a token of the user. */
export function revokeToken(db: Pool, userId: number, kind: TokenKind, id: number, ip: string): Promise<void> {
  return transaction(db, async (tx) => {
    const row = await firstRow<AccessTokenRow>(tx)`
      update access_token set revoked_at = now()
      where id = ${id} and user_id = ${userId} and kind = ${kind} and revoked_at is null returning *`;
    if (!row) throw problems.notFound();
    const before = { id, prefix: row.prefix };
    await writeAudit(tx, { actorId: userId, ip }, `${kind}.revoke`, row.name, { before });
  });
}

export async function findToken(db: Querier, hash: string): Promise<{ token: AccessTokenRow; user: AppUser } | null> {
  const [row] = await joinedRows<[AccessTokenRow, AppUser]>(
    db,
    `select t.*, app_user.*
     from access_token t join app_user on app_user.id = t.user_id
     where t.token_hash = $1 and ${VALID_TOKEN} and not disabled`,
    [hash],
  );
  return row ? { token: row[0], user: row[1] } : null;
}

/** Stores the time of use, at most once a minute. Updates the given row too, because callers cache it. */
export async function tokenSeen(db: Querier, token: AccessTokenRow): Promise<void> {
  const now = new Date();
  if (token.lastUsedAt && now.getTime() - token.lastUsedAt.getTime() < LAST_USED_STEP_MS) return;
  token.lastUsedAt = now;
  await db.query(sql`update access_token set last_used_at = ${now} where id = ${token.id}`);
}
