import { z } from 'zod';
import * as s from '../schemas';

/** visitor: anyone; user: signed in, own data; watcher: user, or a watcher token or API key with the scope; admin. */
export type Who = 'visitor' | 'user' | 'watcher' | 'admin';
export type Endpoint = {
  summary: string;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  response: z.ZodType;
  /** Of a good answer, where it is not 200. */
  status?: 202;
} &
  /** What a watcher token or API key must be allowed, to make this call. */
  ({ who: 'watcher'; scope: s.Scope } | { who: Exclude<Who, 'watcher'>; scope?: undefined });

export const endpoint = <const E extends Endpoint>(e: E): E => e;

export const ofAccount = z.strictObject({ userName: s.accountName.optional(), algorithm: s.algorithm.optional() });
export const cursorPage = {
  limit: z.coerce.number().int().min(1).max(500).default(100),
  cursor: z.string().max(64).optional(),
};
export const page = <T extends z.ZodType>(row: T) =>
  z.object({ rows: z.array(row), total: z.int(), nextCursor: z.string().nullable() });
export const byId = z.strictObject({ id: z.coerce.number().int().min(1).max(2_147_483_647) });
