/** What happens by itself: days are closed, prices read, alerts told, messages sent. One process of a pool does it. */
import { ALGORITHM_NAMES, type AlgorithmName } from '@pool/shared/domain';
import { startCounted } from '../money/accounting/counted';
import { startPriceSource } from '../money/accounting/price-source';
import { startAlerts } from '../alerts/engine';
import { direct } from '../platform/config';
import type { DayCloser } from '../money/jobs/close-days';
import { type Jobs, startJobs } from '../money/jobs/jobs';
import { keepMails, type Mailer, setKeeping } from '../messages/mail';
import { startBackups } from '../ops/scheduled-backups';
import { startPush } from '../messages/push';
import type { Vapid } from '../messages/push/vapid';
import type { RemoteRegistry } from '../remotes/registry';
import { settingOf } from '../platform/settings/mining';
import { parseUpstream, type PoolView } from '../stratum';
import { recordName } from '../stratum/upstream/upstream-target';
import { startTelegram, type Telegram } from '../messages/telegram';
import { startRemovals } from '../accounts/organizations/removals';
import { startPoolHolds } from '../mining/upstreams/pool-hold';
import { startWebhooks, type Webhooks } from '../messages/webhooks';
import type { ServiceOptions } from './service';
import type { Shutdown } from './shutdown';

export type WorkerOptions = Pick<
  ServiceOptions,
  'config' | 'database' | 'clock' | 'bus' | 'metrics' | 'log' | 'data' | 'pools'
> & {
  /** That sends; null without a mail server. */
  mailer: Mailer | null;
  closeDays: DayCloser;
  stratum: Pick<PoolView, 'upstreams'>;
  remotes: RemoteRegistry;
  vapid: Vapid;
  shutdown: Shutdown;
};

export type Worker = {
  jobs: Jobs;
  telegram: Telegram | null;
  webhooks: Webhooks;
  /** Messages were queued. */
  wake(): void;
};

export async function startWorker({
  config,
  database: { pool },
  data: { secrets },
  mailer,
  pools: { changes, outbound },
  clock,
  closeDays,
  stratum,
  remotes,
  vapid,
  bus,
  metrics,
  log,
  shutdown,
}: WorkerOptions): Promise<Worker> {
  const stopHolds = startPoolHolds(pool, changes, bus, log);
  shutdown.add(async () => stopHolds());
  const stopRemovals = startRemovals(pool, changes, bus, log);
  shutdown.add(async () => stopRemovals());
  const jobs = startJobs({ pool, log, closeDays, metrics, now: () => clock.check() });
  shutdown.add(() => jobs.stop());
  const backups = startBackups({ config: direct(config), pool, bus, log, metrics, now: clock.seconds });
  shutdown.add(() => backups.stop());
  if (config.PRICE_URL) {
    const prices = startPriceSource({ pool, url: config.PRICE_URL, log, now: clock.seconds });
    shutdown.add(() => prices.stop());
  }
  const counted = ALGORITHM_NAMES.flatMap((algorithm) => {
    const [target, url] = [config[settingOf('UPSTREAM', algorithm)], config[settingOf('UPSTREAM_COUNTED', algorithm)]];
    return target && url ? [{ algorithm, url, upstream: recordName(parseUpstream(algorithm, target)) }] : [];
  });
  if (counted.length > 0) {
    const reading = startCounted({ pool, sources: counted, log, now: clock.seconds });
    shutdown.add(() => reading.stop());
  }

  // No alerts about workers while none of the pool's upstreams works.
  const healthy = (algorithm: AlgorithmName): boolean => {
    const own = stratum.upstreams().filter((upstream) => upstream.algorithm === algorithm);
    return own.length === 0 || own.some(({ state }) => state === 'active');
  };
  const alerts = await startAlerts({ pool, bus, log, healthy, now: clock.seconds });
  shutdown.add(() => alerts.stop());
  await setKeeping(pool, config.DATA_DIR, mailer === null);
  if (mailer) {
    mailer.wake();
    shutdown.add(() => mailer.stop());
  } else {
    const kept = keepMails({ pool, bus, log, dataDir: config.DATA_DIR, now: clock.seconds });
    shutdown.add(() => kept.stop());
  }
  let telegram: Telegram | null = null;
  if (config.TELEGRAM_BOT_TOKEN) {
    const bot = startTelegram({
      pool,
      bus,
      log,
      token: config.TELEGRAM_BOT_TOKEN,
      apiRoot: config.TELEGRAM_API_ROOT,
      now: clock.seconds,
    });
    shutdown.add(() => bot.stop());
    telegram = bot;
  }

  const webhooks = startWebhooks({ pool, bus, log, secrets, outbound, now: clock.seconds });
  shutdown.add(() => webhooks.stop());
  const contact = config.PUBLIC_URL ?? `mailto:${config.SUPPORT_EMAIL}`;
  const push = startPush({ pool, bus, log, vapid, contact, outbound, remotes, now: clock.seconds });
  shutdown.add(() => push.stop());
  return {
    jobs,
    telegram,
    webhooks,
    wake: () => {
      mailer?.wake();
      telegram?.wake();
      webhooks.wake();
    },
  };
}
