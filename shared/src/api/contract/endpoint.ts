import { z } from 'zod';
import type { Rule, Subject } from '../../ability';
import * as s from '../schemas';

/** visitor: anyone; user: somebody signed in; watcher: also a watcher link or an API key with the scope. */
export type Who = 'visitor' | 'user' | 'watcher';
export type Endpoint = {
  summary: string;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  response: z.ZodType;
  /** Of a good answer, where it is not 200. */
  status?: 202;
} & (
  | { who: 'visitor'; requires?: undefined; scope?: undefined }
  /**
   * `requires`: the rule of the caller's ability (ability.ts) that the server checks, and a page asks before it offers
   * the call.
   */
  | { who: 'user'; requires: Rule; scope?: undefined }
  /** `scope`: what a watcher link or API key needs besides. */
  | { who: 'watcher'; requires: Rule; scope: s.Scope }
);

export const reads = (subject: Subject): Rule => ({ action: 'read', subject });
export const manages = (subject: Subject): Rule => ({ action: 'manage', subject });
export const ADMIN = manages('admin');

export const endpoint = <const E extends Endpoint>(e: E): E => e;

export const ofAccount = z.strictObject({ userName: s.accountName.optional(), algorithm: s.algorithm.optional() });
export const cursorPage = {
  limit: s.whole(1, 500).default(100),
  cursor: z.string().max(64).optional(),
};
export const page = <T extends z.ZodType>(row: T) =>
  z.object({ rows: z.array(row), total: z.int(), nextCursor: z.string().nullable() });
export const byId = z.strictObject({ id: s.whole(1, 2_147_483_647) });
