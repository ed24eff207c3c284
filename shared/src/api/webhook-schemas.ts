import { z } from 'zod';
import { TELEGRAM_EVENTS } from '../domain/telegram';
import * as s from './schemas';

const events = z.array(z.enum(TELEGRAM_EVENTS));

/** `stoppedAt`: the address has answered 410; nothing is sent until it is changed. */
export const webhook = z.object({
  id: z.int(),
  /** The person of an organization who made it. */
  by: z.string().optional(),
  url: z.string(),
  events,
  stoppedAt: s.isoTime.nullable(),
  createdAt: s.isoTime,
});
export const webhookSettings = z.strictObject({
  url: z.url({ protocol: /^https?$/ }).max(500),
  events: events.max(TELEGRAM_EVENTS.length),
});
/** One message as sent, with the last answer, or `error`. `id` is the header `webhook-id`. */
export const webhookDelivery = z.object({
  id: z.string(),
  state: z.enum(['waiting', 'sent', 'failed']),
  attempts: z.int(),
  request: z.string(),
  answer: z.object({ status: z.int(), body: z.string(), ms: z.int() }).nullable(),
  error: z.string().nullable(),
  createdAt: s.isoTime,
  nextAt: s.isoTime.nullable(),
});
export type Webhook = z.infer<typeof webhook>;
export type WebhookDelivery = z.infer<typeof webhookDelivery>;
