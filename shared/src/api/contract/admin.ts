import { z } from 'zod';
import * as s from '../schemas';
import { cursorPage, endpoint, page } from './endpoint';

/** What only admins may call. */
export const admin = {
  'GET /users/': endpoint({ who: 'admin', summary: 'All users', query: z.strictObject({ legacy: z.stringbool().optional(), search: z.string().max(64).optional(),
      sort: s.userSort.default('userName'), ...cursorPage }),
    response: page(s.adminUser) }),
};
