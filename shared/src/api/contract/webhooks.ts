import { z } from 'zod';
import * as w from '../webhook-schemas';
import { manages, reads, byId, userCall } from './endpoint';

/** Addresses that get notifications by POST, signed (https://www.standardwebhooks.com). */
export const webhooks = {
  'GET /webhooks': userCall(reads('webhooks'), { summary: 'List my webhooks', response: z.array(w.webhook) }),
  'POST /webhooks': userCall(manages('webhooks'), {
    sudo: true,
    summary: 'Create a webhook; the only response that contains its secret',
    body: w.webhookSettings,
    response: w.webhook.extend({ secret: z.string() }),
  }),
  'PUT /webhooks/{id}': userCall(manages('webhooks'), {
    sudo: true,
    summary: "Set a webhook's address and events; one that was stopped starts again",
    params: byId,
    body: w.webhookSettings,
    response: w.webhook,
  }),
  'POST /webhooks/{id}/test': userCall(manages('webhooks'), {
    summary: 'Send a test message to a webhook; its log says what was answered',
    params: byId,
    response: z.object({ queued: z.literal(true) }),
  }),
  'GET /webhooks/{id}/deliveries': userCall(reads('webhooks'), {
    summary: 'List the last 20 messages of a webhook, of the last week, newest first',
    params: byId,
    response: z.array(w.webhookDelivery),
  }),
  'DELETE /webhooks/{id}': userCall(manages('webhooks'), {
    summary: 'Delete a webhook, its log and what was not sent yet',
    params: byId,
    response: z.object({ deleted: z.literal(true) }),
  }),
};
