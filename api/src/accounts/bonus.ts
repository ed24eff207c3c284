/** Requests for the welcome bonus: stored for the admins in the table `bonus_request` and in the audit log. */
import type { Pool } from 'pg';
import { writeAudit } from './audit';
import { transaction } from '../db/transaction';
import { dayOf } from '../days';
import { networkOf } from '../network-of';

/** Stores the request unless its email address or network has one on this UTC day. Returns whether it was stored. */
export function requestBonus(pool: Pool, email: string, ip: string, now: number): Promise<boolean> {
  const address = email.toLowerCase();
  return transaction(pool, async (client) => {
    const {
      rows: [row],
    } = await client.query<{ id: number }>(
      `insert into bonus_request (email, source, day, created_at)
       values ($1, $2, $3, to_timestamp($4::float8))
       on conflict do nothing
       returning id`,
      [address, networkOf(ip), dayOf(now), now],
    );
    if (!row) return false;
    await writeAudit(client, { actorId: null, ip }, 'bonus.request', address, { after: { id: row.id } });
    return true;
  });
}
