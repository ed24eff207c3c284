import { z } from 'zod';
import { TELEGRAM_EVENTS } from '../../domain/telegram';
import * as s from '../schemas';
import { manages, reads, userCall } from './endpoint';

/** `mailEvents`: changes of wallets and pools are mailed to a confirmed address in any case. `quiet`: minutes of the day. */
const minute = z.int().min(0).max(1439);
/** What is told in quiet hours too: workers that went off together, from one of these sizes on; `hashrate` in H/s. */
const loud = z.strictObject({
  workers: z.int().min(1).max(1_000_000).nullable(),
  percent: z.number().positive().max(100).nullable(),
  hashrate: z.number().positive().max(1e24).nullable(),
});
const alertSetting = z.strictObject({
  mailEvents: z.array(z.enum(TELEGRAM_EVENTS)).max(TELEGRAM_EVENTS.length),
  quiet: z.strictObject({ from: minute, to: minute, timeZone: s.timeZone, unless: loud.optional() }).nullable(),
});
export type AlertSetting = z.infer<typeof alertSetting>;

/** `hashrate`: H/s, of the mean of half an hour. */
const accountLimit = z.object({ account: s.accountName, algorithm: s.algorithm, hashrate: z.number() });
export type AccountLimit = z.infer<typeof accountLimit>;

/** Notifications of the signed-in user. */
export const notifications = {
  'GET /notifications': userCall(reads('person'), {
    summary: 'List my notifications, newest first',
    response: z.object({ notifications: z.array(s.notification), unread: z.int() }),
  }),
  'POST /notifications/read': userCall(manages('person'), {
    summary: 'Mark notifications as read; without ids, all',
    body: z.strictObject({ ids: z.array(z.int().min(1).max(2_147_483_647)).max(500).optional() }),
    response: z.object({ unread: z.int() }),
  }),
  'GET /alerts': userCall(reads('person'), {
    summary: 'Get what I am mailed of, and my quiet hours: alerts wait until their end, in every channel but webhooks',
    response: alertSetting,
  }),
  'PUT /alerts': userCall(manages('person'), {
    summary: 'Set what I am mailed of, and my quiet hours',
    body: alertSetting,
    response: alertSetting,
  }),
  'POST /alerts/stopped': userCall(manages('person'), {
    summary: 'Be mailed when a machine stops and when it is back, if the pool sends mail and my address is confirmed',
    response: alertSetting,
  }),
  'GET /accountLimits': userCall(reads('workers'), {
    summary: 'List the hashrates below which I am told of a whole account',
    response: z.array(accountLimit),
  }),
  'PUT /accountLimits': userCall(manages('workers'), {
    summary: 'Set the hashrate below which I am told of a whole account; null: no more',
    body: z.strictObject({
      account: s.accountName,
      algorithm: s.algorithm,
      hashrate: z.number().positive().max(1e24).nullable(),
    }),
    response: z.array(accountLimit),
  }),
};
