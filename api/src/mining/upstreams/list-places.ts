/** Reads the lists of upstream pools of a user's sub-accounts, as the user edits them. */
import type { AlgorithmName } from '@pool/shared/domain';
import { type Querier, sql } from '../../platform/db/querier';
import { PoolRefused } from './pool-configs';

export type PlaceRow = {
  id: number;
  sub_account_id: number;
  pool_config_id: number;
  algorithm: AlgorithmName;
  priority: number;
  enabled: boolean;
  name: string;
  url: string;
  password: string | null;
  user_id: number;
  /** The proxy has it as it is here. */
  in_force: boolean;
};

/** All places of the user's sub-accounts, or of one of them. Throws `PoolRefused` when that is not the user's. */
export async function placesOf(db: Querier, userId: number, subAccountId?: number): Promise<PlaceRow[]> {
  if (
    subAccountId !== undefined &&
    !(
      await db.query(sql`
        select 1 from sub_account where id = ${subAccountId} and user_id = ${userId} and deleted_at is null`)
    ).rows.length
  )
    throw new PoolRefused('not_found');
  const { rows } = await db.query<PlaceRow>(sql`
    select e.*, f.url is not distinct from e.url and f.user_name is not distinct from e.user_name as in_force
    from edited_pool e left join pool_in_force f on f.id = e.id
    where e.user_id = ${userId} and (${subAccountId ?? null}::int is null or e.sub_account_id = ${subAccountId ?? null})
    order by e.sub_account_id, e.algorithm, e.priority`);
  return rows;
}
