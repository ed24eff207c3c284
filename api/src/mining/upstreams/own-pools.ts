/** What users' own upstream pools need: encryption key, lists, ports, and the check of addresses. */
import type { Pool } from 'pg';
import type { Config } from '../../platform/config';
import type { Logger } from '../../platform/log';
import { pgPortList } from './own-ports';
import type { PoolChanges } from '../../stratum/pool-changes';
import { type KnownLists, pgPoolLists } from './pool-lists';
import type { PoolLists, PortList } from '../../stratum/ports';
import type { Secrets } from '../../platform/secrets';
import type { Outbound } from '../../stratum';
import { resolveOutbound } from '../../platform/outbound';

type NeededConfig = Pick<Config, 'UPSTREAM_ALLOW' | 'PUBLIC_HOST'>;
export type OpenOwnPools = { changes: PoolChanges; outbound: Outbound; lists: PoolLists; ports: PortList };

type Known = KnownLists & { ports: NonNullable<PortList['known']> };

/** `listening`: every port this process listens on now. */
export function openOwnPools({
  config,
  pool,
  changes,
  secrets,
  log,
  known,
  listening,
}: {
  config: NeededConfig;
  pool: Pool;
  changes: PoolChanges;
  secrets: Secrets;
  log: Logger;
  known?: Known;
  listening(): readonly number[];
}): OpenOwnPools {
  const policy = {
    allowPrivate: config.UPSTREAM_ALLOW.includes('private'),
    allow: config.UPSTREAM_ALLOW,
    ownPorts: listening,
    ownHosts: config.PUBLIC_HOST ? [config.PUBLIC_HOST] : [],
  };
  return {
    changes,
    outbound: { resolve: (host, port) => resolveOutbound(host, port, policy) },
    lists: pgPoolLists(pool, secrets, changes, log, known),
    ports: pgPortList(pool, changes, known && (() => known.ports())),
  };
}
