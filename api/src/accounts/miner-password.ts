/** The password that the workers of a sub-account must send. */
import type { Pool } from 'pg';
import { transaction } from '../platform/db/transaction';
import { hashMinerPassword } from '../stratum/miner/access/miner-password';
import { type Doer, writeAudit } from '../platform/audit';
import { firstRow } from '../platform/db/querier';
import { problems } from '../platform/refused';

/** Sets the password; `password` null removes it. Returns the sub-account's id. */
export function setMinerPassword(pool: Pool, by: Doer, name: string, password: string | null): Promise<number> {
  return transaction(pool, async (client) => {
    const row = await firstRow<{ id: number; had: boolean }>(client)`
      update sub_account s set miner_password = ${password === null ? null : hashMinerPassword(password)}
      from (
        select id, miner_password
        from sub_account
        where name = ${name} and user_id = ${by.actorId} and deleted_at is null
        for update
      ) before
      where s.id = before.id
      returning s.id, before.miner_password is not null as had`;
    if (!row) throw problems.notFound();
    await writeAudit(client, by, 'sub_account.miner_password', name, {
      before: { passwordSet: row.had },
      after: { passwordSet: password !== null },
    });
    return row.id;
  });
}
