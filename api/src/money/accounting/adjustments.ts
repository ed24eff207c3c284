/** The list of corrections of earnings. */
import type { Adjustment } from '@pool/shared/api/contract';
import { prefixPattern } from '../../platform/db/like';
import { firstRow, type Querier } from '../../platform/db/querier';

type Row = Omit<Adjustment, 'at'> & { at: Date };

/** Newest first. `search`: the beginning of a sub-account's or user's name. */
export async function adjustmentsOf(
  db: Querier,
  search: string | undefined,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: Adjustment[]; total: number }> {
  const matching = `
    from earning_adjustment j
    join sub_account s on s.id = j.sub_account_id
    join app_user u on u.id = s.user_id
    where $1::text is null or s.name like $1 or u.user_name like $1`;
  const named = search ? prefixPattern(search.toLowerCase()) : null;
  const { rows } = await db.query<Row>(
    `select j.id, j.created_at as at, s.name as account, j.algorithm, j.day, j.gross_sat_before as "grossSatBefore",
       j.gross_sat as "grossSat", j.note, (select user_name from app_user where id = j.user_id) as by,
       not exists (
         select 1 from earning_adjustment later
         where later.sub_account_id = j.sub_account_id and later.algorithm = j.algorithm and later.day = j.day
           and later.id > j.id
       ) as last
     ${matching}
     order by j.id desc
     limit $2 offset $3`,
    [named, limit, offset],
  );
  const count = await firstRow<{ total: number }>(db, `select count(*) as total ${matching}`, [named]);
  return { rows: rows.map((row) => ({ ...row, at: row.at.toISOString() })), total: count?.total ?? 0 };
}
