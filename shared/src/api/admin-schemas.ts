/** What admins see and edit. */
import { z } from 'zod';
import { ORGANIZATION_ROLES } from '../contract/roles';
import { algorithm, isoTime, sats, subAccount, user } from './schemas';

export const adminUser = user.extend({
  /** Pool fee, percent. */
  feePercent: z.number(),
  hashrate24h: z.number(),
  unpaidSat: sats,
  /** Running ones: online or low. */
  workersOnline: z.int(),
  /** Of them, those that have disconnected. */
  workersDisconnected: z.int().optional(),
  lastSeenAt: isoTime.nullable(),
  disabled: z.boolean(),
  /** The organization whose account it is, with its members. */
  organization: z
    .object({
      name: z.string(),
      members: z.array(z.object({ userName: z.string(), role: z.enum(ORGANIZATION_ROLES) })),
    })
    .optional(),
});

/** Increased by each edit of an admin, and of the owner to what admins edit. */
const version = z.int();
/** A sub-account as admins see and edit it. */
export const adminSubAccount = subAccount.extend({
  owner: z.string(),
  btcAddress: z.string().nullable(),
  thresholdSat: sats,
  version,
});
/** A sub-account in the list for admins. */
export const listedSubAccount = adminSubAccount.extend({
  isLegacyUser: z.boolean(),
  /** End of the hold after a change of the address. */
  heldUntil: isoTime.nullable(),
  paused: z.boolean(),
  unpaidSat: sats,
  /** Running ones: online or low. */
  workersOnline: z.int(),
  /** Of them, those that have disconnected. */
  workersDisconnected: z.int().optional(),
});
/** A user as admins edit it. `feePercent` null: the pool's fee. */
export const editUser = user.extend({
  feePercent: z.number().nullable(),
  disabled: z.boolean(),
  version,
  subAccounts: z.array(adminSubAccount),
});

/** A dedicated Stratum port of a sub-account; ports below 1024 belong to the system. */
const ownPort = z.int().min(1024).max(65_535);
/** The version that was read: with another one now, nothing is changed. */
const seenVersion = z.int().min(1).max(2_147_483_647).optional();
export const userChange = z.strictObject({
  version: seenVersion,
  role: z.enum(['miner', 'admin']).optional(),
  isLegacyUser: z.boolean().optional(),
  disabled: z.boolean().optional(),
  feePercent: z.number().min(0).max(100).nullable().optional(),
});
export const subAccountChange = z.strictObject({
  version: seenVersion,
  ports: z.partialRecord(algorithm, ownPort).optional(),
  proxyPort: ownPort.nullable().optional(),
  thresholdSat: z.int().min(10_000).max(10_000_000_000).optional(),
});

/** Sort order of the users: a field of `adminUser`, with `-` for descending order; equal values by `id`. */
export const userSort = z.enum([
  'userName',
  '-userName',
  'hashrate24h',
  '-hashrate24h',
  'unpaidSat',
  '-unpaidSat',
  'workersOnline',
  '-workersOnline',
  'createdAt',
  '-createdAt',
  'lastSeenAt',
  '-lastSeenAt',
]);

/** Sort order of the sub-accounts, as of the users. */
export const subAccountSort = z.enum(['name', '-name', 'owner', '-owner', 'unpaidSat', '-unpaidSat']);

export type AdminSubAccount = z.infer<typeof adminSubAccount>;
export type ListedSubAccount = z.infer<typeof listedSubAccount>;
export type SubAccountSort = z.infer<typeof subAccountSort>;
export type EditUser = z.infer<typeof editUser>;
export type UserChange = z.infer<typeof userChange>;
export type SubAccountChange = z.infer<typeof subAccountChange>;
export type AdminUser = z.infer<typeof adminUser>;
export type UserSort = z.infer<typeof userSort>;
