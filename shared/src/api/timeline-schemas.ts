/** What happened to an account, of every kind in one list. Times in Unix seconds. */
import { z } from 'zod';
import { ORGANIZATION_ROLES } from '../contract/roles';
import { dip, outage } from './chart-schemas';
import { algorithm, sats, unixSeconds } from './schemas';
import { upstreamSwitch } from './upstream-schemas';
import { farmEvent, workerEvent } from './worker-schemas';

const entry = {
  /** It names the entry for as long as there is one: `payout-12`. */
  id: z.string(),
  at: unixSeconds,
  /** A payout's sum; of all else what it cost, about, below zero. Only for who may read payments. */
  sat: sats.optional(),
  /** The sub-account that it is about, in a list of all of them. */
  account: z.string().optional(),
};
const lasting = { ...entry, until: unixSeconds.nullable(), algorithm };

export const timelineEntry = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('outage'), ...lasting, why: outage.shape.why }),
  /** Workers that went off together. */
  z.object({ kind: z.literal('off'), ...lasting, event: farmEvent }),
  /** The account mined clearly less than usual, and no other entry says why. */
  z.object({ kind: z.literal('dip'), ...lasting, until: unixSeconds, side: dip.shape.side }),
  upstreamSwitch.extend({ kind: z.literal('switch'), ...entry }),
  /** The price of work, BTC per PH/s (SHA256) or TH/s (SCRYPT) per day, from the start of a UTC day. */
  z.object({ kind: z.literal('price'), ...entry, algorithm, priceBtc: z.number(), before: z.number() }),
  z.object({ kind: z.literal('payout'), ...entry, payment: z.int() }),
  /** The payout address, shortened; `heldUntil`: nothing is paid to it before. `cancel`: it is the one of before again. */
  z.object({
    kind: z.literal('address'),
    ...entry,
    change: z.enum(['change', 'cancel']),
    address: z.string(),
    heldUntil: unixSeconds.nullable(),
  }),
  /** `name`: the member; `role`: of who joined or may do something else now. */
  z.object({
    kind: z.literal('member'),
    ...entry,
    change: z.enum(['join', 'member', 'leave', 'remove']),
    name: z.string(),
    role: z.enum(ORGANIZATION_ROLES).nullable(),
  }),
  /** A fault of one worker began or ended, or its owner changed it; only in the list of that worker. */
  workerEvent.extend({ kind: z.literal('worker'), ...entry, what: workerEvent.shape.kind }),
]);
export type TimelineEntry = z.infer<typeof timelineEntry>;
