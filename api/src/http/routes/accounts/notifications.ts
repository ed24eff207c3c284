import { alertSettingOf, mailStopped, setAlerts } from '../../../accounts/alert-setting';
import { markRead, notificationsOf, unreadOf } from '../../../messages/notifications';
import { findSubAccount } from '../../../accounts/accounts';
import { limitsOf, setLimit } from '../../../alerts/account-limits';
import type { Deps } from '../../context/deps';
import { accountsOf } from '../../context/readable-accounts';
import { isHidden } from '../../auth/account-limits';
import { personOf, type Principal } from '../../auth/principal';
import type { Handlers } from '../../auth/route';
import { problems } from '../../../platform/refused';
import { subscribe, subscriptionsOf, unsubscribe } from '../../../messages/push/subscriptions';
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

export function notificationRoutes({ pool, remotes, config }: Deps) {
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
    'POST /alerts/stopped': ({ me, request: { ip } }) =>
      config.SMTP_URL === undefined
        ? alertSettingOf(pool, personOf(me).id)
        : mailStopped(pool, personOf(me).id, { actorId: personOf(me).id, ip }),
    'GET /accountLimits': ({ me }) => limits(me),
    'PUT /accountLimits': async ({ me, body: { account, ...limit }, request: { ip } }) => {
      const own = await findSubAccount(pool, account, me.user.id);
      if (!own || isHidden(me, own.id)) throw problems.notFound();
      await setLimit(pool, { ...limit, subAccountId: own.id }, { actorId: me.user.id, ip });
      return limits(me);
    },
    'PUT /alerts': ({ me, body, request: { ip } }) =>
      setAlerts(pool, personOf(me).id, () => body, { actorId: personOf(me).id, ip }),
  } satisfies Partial<Handlers>;
}

export const clientErrorRoutes = ({ figures, canaries, remotes }: Deps) =>
  ({
    'POST /client-errors': async ({ me, request, body }) => {
      await figures.take(me.user.id, body);
      const flags = (await remotes.listFor(me)).flatMap((each) =>
        each.flags ? [[each.name, each.flags] as const] : [],
      );
      figures.takeFlags(new Map(flags), body);
      await canaries.take(me, request.ip, body);
      return { accepted: true as const };
    },
  }) satisfies Partial<Handlers>;
