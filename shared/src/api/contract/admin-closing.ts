import { z } from 'zod';
import * as m from '../money-schemas';
import * as s from '../schemas';
import { ADMIN, userCall } from './endpoint';

/** Days whose figures are not plausible, and what upstreams accepted against what miners were credited. */
export const adminClosing = {
  'GET /admin/closing': userCall(ADMIN, {
    summary: 'Get the day that waits for a decision, and what upstreams accepted and miners were credited in 31 days',
    response: z.object({
      waiting: m.waitingDay.nullable(),
      /** Newest day first, today included. */
      upstreams: z.array(m.upstreamDay),
    }),
  }),
  'POST /admin/closing/{day}': userCall(ADMIN, {
    sudo: true,
    summary:
      'Close a day whose figures are not plausible. `tag`: of the findings that were seen; with others now, nothing is closed',
    params: z.strictObject({ day: s.day }),
    body: z.strictObject({
      tag: z.string().max(64),
      /** Kept in the audit log; the owners of withheld work see it. */
      reason: m.note,
      /** Sub-accounts of findings whose work of the day is booked with nothing, as a correction. */
      withhold: z.array(z.strictObject({ account: s.accountName, algorithm: s.algorithm })).max(500),
    }),
    response: m.closed,
  }),
};
