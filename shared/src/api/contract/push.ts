import { z } from 'zod';
import { TELEGRAM_EVENTS } from '../../domain/telegram';
import { LANGUAGES } from '../../i18n/languages';
import { manages, reads, byId, userCall } from './endpoint';

const events = z.array(z.enum(TELEGRAM_EVENTS));
const key = z.string().regex(/^[\w-]{16,128}$/);
/** `browser`: SHA-256 of its endpoint in base64url, by which a page knows its own. */
const subscription = z.object({ id: z.int(), browser: z.string(), events });
/** Subscription as `PushSubscription.toJSON()` has it. */
const settings = z.strictObject({
  endpoint: z.url({ protocol: /^https?$/ }).max(1000),
  p256dh: key,
  auth: key,
  language: z.enum(LANGUAGES),
  events: events.max(TELEGRAM_EVENTS.length),
});
export type PushSubscription = z.infer<typeof subscription>;
export type PushSettings = z.infer<typeof settings>;

/** Browsers that show notifications when no page is open (Push API). */
export const push = {
  'GET /push': userCall(reads('person'), {
    summary: 'Get the key to subscribe a browser with (null: this server pushes nothing), and the browsers that are',
    response: z.object({ publicKey: z.string().nullable(), subscriptions: z.array(subscription) }),
  }),
  'POST /push': userCall(manages('person'), {
    sudo: true,
    summary: 'Subscribe a browser, or set what it shows',
    body: settings,
    response: subscription,
  }),
  'DELETE /push/{id}': userCall(manages('person'), {
    summary: 'End the subscription of a browser',
    params: byId,
    response: z.object({ deleted: z.literal(true) }),
  }),
};
