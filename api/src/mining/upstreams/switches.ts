import type { UpstreamSwitch } from '@pool/shared/api/contract';
import type { AlgorithmName } from '@pool/shared/domain';
import { type Querier, rowsOf, sql } from '../../platform/db/querier';
import type { Logger } from '../../platform/log';
import type { SwitchRow } from '../../stratum/failover/upstreams';

/** Records them; a database that is down must not stop the proxy. */
export const pgSwitchLog =
  (db: Querier, log: Logger) =>
  ({ algorithm, subAccountId, fromUrl, toUrl, why }: SwitchRow): void => {
    db.query(sql`
      insert into upstream_switch (algorithm, sub_account_id, from_url, to_url, why)
      values (${algorithm}, ${subAccountId}, ${fromUrl}, ${toUrl}, ${why})`).catch((error: unknown) =>
      log.warn({ err: error }, 'an upstream switch was not recorded'),
    );
  };

/** Switches between two times (Unix seconds), newest first, of the lists that sub-accounts of a user mine by. */
export async function switchesBetween(
  db: Querier,
  subAccountIds: readonly number[],
  { since, until, limit }: { since: number; until: number; limit: number },
  algorithm?: AlgorithmName,
): Promise<(UpstreamSwitch & { subAccountId: number | null })[]> {
  const name = (url: string): string => `
    coalesce(
      (
        select p.name
        from pool_config p join sub_account s on s.user_id = p.user_id
        where s.id = any($1::int[]) and p.url = x.${url} and p.algorithm = x.algorithm
        order by p.id
        limit 1
      ),
      regexp_replace(x.${url}, '^[^:]+://', '')
    )`;
  return rowsOf<UpstreamSwitch & { subAccountId: number | null }>(
    db,
    `select x.id, x.sub_account_id, x.algorithm, x.why, extract(epoch from x.at)::int as at,
       ${name('from_url')} as "from", ${name('to_url')} as "to"
     from upstream_switch x
     where x.at > to_timestamp($2::float8) and x.at < to_timestamp($4::float8)
       and x.algorithm = coalesce($3, x.algorithm)
       and (
         x.sub_account_id = any($1::int[])
         or x.sub_account_id is null
           and exists (
             select from unnest($1::int[]) as s (id)
             where not exists (
               select from pool_in_force c
               where c.sub_account_id = s.id and c.algorithm = x.algorithm and c.enabled
             )
           )
       )
     order by x.at desc, x.id desc
     limit $5`,
    [subAccountIds, since, algorithm ?? null, until, limit],
  );
}
