/** The keys with which push services know this pool (VAPID): made at the first start, stored encrypted. */
import { sql } from 'drizzle-orm';
import webPush from 'web-push';
import type { Db } from '../db/database';
import { sealedSetting } from '../sealed-setting';
import type { Secrets } from '../secrets';

export type Vapid = { publicKey: string; privateKey: string };

/** After a replaced key browsers subscribe anew when their pages are opened. */
export async function openVapid(db: Db, secrets: Secrets): Promise<Vapid> {
  const { text, replaced } = await sealedSetting(db, secrets, {
    name: 'push.vapid',
    owner: 'vapid key',
    make: async () => JSON.stringify(webPush.generateVAPIDKeys()),
  });
  if (replaced) await db.execute(sql`delete from push_subscription`);
  return JSON.parse(text) as Vapid;
}
