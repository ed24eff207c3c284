/** The keys with which push services know this pool (VAPID): made at the first start, stored encrypted. */
import webPush from 'web-push';
import type { Querier } from '../../platform/db/querier';
import { sealedSetting } from '../../platform/sealed-setting';
import type { Secrets } from '../../platform/secrets';

export type Vapid = { publicKey: string; privateKey: string };

/** After a replaced key browsers subscribe anew when their pages are opened. */
export async function openVapid(db: Querier, secrets: Secrets): Promise<Vapid> {
  const { text, replaced } = await sealedSetting(db, secrets, {
    name: 'push.vapid',
    owner: 'vapid key',
    make: async () => JSON.stringify(webPush.generateVAPIDKeys()),
  });
  if (replaced) await db.query('delete from push_subscription');
  return JSON.parse(text) as Vapid;
}
