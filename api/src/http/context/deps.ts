import type { Pool } from 'pg';
import type { NetworkDifficulty } from '@pool/shared/api/contract';
import type { PoolClock } from '../../platform/clock';
import type { Bus } from '../../platform/bus';
import type { DayCloser } from '../../money/jobs/close-days';
import type { Jobs } from '../../money/jobs/jobs';
import type { Config } from '../../platform/config';
import type { Database } from '../../platform/db/database';
import type { Logger } from '../../platform/log';
import type { PaymentLog } from '../../money/payouts/payment-log';
import type { PoolChanges } from '../../stratum/pool-changes';
import type { Secrets } from '../../platform/secrets';
import type { PoolView } from '../../stratum';
import type { Telegram } from '../../messages/telegram';
import type { Address } from '../../platform/dial';
import type { CanaryJudge } from '../../remotes/canary-judge';
import type { RemoteFigures } from '../../remotes/figures';
import type { RemoteRegistry } from '../../remotes/registry';
import type { WorkerLists } from '../../mining/workers/workers';
import type { AccountIds } from './readable-accounts';
import type { Identity } from '../../identity';
import type { OrganizationDeps } from '../../accounts/organizations/organizations';
import type { Principals } from '../auth/principals';

export type Deps = {
  config: Config;
  demo: boolean;
  pool: Pool;
  databaseKind: Database['kind'];
  bus: Bus;
  principals: Principals;
  /** Signs tokens for other servers. */
  signFor: Identity['signFor'];
  accounts: AccountIds;
  workers: WorkerLists;
  remotes: RemoteRegistry;
  figures: RemoteFigures;
  canaries: CanaryJudge;
  stratum: PoolView;
  secrets: Secrets;
  /** Notified of committed changes that concern the proxy. */
  changes: PoolChanges;
  /** Resolves and checks the addresses of a user's upstream pool; rejects with `OutboundRefused`. */
  outbound: { resolve(host: string, port: number): Promise<readonly Address[]> };
  /** Null: no bot is configured. */
  telegram: Pick<Telegram, 'botName'> | null;
  /** Key with which browsers subscribe; null: nothing is pushed. */
  pushKey: string | null;
  /** What the operator's feed said of the network; null: nothing. */
  network: () => NetworkDifficulty | null;
  closeDays: DayCloser;
  paymentLog: PaymentLog;
  log: Logger;
  jobs: Pick<Jobs, 'lastRun'>;
  organizations: OrganizationDeps;
  clock: Pick<PoolClock, 'offset' | 'trouble'>;
  /** Unix seconds. */
  now(): number;
};
