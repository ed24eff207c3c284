/** What the Stratum proxy knows of miners that have not had a share yet. */
import { z } from 'zod';
import { algorithm, unixSeconds } from './schemas';

/** Why a miner was not let in. `other_port`: the port is of another account. `no_name`: it left without a name. */
const REFUSAL_REASONS = [
  'no_account',
  'malformed',
  'wrong_password',
  'other_port',
  'banned',
  'too_many_workers',
  'no_name',
] as const;

/** A connected miner without an accepted share. */
const arrival = z.object({
  worker: z.string(),
  /** Algorithm of the port it is connected to. */
  algorithm,
  software: z.string().nullable(),
  since: unixSeconds,
  /** Difficulty of the shares asked for; null before the first work. */
  difficulty: z.number().nullable(),
  /** Typical of its software, H/s; null where nothing is known. */
  hashrate: z.number().nullable(),
  refusedShares: z.int(),
  /** Its shares did not reach the difficulty: as a rule a miner for another algorithm. */
  lowDifficulty: z.boolean(),
});
/** `name`: as the miner sent it; of a name that is not the account's shortened, and null when unreadable. */
const refusal = z.object({
  at: unixSeconds,
  algorithm,
  reason: z.enum(REFUSAL_REASONS),
  name: z.string().nullable(),
});
/** `mining`: connected miners with an accepted share. `nameless`: connections without a worker's name yet. */
export const arrivals = z.object({
  nameless: z.array(z.object({ algorithm, since: unixSeconds, subscribed: z.boolean() })),
  connected: z.array(arrival),
  mining: z.partialRecord(algorithm, z.int()),
  refused: z.array(refusal),
});

export type RefusalReason = (typeof REFUSAL_REASONS)[number];
export type Arrival = z.infer<typeof arrival>;
export type Refusal = z.infer<typeof refusal>;
export type Arrivals = z.infer<typeof arrivals>;
