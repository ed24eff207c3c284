/** Records upstream switches in `upstream_switch`; a database that is down must not stop the proxy. */
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { SwitchRow } from './upstreams';
import { sql } from '../../platform/db/querier';

export const pgSwitchLog =
  (pool: Pick<Pool, 'query'>, log: Logger) =>
  ({ algorithm, subAccountId, fromUrl, toUrl, why }: SwitchRow): void => {
    pool
      .query(sql`
        insert into upstream_switch (algorithm, sub_account_id, from_url, to_url, why)
        values (${algorithm}, ${subAccountId}, ${fromUrl}, ${toUrl}, ${why})`)
      .catch((error: unknown) => log.warn({ err: error }, 'an upstream switch was not recorded'));
  };
