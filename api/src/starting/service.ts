/** What needs the database: jobs, alerts, the command line's socket, pages and API. */
import type { AlgorithmName } from '@pool/shared/domain';
import { startPriceSource } from '../accounting/price-source';
import { startAlerts } from '../alerts/engine';
import { settingOf } from '../config';
import { startRigs } from '../demo';
import { buildApp, openRegistry } from './app';
import { dayCloser } from '../jobs/close-days';
import { startJobs } from '../jobs/jobs';
import { keepMails, setKeeping } from '../mail';
import { startControl } from '../ops/control';
import { contextOf } from '../ops/standalone';
import { startPush } from '../push';
import { openVapid } from '../push/vapid';
import { startTelegram, type Telegram } from '../telegram';
import { startPoolHolds } from '../upstreams/pool-hold';
import { startWebhooks } from '../webhooks';
import type { Data } from './data';
import type { Mining, MiningOptions } from './mining';

export type ServiceOptions = Pick<
  MiningOptions,
  'config' | 'database' | 'owner' | 'clock' | 'bus' | 'metrics' | 'log' | 'shutdown'
> & {
  data: Data;
  mining: Mining;
  /** Of pages and API. */
  port: number;
  say: (message: string) => void;
};

/** Returns the address of the pages. */
export async function startService({
  config,
  database,
  data: { secrets, identity, mailer, paymentLog, restorePayments, demo },
  mining: { ingest, proxy, changes, outbound },
  owner,
  clock,
  port,
  bus,
  metrics,
  log,
  say,
  shutdown,
}: ServiceOptions): Promise<string> {
  const { pool } = database;
  const terms = { poolFeePercent: config.POOL_FEE_PERCENT };
  const checkedNow = (): Promise<number> => clock.check();
  const closeDays = dayCloser({
    pool,
    bus,
    owner,
    terms,
    uncounted: () => ingest.uncounted(),
    restorePayments,
    now: checkedNow,
    needsPrices: async () => demo === null,
    metrics,
  });
  const stopHolds = startPoolHolds(pool, changes, bus, log);
  shutdown.add(async () => stopHolds());
  const jobs = startJobs({ pool, log, closeDays, metrics, now: checkedNow });
  shutdown.add(() => jobs.stop());
  if (config.PRICE_URL) {
    const prices = startPriceSource({ pool, url: config.PRICE_URL, log, now: clock.seconds });
    shutdown.add(() => prices.stop());
  }

  // No alerts about workers while none of the pool's upstreams works.
  const healthy = (algorithm: AlgorithmName): boolean => {
    const own = proxy.upstreams().filter((upstream) => upstream.algorithm === algorithm);
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
  const remotes = openRegistry(config, log);
  const vapid = await openVapid(pool, secrets);
  const contact = config.PUBLIC_URL ?? `mailto:${config.SUPPORT_EMAIL}`;
  const push = startPush({ pool, bus, log, vapid, contact, outbound, remotes, now: clock.seconds });
  shutdown.add(() => push.stop());

  const control = await startControl({
    dataDir: config.DATA_DIR,
    database,
    log,
    context: contextOf(config, database, { closeDays, shares: ingest, sessionsEnded: identity.sessionsEnded, log }),
  });
  shutdown.add(() => control.stop());
  const app = await buildApp({
    config,
    database,
    bus,
    identity,
    stratum: proxy,
    secrets,
    changes,
    outbound,
    closeDays,
    paymentLog,
    jobs,
    clock,
    now: clock.seconds,
    telegram,
    webhooks,
    pushKey: vapid.publicKey,
    remotes,
    shares: ingest,
    log,
    demo: demo !== null,
    metrics,
  });
  shutdown.add(() => app.close());
  const url = await app.listen({ port, host: config.HOST });

  if (demo) {
    // The rigs do reduced proofs of work: a real upstream would reject all their shares.
    const ports = Object.fromEntries(
      proxy.ports.flatMap(({ algorithm, port: miners }) =>
        config[settingOf('UPSTREAM', algorithm)] ? [] : [[algorithm, miners]],
      ),
    );
    const rigs = startRigs({ ports, start: demo.since, say });
    shutdown.add(() => rigs.stop());
  }
  return url;
}
