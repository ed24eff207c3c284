import { z } from 'zod';
import * as w from '../webhook-schemas';
import { manages, reads, byId, endpoint } from './endpoint';

/** Addresses that get notifications by POST, signed (https://www.standardwebhooks.com). */
export const webhooks = {
  'GET /webhooks': endpoint({
    who: 'user',
    requires: reads('webhooks'),
    summary: 'List my webhooks',
    response: z.array(w.webhook),
  }),
  'POST /webhooks': endpoint({
    who: 'user',
    requires: manages('webhooks'),
    sudo: true,
    summary: 'Create a webhook; the only response that contains its secret',
    body: w.webhookSettings,
    response: w.webhook.extend({ secret: z.string() }),
  }),
  'PUT /webhooks/{id}': endpoint({
    who: 'user',
    requires: manages('webhooks'),
    sudo: true,
    summary: "Set a webhook's address and events; one that was stopped starts again",
    params: byId,
    body: w.webhookSettings,
    response: w.webhook,
  }),
  'POST /webhooks/{id}/test': endpoint({
    who: 'user',
    requires: manages('webhooks'),
    summary: 'Send a test message to a webhook; its log says what was answered',
    params: byId,
    response: z.object({ queued: z.literal(true) }),
  }),
  'GET /webhooks/{id}/deliveries': endpoint({
    who: 'user',
    requires: reads('webhooks'),
    summary: 'List the last 20 messages of a webhook, of the last week, newest first',
    params: byId,
    response: z.array(w.webhookDelivery),
  }),
  'DELETE /webhooks/{id}': endpoint({
    who: 'user',
    requires: manages('webhooks'),
    summary: 'Delete a webhook, its log and what was not sent yet',
    params: byId,
    response: z.object({ deleted: z.literal(true) }),
  }),
};
