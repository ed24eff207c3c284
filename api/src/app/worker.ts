/** What happens by itself: days are closed, prices read, alerts told, messages sent. One process of a pool does it. */
import { ALGORITHM_NAMES, type AlgorithmName } from '@pool/shared/domain';
import { startCounted } from '../money/accounting/counted';
import { startPriceSource } from '../money/accounting/price-source';
import { startAlerts } from '../alerts/engine';
import { direct } from '../platform/config';
import type { DayCloser } from '../money/jobs/close-days';
import { type Jobs, startJobs } from '../money/jobs/jobs';
import { mailDelivery } from '../messages/mail/delivery';
import { keptDelivery, setKeeping } from '../messages/mail/kept';
import { type Delivery, Sender } from '../messages/outbox/sender';
import { startBackups } from '../ops/scheduled-backups';
import { pushDelivery } from '../messages/push/delivery';
import type { Vapid } from '../messages/push/vapid';
import type { RemoteRegistry } from '../remotes/registry';
import { settingOf } from '../platform/settings/mining';
import { parseUpstream, type PoolView } from '../stratum';
import { recordName } from '../stratum/upstream/upstream-target';
import { startTelegram, type Telegram } from '../messages/telegram';
import { finishRemovals } from '../accounts/organizations/removals';
import type { OpenOwnPools } from '../mining/upstreams/own-pools';
import { endDueHolds } from '../mining/upstreams/pool-hold';
import { hookDelivery } from '../messages/webhooks/delivery';
import { every } from '../platform/every';
import type { Data } from './data';
import type { MiningOptions } from './mining';
import type { Shutdown } from './shutdown';

/** Interval of looking for changes that waited for a time, which is over. */
const WAITS_MS = 30_000;

export type WorkerOptions = Pick<MiningOptions, 'config' | 'database' | 'clock' | 'bus' | 'metrics' | 'log'> & {
  data: Data;
  pools: OpenOwnPools;
  closeDays: DayCloser;
  stratum: Pick<PoolView, 'upstreams'>;
  remotes: RemoteRegistry;
  vapid: Vapid;
  shutdown: Shutdown;
};

export type Worker = { jobs: Jobs; telegram: Telegram | null };

export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const { config, clock, closeDays, stratum, remotes, vapid, bus, metrics, log, shutdown } = options;
  const { pool } = options.database;
  const { secrets } = options.data;
  const { changes, outbound } = options.pools;
  const endWaits = () =>
    Promise.all([endDueHolds(pool, changes, bus), finishRemovals({ db: pool, changed: () => changes.callers() })]);
  shutdown.part(every(WAITS_MS, endWaits, log, 'what waited for a time was not ended; it is tried again'));
  const jobs = shutdown.part(startJobs({ pool, log, closeDays, metrics, now: () => clock.check() }));
  shutdown.part(startBackups({ config: direct(config), pool, log, metrics, now: clock.seconds }));
  if (config.PRICE_URL) shutdown.part(startPriceSource({ pool, url: config.PRICE_URL, log, now: clock.seconds }));
  const counted = ALGORITHM_NAMES.flatMap((algorithm) => {
    const [target, url] = [config[settingOf('UPSTREAM', algorithm)], config[settingOf('UPSTREAM_COUNTED', algorithm)]];
    return target && url ? [{ algorithm, url, upstream: recordName(parseUpstream(algorithm, target)) }] : [];
  });
  if (counted.length > 0) shutdown.part(startCounted({ pool, sources: counted, log, now: clock.seconds }));

  // No alerts about workers while none of the pool's upstreams works.
  const healthy = (algorithm: AlgorithmName): boolean => {
    const own = stratum.upstreams().filter((upstream) => upstream.algorithm === algorithm);
    return own.length === 0 || own.some(({ state }) => state === 'active');
  };
  shutdown.part(await startAlerts({ pool, log, healthy, now: clock.seconds }));
  const send = (delivery: Delivery): void =>
    shutdown.part(new Sender({ pool, bus, log, delivery, now: clock.seconds })).wake();
  const { SMTP_URL, MAIL_FROM, PUBLIC_URL, TELEGRAM_BOT_TOKEN: token, TELEGRAM_API_ROOT: apiRoot } = config;
  const hasServer = SMTP_URL !== undefined && MAIL_FROM !== undefined;
  await setKeeping(pool, config.DATA_DIR, !hasServer);
  const links = PUBLIC_URL ? { poolUrl: PUBLIC_URL, secrets } : undefined;
  send(
    hasServer
      ? mailDelivery(pool, { url: SMTP_URL, from: MAIL_FROM, secrets, links })
      : keptDelivery(pool, config.DATA_DIR),
  );
  const telegram = token ? shutdown.part(startTelegram({ pool, bus, log, token, apiRoot, now: clock.seconds })) : null;

  send(hookDelivery({ pool, secrets, outbound }));
  const contact = PUBLIC_URL ?? `mailto:${config.SUPPORT_EMAIL}`;
  send(pushDelivery({ pool, vapid, contact, outbound, remotes }));
  return { jobs, telegram };
}
