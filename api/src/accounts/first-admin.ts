/** The first admin of a new pool: the start prints a code, and who signs up with it gets the role. */
import { randomBytes } from 'node:crypto';
import { hasRow, type Querier, raw, sql, valueOf } from '../platform/db/querier';
import { writeAudit } from '../platform/audit';

const SETTING = 'first_admin.code';
const NO_ADMIN = "not exists (select from app_user where role = 'admin')";

/** The code, the same at each start until it is used. Null: the pool has an admin. */
export async function firstAdminCode(db: Querier): Promise<string | null> {
  const made = randomBytes(15).toString('base64url');
  const code = await valueOf<string>(db)`
    insert into setting (name, value)
    select ${SETTING}, to_jsonb(${made}::text) where ${raw(NO_ADMIN)}
    on conflict (name) do update set value = setting.value
    returning value #>> '{}'`;
  return code ?? null;
}

/** Makes a new user the first admin and uses the code up. False: the code is wrong, or the pool has an admin. */
export async function becomeFirstAdmin(
  tx: Querier,
  user: { id: number; userName: string; role: string },
  code: string,
): Promise<boolean> {
  const isRight = await hasRow(tx)`
    delete from setting where name = ${SETTING} and value = to_jsonb(${code}::text) and ${raw(NO_ADMIN)}
    returning name`;
  if (!isRight) return false;
  await tx.query(sql`update app_user set role = 'admin' where id = ${user.id}`);
  await writeAudit(tx, { actorId: user.id, ip: null }, 'user.first_admin', user.userName, {
    before: { role: user.role },
    after: { role: 'admin' },
  });
  return true;
}
