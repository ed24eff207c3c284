/** Requests for the welcome bonus, kept for the admins: in the table `bonus_request`, and in the audit log. */
import type { Pool } from 'pg';
import { transaction } from '../db/transaction';
import { dayOf } from '../days';
import { networkOf } from '../network-of';

/** Notes the request, unless the address or the source has one of this UTC day. Answers whether it did. */
export function requestBonus(pool: Pool, email: string, ip: string, now: number): Promise<boolean> {
  const address = email.toLowerCase();
  return transaction(pool, async (client) => {
    const {
      rows: [row],
    } = await client.query<{ id: number }>(
      'insert into bonus_request (email, source, day, created_at) values ($1, $2, $3, to_timestamp($4::float8)) on conflict do nothing returning id',
      [address, networkOf(ip), dayOf(now), now],
    );
    if (!row) return false;
    await client.query("insert into audit (action, subject, after, ip) values ('bonus.request', $1, $2, $3)", [
      address,
      JSON.stringify({ id: row.id }),
      ip,
    ]);
    return true;
  });
}
