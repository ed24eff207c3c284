import { alertSettingOf, mailStopped, setAlerts } from '../../../accounts/alert-setting';
import { markRead, notificationsOf, unreadOf } from '../../../messages/notifications';
import { findSubAccount } from '../../../accounts/accounts';
import { limitsOf, setLimit } from '../../../alerts/account-limits';
import type { Deps } from '../../context/deps';
import type { Handlers } from '../../auth/route';
import { problems } from '../../server/problem';

export function notificationRoutes({ pool, remotes, config }: Deps) {
  return {
    'GET /notifications': async ({ me }) => ({
      notifications: await notificationsOf(pool, me.user.id, await remotes.listFor(me)),
      unread: await unreadOf(pool, me.user.id),
    }),
    'POST /notifications/read': async ({ me, body }) => {
      await markRead(pool, me.user.id, body.ids);
      return { unread: await unreadOf(pool, me.user.id) };
    },
    'GET /alerts': ({ me }) => alertSettingOf(pool, me.user.id),
    'POST /alerts/stopped': ({ me, request: { ip } }) =>
      config.SMTP_URL === undefined
        ? alertSettingOf(pool, me.user.id)
        : mailStopped(pool, me.user.id, { actorId: me.user.id, ip }),
    'GET /accountLimits': ({ me }) => limitsOf(pool, me.user.id),
    'PUT /accountLimits': async ({ me, body: { account, ...limit }, request: { ip } }) => {
      const own = await findSubAccount(pool, account, me.user.id);
      if (!own) throw problems.notFound();
      await setLimit(pool, { ...limit, subAccountId: own.id }, { actorId: me.user.id, ip });
      return limitsOf(pool, me.user.id);
    },
    'PUT /alerts': ({ me, body, request: { ip } }) =>
      setAlerts(pool, me.user.id, () => body, { actorId: me.user.id, ip }),
  } satisfies Partial<Handlers>;
}
