import { z } from 'zod';
import type { Rule, Subject } from '../../contract/ability';
import * as s from '../schemas';

/** What pages of 1.0.0 know of the changes that wait for another owner. */
export const SECOND_OWNER_KINDS = [
  'address',
  'referral_address',
  'pool_new',
  'pool_change',
  'pool_removal',
  'list',
  'list_add',
  'list_place',
  'list_removal',
  'member',
  'member_removal',
  'invitation',
  'one_owner',
  'closing',
] as const;
export type SecondOwnerKind = (typeof SECOND_OWNER_KINDS)[number];
/** What a change that waits is about. */
export const WAITING_KINDS = [
  ...SECOND_OWNER_KINDS,
  'address_back',
  'list_undo',
  'hold_off',
  'hold_back',
  'member_kept',
  'admin',
  'one_admin',
  'payment_failed',
] as const;
export type WaitingKind = (typeof WAITING_KINDS)[number];
/** `owner`, `admin`: another one, where they want two pairs of eyes. `time`: a hold, before it is in force. */
export type Waits = { for: readonly ('owner' | 'admin' | 'time')[]; shows: WaitingKind };

/** Callers: visitor: anybody; user: a signed-in user; watcher: also a watcher link or API key with the scope. */
export type Who = 'visitor' | 'user' | 'watcher';
export type Endpoint = {
  summary: string;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  response: z.ZodType;
  /** The call moves hashpower, money or rights: it needs a sign-in of the last ten minutes. `some`: it decides. */
  sudo?: true | 'some';
  /** What the call waits for before it is in force, and what is shown of it until then. */
  waits?: Waits;
  /** What the call names by number, which has to be within the limit of a member's role. */
  names?: 'workers' | 'account';
  /** An admin's call that this one answers, made as the user whom `field` of the query names. */
  viewAs?: { call: `GET ${string}`; field: string };
  /** Status of a successful response, when it is not 200. */
  status?: 202;
} & (
  | { who: 'visitor'; requires?: undefined; scope?: undefined }
  /** `requires`: the permission that the server checks, and a page before it offers the call. */
  | { who: 'user'; requires: Rule; scope?: undefined }
  /** `scope`: the scope that a watcher link or API key needs in addition. */
  | { who: 'watcher'; requires: Rule; scope: s.Scope }
  /** Any watcher link or API key; the call itself checks the scopes. */
  | { who: 'watcher'; requires?: undefined; scope: 'any' }
);

export const reads = (subject: Subject): Rule => ({ action: 'read', subject });
export const manages = (subject: Subject): Rule => ({ action: 'manage', subject });
export const ADMIN = manages('admin');

type Caller = Pick<Endpoint, 'who' | 'requires' | 'scope'>;
type Facts = Omit<Endpoint, keyof Caller>;
const call = <const C extends Caller, const F extends Facts>(caller: C, facts: F) =>
  ({ ...caller, ...facts }) as { [Key in keyof (C & F)]: (C & F)[Key] };
export const visitorCall = <const F extends Facts>(facts: F) => call({ who: 'visitor' }, facts);
export const userCall = <const F extends Facts>(requires: Rule, facts: F) => call({ who: 'user', requires }, facts);
export const watcherCall = <const S extends s.Scope, const F extends Facts>(requires: Rule, scope: S, facts: F) =>
  call({ who: 'watcher', requires, scope }, facts);
/** A call of any watcher link or API key. */
export const anyWatcherCall = <const F extends Facts>(facts: F) => call({ who: 'watcher', scope: 'any' }, facts);

export const ofAccount = z.strictObject({ userName: s.accountName.optional(), algorithm: s.algorithm.optional() });
/** The same of a call that reads, which may be about all sub-accounts together. */
export const ofAccounts = ofAccount.extend({ userName: s.accountOrAll.optional() });
export const cursorPage = {
  limit: s.whole(1, 500).default(100),
  cursor: z.string().max(64).optional(),
};
export const page = <T extends z.ZodType>(row: T) =>
  z.object({ rows: z.array(row), total: z.int(), nextCursor: z.string().nullable() });
export const byId = z.strictObject({ id: s.whole(1, 2_147_483_647) });
