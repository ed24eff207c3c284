/** Reads the lists of upstream pools for the proxy. */
import type { Pool } from 'pg';
import type { AlgorithmName } from '@pool/shared/domain';
import type { Logger } from '../log';
import { type Secrets, SecretUnreadable } from '../secrets';
import type { PoolChanges } from './pool-changes';
import { type PoolConfigRow, toTarget } from './pool-configs';
import type { PoolLists, PoolTarget } from '../stratum/ports';

/** A row of a list. `place_id`: `sub_account_pool_config.id`. */
export type ListedPool = PoolConfigRow & { place_id: number; sub_account_id: number };

const SELECT = `
  select p.id, p.user_id, p.name, p.algorithm, p.url, p.user_name, p.password, c.id as place_id, c.sub_account_id
  from sub_account_pool_config c
    join pool_config p on p.id = c.pool_config_id
    join sub_account s on s.id = c.sub_account_id
  where c.enabled and s.deleted_at is null`;

/** The enabled pools of all lists, best first. */
export const allPools = async (pool: Pick<Pool, 'query'>): Promise<ListedPool[]> =>
  (await pool.query<ListedPool>(`${SELECT} order by c.sub_account_id, c.algorithm, c.priority`)).rows;

/**
 * A pool whose password cannot be decrypted (its key is lost) stays in the list without one and is never connected to:
 * after a wrong password the pool might ban the miners' address. Without the entry, miners of a last such pool would
 * move to the default pools. `known`: the rows as they were last read, for when they cannot be read.
 */
export const pgPoolLists = (
  pool: Pick<Pool, 'query'>,
  secrets: Secrets,
  changes: PoolChanges,
  log: Logger,
  known?: (subAccountId: number, algorithm: AlgorithmName) => ListedPool[] | null,
): PoolLists => {
  const target = (row: ListedPool): PoolTarget => {
    try {
      return toTarget(row, secrets, row.place_id);
    } catch (error) {
      if (!(error instanceof SecretUnreadable)) throw error;
      log.error(
        { err: error, subAccountId: row.sub_account_id, poolConfigId: row.id },
        'the password of an upstream pool cannot be decrypted: the pool is not used',
      );
      return { ...toTarget({ ...row, password: null }, secrets, row.place_id), password: null };
    }
  };
  return {
    async find(subAccountId, algorithm) {
      const { rows } = await pool.query<ListedPool>(
        `${SELECT} and c.sub_account_id = $1 and c.algorithm = $2 order by c.priority`,
        [subAccountId, algorithm],
      );
      return rows.map(target);
    },
    known: (subAccountId, algorithm) => known?.(subAccountId, algorithm)?.map(target) ?? null,
    onChange: (listener) => changes.onLists(listener),
  };
};
