import { z } from 'zod';
import { shownChange } from './contract/waiting';
import { algorithm, isoTime, label, unixSeconds } from './schemas';

/**
 * `stratum+tcp://host:port` or `stratum+ssl://host:port`; without user, password or path. Blanks around it, a last `/`
 * and `#xnsub` are dropped, as people copy them.
 */
const upstreamUrl = z
  .string()
  .max(300)
  .overwrite((text) => text.trim().replace(/\/?(#xnsub)?$/, ''))
  .regex(/^stratum\+(tcp|ssl):\/\/(\[[0-9A-Fa-f:.]+\]|[^\s/?#@[\]:\\]+):[1-9][0-9]{0,4}$/);
/** User name at the upstream pool. */
const poolUser = z.string().regex(/^[\x21-\x7e]{1,200}$/);
const poolPassword = z
  .string()
  .min(1)
  .max(200)
  .regex(/^\P{C}*$/u);

/** A user's saved upstream pool. Responses never contain the password. */
export const poolConfig = z.object({
  id: z.int(),
  name: z.string(),
  algorithm,
  url: z.string(),
  user: z.string(),
  passwordSet: z.boolean(),
  /** Number of sub-account lists that contain it. */
  uses: z.int(),
});
export const newPoolConfig = z.strictObject({
  name: label,
  algorithm,
  url: upstreamUrl,
  user: poolUser,
  password: poolPassword.nullable().optional(),
});
/** Omitted fields stay; `password` null removes the password. */
export const poolConfigChange = newPoolConfig.partial();
/** A saved pool by id, or the data of an unsaved one. */
export const poolConfigTest = z.union([
  z.strictObject({ id: z.int().min(1).max(2_147_483_647) }),
  newPoolConfig.partial({ name: true }),
]);

/** A saved pool in the list of a sub-account, with its state. */
export const subAccountPoolConfig = z.object({
  id: z.int(),
  subAccountId: z.int(),
  poolConfigId: z.int(),
  algo: algorithm,
  name: z.string(),
  url: z.string(),
  /** 1 is the best. */
  priority: z.int(),
  enabled: z.boolean(),
  state: z.enum(['active', 'standby', 'down', 'auth_failed', 'unreadable', 'disabled']),
  latencyMs: z.number().nullable(),
  /** Message for the user; null when it works. */
  lastError: z.string().nullable(),
  lastSwitchAt: unixSeconds.nullable(),
  /** Part (0 to 1) of the last hour's shares it refused; null without shares. */
  rejectRate: z.number().nullable(),
});

/** Why miners moved: none worked, a better one is back, the list changed, no password can be read, or a failure. */
const SWITCH_REASONS = [
  'restored',
  'returned',
  'changed',
  'unreadable',
  'lost',
  'silent',
  'auth_failed',
  'misbehaves',
  'not_allowed',
  'small_extranonce',
] as const;
/** `from`, `to`: names of upstream pools, or their addresses where no saved pool has it; null: none worked. */
export const upstreamSwitch = z.object({
  id: z.int(),
  at: unixSeconds,
  algorithm,
  from: z.string().nullable(),
  to: z.string().nullable(),
  why: z.enum(SWITCH_REASONS),
});

/**
 * Whether pool changes are held, and for how long. Until `until` miners work by the pools `inForce`; `shown`: the lists
 * that are others then.
 */
export const poolHold = z.object({
  on: z.boolean(),
  hours: z.number(),
  offAt: isoTime.nullable(),
  until: isoTime.nullable(),
  inForce: z.array(z.object({ subAccountId: z.int(), algo: algorithm, name: z.string(), url: z.string() })),
  shown: shownChange.optional(),
});

export type SwitchReason = (typeof SWITCH_REASONS)[number];
export type UpstreamSwitch = z.infer<typeof upstreamSwitch>;
export type PoolConfig = z.infer<typeof poolConfig>;
export type NewPoolConfig = z.infer<typeof newPoolConfig>;
export type PoolConfigChange = z.infer<typeof poolConfigChange>;
export type PoolHold = z.infer<typeof poolHold>;
export type SubAccountPoolConfig = z.infer<typeof subAccountPoolConfig>;
