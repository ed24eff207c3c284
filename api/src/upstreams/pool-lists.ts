/** Reads the lists of upstream pools for the proxy. */
import type { Pool } from 'pg';
import type { Logger } from '../log';
import { type Secrets, SecretUnreadable } from '../secrets';
import type { PoolChanges } from './pool-changes';
import { type PoolConfigRow, toTarget } from './pool-configs';
import type { PoolLists } from '../stratum/ports';

/**
 * A pool whose password cannot be decrypted (its key is lost) stays in the list without one and is never connected to:
 * after a wrong password the pool might ban the miners' address. Without the entry, miners of a last such pool would
 * move to the default pools.
 */
export const pgPoolLists = (
  pool: Pick<Pool, 'query'>,
  secrets: Secrets,
  changes: PoolChanges,
  log: Logger,
): PoolLists => ({
  async find(subAccountId, algorithm) {
    const { rows } = await pool.query<PoolConfigRow & { place_id: number }>(
      `select p.*, c.id as place_id
       from sub_account_pool_config c
         join pool_config p on p.id = c.pool_config_id
         join sub_account s on s.id = c.sub_account_id
       where c.sub_account_id = $1 and c.algorithm = $2 and c.enabled and s.deleted_at is null
       order by c.priority`,
      [subAccountId, algorithm],
    );
    return rows.map((row) => {
      try {
        return toTarget(row, secrets, row.place_id);
      } catch (error) {
        if (!(error instanceof SecretUnreadable)) throw error;
        log.error(
          { err: error, subAccountId, poolConfigId: row.id },
          'the password of an upstream pool cannot be decrypted: the pool is not used',
        );
        return { ...toTarget({ ...row, password: null }, secrets, row.place_id), password: null };
      }
    });
  },
  onChange: (listener) => changes.onLists(listener),
});
