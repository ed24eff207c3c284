import type { Bus } from '../bus';
import type { Config } from '../config';
import type { Database } from '../db/database';
import type { StratumPort, StratumProxy } from '../stratum';
import type { RemoteRegistry } from '../web/registry';
import type { WorkerLists } from '../pool/workers';
import type { AccountIds } from './access';
import type { Principals } from './principal';

/** What the routes work with. */
export type Deps = {
  config: Pick<Config, 'POOL_FEE_PERCENT' | 'PUBLIC_HOST' | 'PORT' | 'WALLET_HOLD_HOURS'>;
  database: Database;
  bus: Bus;
  principals: Principals;
  accounts: AccountIds;
  workers: WorkerLists;
  remotes: RemoteRegistry;
  /** Ports the proxy listens on, and what it knows of its upstreams. */
  stratum: { ports: readonly StratumPort[]; upstreams: StratumProxy['upstreams'] };
  /** Unix seconds. */
  now(): number;
};
