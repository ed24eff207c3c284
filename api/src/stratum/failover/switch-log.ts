/** Records upstream switches in `upstream_switch`; a database that is down must not stop the proxy. */
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { SwitchRow } from './upstreams';

export const pgSwitchLog =
  (pool: Pick<Pool, 'query'>, log: Logger) =>
  ({ algorithm, subAccountId, fromUrl, toUrl, why }: SwitchRow): void => {
    pool
      .query(
        'insert into upstream_switch (algorithm, sub_account_id, from_url, to_url, why) values ($1, $2, $3, $4, $5)',
        [algorithm, subAccountId, fromUrl, toUrl, why],
      )
      .catch((error: unknown) => log.warn({ err: error }, 'an upstream switch was not recorded'));
  };
