import { listUsers } from '../../pool/users';
import { nextCursor, offsetOf } from '../cursor';
import type { Deps } from '../deps';
import type { SomeHandlers } from '../route';

export function adminRoutes({ database: { pool }, config, now }: Deps): SomeHandlers<'GET /users/'> {
  return {
    'GET /users/': async ({ query: { cursor, ...filter } }) => {
      const offset = offsetOf(cursor);
      const { rows, total } = await listUsers(pool, { ...filter, offset }, config.POOL_FEE_PERCENT, now());
      return { rows, total, nextCursor: nextCursor(offset, rows.length, total) };
    },
  };
}
