/** What lets users bring upstream pools of their own: keys, lists, ports, and where the proxy may connect to. */
import type { Pool } from 'pg';
import type { Config } from '../config';
import type { Logger } from '../log';
import { pgPortList } from './own-ports';
import { PoolChanges } from './pool-changes';
import { renewPasswords } from './pool-configs';
import { pgPoolLists } from './pool-lists';
import type { PoolLists, PortList } from '../stratum/ports';
import { Secrets } from '../secrets';
import type { Outbound } from '../stratum';
import { resolveOutbound } from '../stratum/upstream/outbound';

type Known = Pick<Config, 'DATA_DIR' | 'SECRETS_KEY' | 'UPSTREAM_ALLOW_PRIVATE' | 'UPSTREAM_ALLOW' | 'PUBLIC_HOST'>;
export type OpenOwnPools = {
  secrets: Secrets;
  changes: PoolChanges;
  outbound: Outbound;
  lists: PoolLists;
  ports: PortList;
};

/** `listening`: every port this process listens on now. Throws `SecretsError` when the key file cannot be used; a wrong key is only said. */
export async function openOwnPools({
  config,
  pool,
  log,
  listening,
}: {
  config: Known;
  pool: Pool;
  log: Logger;
  listening(): readonly number[];
}): Promise<OpenOwnPools> {
  const secrets = Secrets.open(config);
  const { renewed, unreadable } = await renewPasswords(pool, secrets);
  if (renewed) log.info({ renewed }, 'passwords of upstream pools encrypted with the new key');
  if (unreadable)
    log.error(
      { unreadable },
      'passwords of upstream pools were encrypted with another key: put it back (secrets.key in DATA_DIR, or after the current one in SECRETS_KEY), or their owners give them again; until then these pools are left out',
    );
  const changes = new PoolChanges();
  const policy = {
    allowPrivate: config.UPSTREAM_ALLOW_PRIVATE,
    allow: config.UPSTREAM_ALLOW,
    ownPorts: listening,
    ownHosts: config.PUBLIC_HOST ? [config.PUBLIC_HOST] : [],
  };
  return {
    secrets,
    changes,
    outbound: { resolve: (host, port) => resolveOutbound(host, port, policy) },
    lists: pgPoolLists(pool, secrets, changes, log),
    ports: pgPortList(pool, changes),
  };
}
