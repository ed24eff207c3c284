/** Webhooks. Only a session can make one, API keys cannot. */
import type { Webhook } from '@pool/shared/api/contract';
import { OF_MONEY } from '../../../messages/makers';
import { OutboundRefused } from '../../../platform/outbound';
import { targetOf } from '../../../messages/outbox/post';
import { changeHook, deliveriesOf, hooksOf, makeHook, removeHook, testHook } from '../../../messages/webhooks/webhooks';
import { type Acting, actorOf, personOf, type Principal } from '../../auth/principal';
import type { Deps } from '../../context/deps';
import { found, problems } from '../../../platform/refused';
import type { Context, Handlers } from '../../auth/route';

/** Every address that is not allowed gets the same answer, as those of pools do. Credentials in it would be shown. */
export async function checkAddress(outbound: Deps['outbound'], url: string): Promise<void> {
  try {
    const { username, password } = new URL(url);
    if (username || password) throw new OutboundRefused('invalid_host', 'credentials');
    const { host, port } = targetOf(url);
    await outbound.resolve(host, port);
  } catch (error) {
    if (!(error instanceof OutboundRefused)) throw error;
    throw problems.address('webhook_not_allowed');
  }
}

function checkEvents({ ability }: Principal, ...hooks: (Pick<Webhook, 'events'> | undefined)[]): void {
  if (ability.can('manage', 'workers')) return;
  if (hooks.some((hook) => hook?.events.some((event) => !OF_MONEY.includes(event)))) throw problems.forbidden();
}

export function webhookRoutes({ pool, secrets, outbound, now }: Deps) {
  const by = (of: Acting) => ({ ...actorOf(of), madeBy: personOf(of.me).id, now: now() });
  const checked = async ({ url, events }: Context<'POST /webhooks'>['body']) => {
    await checkAddress(outbound, url);
    return { url: new URL(url).href, events: [...new Set(events)] };
  };
  const known = async (me: Principal, id: number) => (await hooksOf(pool, me.user.id)).find((hook) => hook.id === id);
  return {
    'GET /webhooks': ({ me }) => hooksOf(pool, me.user.id),
    'POST /webhooks': async ({ body, ...of }) => {
      checkEvents(of.me, body);
      return makeHook(pool, secrets, by(of), await checked(body));
    },
    'PUT /webhooks/{id}': async ({ body, params: { id }, ...of }) => {
      checkEvents(of.me, body, await known(of.me, id));
      return changeHook(pool, by(of), id, await checked(body));
    },
    'DELETE /webhooks/{id}': async ({ params: { id }, ...of }) => {
      checkEvents(of.me, await known(of.me, id));
      if (!(await removeHook(pool, by(of), id))) throw problems.notFound();
      return { deleted: true };
    },
    'POST /webhooks/{id}/test': async ({ params: { id }, ...of }) => {
      if (!(await testHook(pool, by(of), id))) throw problems.notFound();
      return { queued: true };
    },
    'GET /webhooks/{id}/deliveries': async ({ me, params: { id } }) => {
      // What another's webhook was told may be more than this member reads.
      const madeBy = me.ability.can('manage', 'workers') ? null : personOf(me).id;
      return found(await deliveriesOf(pool, me.user.id, id, madeBy));
    },
  } satisfies Partial<Handlers>;
}
