/** The keys with which push services know this pool (VAPID): made at the first start, stored encrypted. */
import type { Pool } from 'pg';
import webPush from 'web-push';
import type { Secrets } from '../secrets';

export type Vapid = { publicKey: string; privateKey: string };
const SETTING = 'push.vapid';
const OWNER = 'vapid key';

/** A key that cannot be read any more is replaced: browsers subscribe anew when their pages are opened. */
export async function openVapid(pool: Pool, secrets: Secrets): Promise<Vapid> {
  const {
    rows: [row],
  } = await pool.query<{ value: string }>('select value from setting where name = $1', [SETTING]);
  const known = row && secrets.tryOpen(row.value, OWNER);
  const keys = known ? (JSON.parse(known) as Vapid) : webPush.generateVAPIDKeys();
  // Also with a replaced key of secrets (secrets.ts).
  await pool.query(
    `insert into setting (name, value) values ($1, $2)
     on conflict (name) do update set value = excluded.value, updated_at = now()`,
    [SETTING, JSON.stringify(secrets.seal(JSON.stringify(keys), OWNER))],
  );
  if (row && !known) await pool.query('delete from push_subscription');
  return keys;
}
