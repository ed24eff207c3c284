import { alertSettingOf, setAlerts } from '../../../accounts/alert-setting';
import { markRead, notificationsOf, unreadOf } from '../../../accounts/notifications';
import type { Deps } from '../../context/deps';
import type { SomeHandlers } from '../../auth/route';

type Calls = 'GET /notifications' | 'POST /notifications/read' | 'GET /alerts' | 'PUT /alerts';

export function notificationRoutes({ database: { pool }, remotes }: Deps): SomeHandlers<Calls> {
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
    'PUT /alerts': ({ me, body, request: { ip } }) => setAlerts(pool, me.user.id, body, { actorId: me.user.id, ip }),
  };
}
