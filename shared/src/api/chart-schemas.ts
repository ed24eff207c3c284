/** What happened during a hashrate chart. Times in Unix seconds. */
import { z } from 'zod';
import { sats, unixSeconds } from './schemas';
import { upstreamSwitch } from './upstream-schemas';

/** `server`: the pool did not run; `upstream`: no upstream worked; `miners`: most were cut off at once. */
const OUTAGE_REASONS = ['server', 'upstream', 'miners'] as const;
export type OutageReason = (typeof OUTAGE_REASONS)[number];

/** A time at which the pool itself was out. `until`: null while it lasts. */
export const outage = z.object({ at: unixSeconds, until: unixSeconds.nullable(), why: z.enum(OUTAGE_REASONS) });

export const chartEvent = z.discriminatedUnion('kind', [
  upstreamSwitch.pick({ at: true, from: true, to: true, why: true }).extend({ kind: z.literal('switch') }),
  /** The price of work, BTC per PH/s (SHA256) or TH/s (SCRYPT) per day, from the start of a UTC day. */
  z.object({ kind: z.literal('price'), at: unixSeconds, priceBtc: z.number(), before: z.number() }),
  z.object({ kind: z.literal('payout'), at: unixSeconds, amountSat: sats }),
  outage.extend({ kind: z.literal('outage') }),
]);
/** A time at which an account mined less than usual; `lostSat`: its cost, for who may read payments. */
export const dip = z.object({
  at: unixSeconds,
  until: unixSeconds,
  side: z.enum(['pool', 'upstream', 'miners']),
  lostSat: sats.optional(),
});
export type Dip = z.infer<typeof dip>;
export type ChartEvent = z.infer<typeof chartEvent>;
