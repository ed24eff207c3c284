/** Requests for the welcome bonus, kept for the admins: in the table `bonus_request`, and in the audit log. */
import { isIPv6 } from 'node:net';
import type { Pool } from 'pg';
import { transaction } from '../db/transaction';
import { dayOf } from '../days';

/** Whoever has one IPv6 address has all of its network's. */
function sourceOf(ip: string): string {
  if (!isIPv6(ip)) return ip;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1];
  if (mapped) return mapped;
  const [head = '', tail] = ip.split('%', 1).join('').split('::');
  const left = head ? head.split(':') : [];
  const right = tail ? tail.split(':') : [];
  const groups =
    tail === undefined
      ? left
      : [...left, ...Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right];
  return `${groups
    .slice(0, 4)
    .map((group) => parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}

/** Notes the request, unless the address or the source has one of this UTC day. Answers whether it did. */
export function requestBonus(pool: Pool, email: string, ip: string, now: number): Promise<boolean> {
  const address = email.toLowerCase();
  return transaction(pool, async (client) => {
    const {
      rows: [row],
    } = await client.query<{ id: number }>(
      'insert into bonus_request (email, source, day, created_at) values ($1, $2, $3, to_timestamp($4::float8)) on conflict do nothing returning id',
      [address, sourceOf(ip), dayOf(now), now],
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
