import { z } from 'zod';
import type { Rule, Subject } from '../../contract/ability';
import * as s from '../schemas';

/** What another owner confirms. */
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
  /** Made by a member of an organization with two pairs of eyes, the call waits for another owner. */
  secondOwner?: SecondOwnerKind;
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
export const cursorPage = {
  limit: s.whole(1, 500).default(100),
  cursor: z.string().max(64).optional(),
};
export const page = <T extends z.ZodType>(row: T) =>
  z.object({ rows: z.array(row), total: z.int(), nextCursor: z.string().nullable() });
export const byId = z.strictObject({ id: s.whole(1, 2_147_483_647) });
