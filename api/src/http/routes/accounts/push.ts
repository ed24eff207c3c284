/** Browsers that show notifications. */
import { subscribe, subscriptionsOf, unsubscribe } from '../../../messages/push/subscriptions';
import type { Deps } from '../../context/deps';
import { problems } from '../../server/problem';
import { personOf } from '../../auth/principal';
import type { Handlers } from '../../auth/route';
import { checkAddress } from './webhooks';

export function pushRoutes({ pool, outbound, pushKey }: Deps) {
  return {
    'GET /push': async ({ me }) => ({
      publicKey: pushKey,
      subscriptions: await subscriptionsOf(pool, personOf(me).id),
    }),
    'POST /push': async ({ me, body, request: { ip } }) => {
      await checkAddress(outbound, body.endpoint);
      return subscribe(pool, personOf(me).id, body, { actorId: personOf(me).id, ip });
    },
    'DELETE /push/{id}': async ({ me, params: { id }, request: { ip } }) => {
      if (!(await unsubscribe(pool, personOf(me).id, id, { actorId: personOf(me).id, ip }))) throw problems.notFound();
      return { deleted: true };
    },
  } satisfies Partial<Handlers>;
}
