/** Workers. Hashrates in H/s, times in Unix seconds. */
import { z } from 'zod';
import { measuring, minedSince, points, sats, unixSeconds, workerStateName } from './schemas';

export const worker = z.object({
  id: z.int(),
  name: z.string(),
  /** Its sub-account, in a list of all of them. */
  account: z.string().optional(),
  group: z.string().nullable(),
  state: workerStateName,
  muted: z.boolean(),
  /** Null: until it mines again; left out: until it is unmuted. */
  mutedUntil: unixSeconds.nullable().optional(),
  /** One of many new names of one day, which its owner has not confirmed. */
  strange: z.boolean().optional(),
  /** Part (0 to 1) of the 24 h mean below which the worker is `low`. */
  alertLimit: z.number(),
  m5: z.number(),
  measuring,
  h1: z.number(),
  h24: z.number(),
  /** Since when it mines again; only while its hour is too young to be judged, and below the limit (`STEADY`). */
  backSince: unixSeconds.optional(),
  /** Since when it has no connection, while its last share is too young for it to be offline. */
  disconnectedAt: unixSeconds.optional(),
  minedSince,
  /** Part (0 to 1) of the work of 24 h. */
  rejectRate: z.number(),
  staleRate: z.number(),
  /** Current difficulty of the connection; null when not connected. */
  difficulty: z.number().nullable(),
  lastShareAt: unixSeconds.nullable(),
  connectedAt: unixSeconds.nullable(),
  software: z.string().nullable(),
  /** The pool's port that its last connection came in at; left out: unknown. */
  port: z.int().optional(),
  tls: z.boolean().optional(),
  /** Where its last connection came from; not for watcher links and API keys. */
  address: z.string().nullable().optional(),
  shares24h: z.int(),
  /** 24 h in 24 hourly means, H/s; null is a gap. */
  spark: points,
});
/** What of a worker changes with each reading; `spark` is its last points only. */
export const workerNumbers = worker.omit({
  minedSince: true,
  name: true,
  account: true,
  group: true,
  muted: true,
  mutedUntil: true,
  strange: true,
  alertLimit: true,
  difficulty: true,
  connectedAt: true,
  software: true,
  port: true,
  tls: true,
  address: true,
});
/** A fault began or ended (`_over`), or the owner changed `value`: the group's name, or the alert limit. */
const WORKER_EVENTS = [
  'offline',
  'offline_over',
  'low',
  'low_over',
  'rejects',
  'rejects_over',
  'group',
  'mute',
  'unmute',
  'alert_limit',
] as const;
export const workerEvent = z.object({
  at: unixSeconds,
  kind: z.enum(WORKER_EVENTS),
  value: z.union([z.string(), z.number()]).nullable(),
});
/** Parts (0 to 1) of the last 24 h and 7 days in which a worker mined; null: none has ended. */
export const workerUptime = z.object({
  h24: z.number().nullable(),
  d7: z.number().nullable(),
  model: z.object({ name: z.string(), hashrate: z.number(), by: z.enum(['software', 'name']) }).nullable(),
});
/** Workers that are likely, or held, to be one machine that was given another name. */
export const workerJoins = z.object({
  /** `worker` has mined as `name` since then, and `former` as `formerName` until `goneAt`. */
  offers: z.array(
    z.object({
      worker: z.int(),
      name: z.string(),
      former: z.int(),
      formerName: z.string(),
      since: unixSeconds,
      goneAt: unixSeconds,
    }),
  ),
  /** What can be undone: the worker, its name and the one before, and when they were joined. */
  joins: z.array(z.object({ id: z.int(), worker: z.int(), name: z.string(), former: z.string(), at: unixSeconds })),
});
export const workerCounts = z.object({
  online: z.int(),
  low: z.int(),
  offline: z.int(),
  inactive: z.int(),
  total: z.int(),
  /** Online or low ones that have disconnected, and when the last of them did; left out when there are none. */
  disconnected: z.int().optional(),
  disconnectedAt: unixSeconds.optional(),
});

/** What workers that went off together have in common; `workers`: nothing. */
const EVENT_PLACES = ['all', 'group', 'account', 'address', 'upstream', 'model', 'name', 'workers'] as const;
/** Workers of an owner that went off together, of all sub-accounts that the caller may read. */
export const farmEvent = z.object({
  id: z.int(),
  by: z.enum(EVENT_PLACES),
  /** The name of the place; the common beginning of names; empty where `by` says all. */
  value: z.string(),
  /** Workers of the place, those of them that went off, and those that are off now. */
  total: z.int(),
  rigs: z.int(),
  off: z.int(),
  /** The sub-account of most of them. */
  account: z.string(),
  since: unixSeconds,
  /** When the last of them was back; null: some are off. */
  until: unixSeconds.nullable(),
  /** What is off now, H/s. */
  hashrate: z.number(),
  /** Satoshis before fees, about: of an hour now, and of all of it when it is over; only for who may read payments. */
  satsPerHour: sats.optional(),
  lostSat: sats.nullable().optional(),
  /** It has workers that the caller may not read: the caller cannot change it. */
  isPart: z.literal(true).optional(),
  /** Nothing is said until then; null: until it is over. */
  acknowledged: z.object({ by: z.string(), until: unixSeconds.nullable() }).nullable(),
  note: z.string().nullable(),
});
export type FarmEvent = z.infer<typeof farmEvent>;

export type Worker = z.infer<typeof worker>;
export type WorkerNumbers = z.infer<typeof workerNumbers>;
export type WorkerEvent = z.infer<typeof workerEvent>;
export type WorkerUptime = z.infer<typeof workerUptime>;
export type WorkerJoins = z.infer<typeof workerJoins>;
export type WorkerCounts = z.infer<typeof workerCounts>;
