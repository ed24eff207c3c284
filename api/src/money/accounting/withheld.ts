/** Work that an admin withholds when a day is closed. */
import type { PoolClient } from 'pg';
import type { DayWork } from './day-work';
import { sql } from '../../platform/db/querier';

/** `note`: the reason, which the owner sees. */
export type Withheld = { isOf(row: DayWork): boolean; note: string; userId: number | null };
/** `grossSat`: what it would have been paid. */
type KeptWork = DayWork & { grossSat: number };

/** Records new earnings of nothing (`rows`) as corrections, so that another correction can pay them after all. */
export async function writeWithheld(
  client: PoolClient,
  day: string,
  rows: readonly KeptWork[],
  { note, userId }: Withheld,
): Promise<void> {
  await client.query(sql`with given as (
      select * from json_to_recordset(${JSON.stringify(rows)}::json)
        as r("subAccountId" int, algorithm text, work float8, "grossSat" bigint)
    ), marked as (
      update earning e set status = 'adjusted'
      from given g
      where e.sub_account_id = g."subAccountId" and e.algorithm = g.algorithm and e.day = ${day}::date
    )
    insert into earning_adjustment (sub_account_id, algorithm, day, gross_sat_before, gross_sat, work, note, user_id)
    select "subAccountId", algorithm, ${day}::date, "grossSat", 0, work, ${note}, ${userId}::int from given`);
}
