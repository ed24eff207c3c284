import { z } from 'zod';
import * as s from '../schemas';
import { manages, reads, endpoint } from './endpoint';

/** Notifications of the signed-in user. */
export const notifications = {
  'GET /notifications': endpoint({
    who: 'user',
    requires: reads('account'),
    summary: 'List my notifications, newest first',
    response: z.object({ notifications: z.array(s.notification), unread: z.int() }),
  }),
  'POST /notifications/read': endpoint({
    who: 'user',
    requires: manages('account'),
    summary: 'Mark notifications as read; without ids, all',
    body: z.strictObject({ ids: z.array(z.int().min(1).max(2_147_483_647)).max(500).optional() }),
    response: z.object({ unread: z.int() }),
  }),
};
