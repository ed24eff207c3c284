/** Reads the lists of upstream pools that are in force, for the proxy. */
import type { Pool } from 'pg';
import type { SubAccountPoolConfig } from '@pool/shared/api/contract';
import type { AlgorithmName } from '@pool/shared/domain';
import type { Logger } from '../../platform/log';
import { type Secrets, SecretUnreadable } from '../../platform/secrets';
import type { PoolChanges } from '../../stratum/pool-changes';
import { type PoolConfigRow, toTarget } from './pool-configs';
import type { PoolLists, PoolStatus, PoolTarget } from '../../stratum/ports';
import { hasRow, type Querier, rowsOf, sql } from '../../platform/db/querier';
import { problems } from '../../platform/refused';

export type PlaceRow = Omit<SubAccountPoolConfig, keyof PoolStatus | 'algo'> & {
  algorithm: AlgorithmName;
  password: string | null;
  userId: number;
  /** The proxy has it as it is here. */
  inForce: boolean;
};

/** All places of the user's sub-accounts, or of one of them. Throws `Refused` when that is not the user's. */
export async function placesOf(db: Querier, userId: number, subAccountId?: number): Promise<PlaceRow[]> {
  const isOwn = (id: number) =>
    hasRow(db)`select from sub_account where id = ${id} and user_id = ${userId} and deleted_at is null`;
  if (subAccountId !== undefined && !(await isOwn(subAccountId))) throw problems.notFound();
  return rowsOf<PlaceRow>(db)`
    select e.*, f.url is not distinct from e.url and f.user_name is not distinct from e.user_name as in_force
    from edited_pool e left join pool_in_force f on f.id = e.id
    where e.user_id = ${userId} and (${subAccountId ?? null}::int is null or e.sub_account_id = ${subAccountId ?? null})
    order by e.sub_account_id, e.algorithm, e.priority`;
}

/** A row of a list. `placeId`: `sub_account_pool_config.id`. */
export type ListedPool = PoolConfigRow & { placeId: number; subAccountId: number };

const COLUMNS = sql`f.pool_config_id as id, f.user_id, f.name, f.algorithm, f.url, f.user_name, f.password,
  f.id as place_id, f.sub_account_id`;

export const allPools = (db: Querier): Promise<ListedPool[]> =>
  rowsOf<ListedPool>(db)`
    select ${COLUMNS} from pool_in_force f where enabled order by sub_account_id, algorithm, priority`;

/** What is known while the database is away, and who is told of edits that nobody told. */
export type KnownLists = {
  pools(subAccountId: number, algorithm: AlgorithmName): ListedPool[] | null;
  uses(subAccountId: number, algorithm: AlgorithmName, pools: readonly ListedPool[]): void;
};

/** A pool without its password (lost key) stays listed, unused: no miner moves to the default. */
export const pgPoolLists = (
  pool: Pick<Pool, 'query'>,
  secrets: Secrets,
  changes: PoolChanges,
  log: Logger,
  known?: KnownLists,
): PoolLists => {
  const target = (row: ListedPool): PoolTarget => {
    try {
      return toTarget(row, secrets, row.placeId);
    } catch (error) {
      if (!(error instanceof SecretUnreadable)) throw error;
      log.error(
        { err: error, subAccountId: row.subAccountId, poolConfigId: row.id },
        'the password of an upstream pool cannot be decrypted: the pool is not used',
      );
      return { ...toTarget({ ...row, password: null }, secrets, row.placeId), password: null };
    }
  };
  return {
    async find(subAccountId, algorithm) {
      // An open account without pools has a row of nulls; a closed or unknown one has no row.
      const rows = await rowsOf<ListedPool | { id: null }>(pool)`
        select ${COLUMNS} from sub_account s
        left join pool_in_force f on f.sub_account_id = s.id and f.algorithm = ${algorithm} and f.enabled
        where s.id = ${subAccountId} and s.deleted_at is null
        order by f.priority`;
      if (rows.length === 0) return null;
      const pools = rows.filter((row) => row.id !== null);
      known?.uses(subAccountId, algorithm, pools);
      return pools.map(target);
    },
    known: (subAccountId, algorithm) => known?.pools(subAccountId, algorithm)?.map(target) ?? null,
    onChange: (listener) => changes.onLists(listener),
  };
};
