/** Four users with a sub-account and an address each. */
import type { Database } from '../../../platform/db/database';
import { emptyTables } from '../../../platform/db/testing/test-database';

export async function insertUsers(database: Pick<Database, 'pool'>): Promise<void> {
  await emptyTables(database);
  await database.pool.query(
    `with made as (
       insert into app_user (identity_id, user_name, created_at)
       select 'user_' || n, name, '2026-01-01Z'
       from unnest('{ann,ben,cat,dan}'::text[]) with ordinality as names (name, n)
       returning id, user_name)
     insert into sub_account (user_id, name, threshold_sat, btc_address)
     select id, user_name, 1000, '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2' from made order by id`,
  );
}
