import { z } from 'zod';
import * as s from '../schemas';
import { TERM_VALUES } from './accounting';
import { ADMIN, userCall } from './endpoint';

const TERMS = Object.keys(TERM_VALUES) as (keyof typeof TERM_VALUES)[];
const sums = z.object({ grossSat: s.sats, feeSat: s.sats, netSat: s.sats });

/** Terms of the pool: what is valid, what was, and what a change would have meant. */
export const adminTerms = {
  'GET /admin/terms': userCall(ADMIN, {
    summary: 'List the terms with their history, and the settings that the operator set at the start',
    response: z.object({
      terms: z.array(
        z.object({
          name: z.enum(TERMS),
          /** The value today. */
          value: z.number(),
          /** Newest first; `since` may be in the future. */
          history: z.array(
            z.object({ since: s.day, value: z.number(), by: z.string().nullable(), at: s.isoTime.nullable() }),
          ),
        }),
      ),
      operator: z.object({
        walletHoldHours: z.number(),
        defaultThresholdSat: s.sats,
        referralPercent: z.number(),
        referralMonths: z.number(),
        referralThresholdSat: s.sats,
        upstreams: z.array(z.object({ algorithm: s.algorithm, url: z.string() })),
      }),
    }),
  }),
  'GET /admin/terms/preview': userCall(ADMIN, {
    summary: 'Compute what another value would have meant for the last 30 closed days; nothing is changed',
    query: z
      .strictObject({ name: z.enum(TERMS), value: z.coerce.number() })
      .refine(({ name, value }) => TERM_VALUES[name].safeParse(value).success, { path: ['value'] }),
    response: z.object({
      from: s.day.nullable(),
      to: s.day.nullable(),
      /** Users whose earnings would differ. */
      users: z.int(),
      before: sums,
      after: sums,
    }),
  }),
};
