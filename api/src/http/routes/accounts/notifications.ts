import { alertSettingOf, mailStopped, setAlerts } from '../../../accounts/alert-setting';
import { markRead, notificationsOf, unreadOf } from '../../../messages/notifications';
import { findSubAccount } from '../../../accounts/accounts';
import { limitsOf, setLimit } from '../../../alerts/account-limits';
import type { Deps } from '../../context/deps';
import { accountsOf } from '../../context/readable-accounts';
import { isHidden } from '../../auth/account-limits';
import { actorOf, doerOf, personOf, type Principal } from '../../auth/principal';
import type { Handlers } from '../../auth/route';
import { problems } from '../../../platform/refused';
import { subscribe, subscriptionsOf, unsubscribe } from '../../../messages/push/subscriptions';
import { checkAddress } from './webhooks';

export function notificationRoutes({ pool, outbound, pushKey, remotes, config, figures, canaries }: Deps) {
  const limits = async (me: Principal) => {
    const seen = new Set((await accountsOf(pool, me)).map(({ name }) => name));
    return (await limitsOf(pool, me.user.id)).filter(({ account }) => seen.has(account));
  };
  return {
    'GET /notifications': async ({ me }) => ({
      notifications: await notificationsOf(pool, personOf(me).id, await remotes.listFor(me)),
      unread: await unreadOf(pool, personOf(me).id),
    }),
    'POST /notifications/read': async ({ me, body }) => {
      await markRead(pool, personOf(me).id, body.ids);
      return { unread: await unreadOf(pool, personOf(me).id) };
    },
    'GET /alerts': ({ me }) => alertSettingOf(pool, personOf(me).id),
    'PUT /alerts': (c) => setAlerts(pool, doerOf(c), () => c.body),
    'POST /alerts/stopped': (c) =>
      config.SMTP_URL === undefined ? alertSettingOf(pool, personOf(c.me).id) : mailStopped(pool, doerOf(c)),
    'GET /accountLimits': ({ me }) => limits(me),
    'PUT /accountLimits': async ({ body, ...c }) => {
      const own = await findSubAccount(pool, body.account, c.me.user.id);
      if (!own || isHidden(c.me, own.id)) throw problems.notFound();
      await setLimit(pool, { ...body, subAccountId: own.id }, actorOf(c));
      return limits(c.me);
    },
    'GET /push': async ({ me }) => ({
      publicKey: pushKey,
      subscriptions: await subscriptionsOf(pool, personOf(me).id),
    }),
    'POST /push': async (c) => {
      await checkAddress(outbound, c.body.endpoint);
      return subscribe(pool, doerOf(c), c.body);
    },
    'DELETE /push/{id}': async (c) => {
      if (!(await unsubscribe(pool, doerOf(c), c.params.id))) throw problems.notFound();
      return { deleted: true };
    },
    'POST /client-errors': async ({ me, request, body }) => {
      await figures.take(me.user.id, body);
      const flags = (await remotes.listFor(me)).flatMap((each) =>
        each.flags ? [[each.name, each.flags] as const] : [],
      );
      figures.takeFlags(new Map(flags), body);
      await canaries.take(me, request.ip, body);
      return { accepted: true as const };
    },
  } satisfies Partial<Handlers>;
}
