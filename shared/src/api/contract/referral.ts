import { z } from 'zod';
import * as s from '../schemas';
import { manages, reads, userCall } from './endpoint';

/** Referral codes and statistics. */
export const referral = {
  'GET /referral/code': userCall(reads('referral'), {
    summary: 'Get my referral code',
    response: z.object({
      code: z.string().nullable(),
      link: z.string().nullable(),
      ratePercent: z.number(),
      months: z.int(),
    }),
  }),
  'POST /referral/code': userCall(manages('referral'), {
    summary: 'Create my referral code',
    body: z.strictObject({}),
    response: z.object({ code: z.string(), link: z.string(), ratePercent: z.number(), months: z.int() }),
  }),
  'GET /referral/stats': userCall(reads('referral'), {
    summary: 'Get my referral totals',
    response: z.object({
      referred: z.int(),
      active: z.int(),
      accruedSat: s.sats,
      paidSat: s.sats,
      availableSat: s.sats,
    }),
  }),
  'GET /referral/list': userCall(reads('referral'), {
    summary: 'List the users I referred, with masked names',
    response: z.array(
      z.object({
        name: z.string(),
        joinedAt: s.isoTime,
        active: z.boolean(),
        hashrate24h: z.number(),
        earnedSat: s.sats,
      }),
    ),
  }),
  'POST /referral/activate': userCall(manages('referral'), {
    summary: 'Activate the referral code of another user; possible once',
    body: z.strictObject({ referralCode: z.string().min(4).max(32) }),
    response: z.object({ activated: z.literal(true) }),
  }),
};
