/** The first admin of a new pool: the start prints a code, and who signs up with it gets the role. */
import { randomBytes } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import type { DbOrTx } from '../db/database';
import { appUser } from '../db/schema';
import { writeAudit } from './audit';

const SETTING = 'first_admin.code';
const NO_ADMIN = sql`not exists (select 1 from app_user where role = 'admin')`;

/** The code, the same at each start until it is used. Null: the pool has an admin. */
export async function firstAdminCode(db: DbOrTx): Promise<string | null> {
  const made = randomBytes(15).toString('base64url');
  const { rows } = await db.execute<{ code: string }>(
    sql`insert into setting (name, value)
        select ${SETTING}, to_jsonb(${made}::text) where ${NO_ADMIN}
        on conflict (name) do update set value = setting.value
        returning value #>> '{}' as code`,
  );
  return rows[0]?.code ?? null;
}

/**
 * Makes a new user the first admin and uses the code up. False: the code is wrong, or the pool has an admin. Of two at
 * the same time the second waits here for the first.
 */
export async function becomeFirstAdmin(
  tx: DbOrTx,
  user: { id: number; userName: string; role: string },
  code: string,
): Promise<boolean> {
  const { rows } = await tx.execute(
    sql`delete from setting
        where name = ${SETTING} and value = to_jsonb(${code}::text) and ${NO_ADMIN}
        returning name`,
  );
  if (rows.length === 0) return false;
  await tx.update(appUser).set({ role: 'admin' }).where(eq(appUser.id, user.id));
  await writeAudit(tx, { actorId: user.id, ip: null }, 'user.first_admin', user.userName, {
    before: { role: user.role },
    after: { role: 'admin' },
  });
  return true;
}
