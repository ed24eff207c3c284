import { markRead, notificationsOf, unreadOf } from '../../../accounts/notifications';
import type { Deps } from '../../context/deps';
import type { SomeHandlers } from '../../auth/route';

type Calls = 'GET /notifications' | 'POST /notifications/read';

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
  };
}
