/** Starts all parts in one process: database, sign-in, accounting, Stratum, HTTP, and the demo if wanted. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { count } from 'drizzle-orm';
import { Registry } from 'prom-client';
import { ALGORITHM_NAMES, type AlgorithmName } from '@pool/shared/domain';
import { startAlerts } from './alerts/engine';
import { Bus } from './bus';
import { settingOf, type Config } from './config';
import { openDatabase, type Database } from './db/database';
import { appUser } from './db/schema';
import { DEMO_NOMINAL, demoStart, seedDemo, startRigs } from './demo';
import { seedMoney } from './demo/money';
import { buildApp } from './http/app';
import { openIdentity } from './identity';
import { lockFolder } from './lock';
import type { Logger } from './log';
import { startControl } from './ops/control';
import { backupGauge } from './ops/last-backup';
import { contextOf } from './ops/standalone';
import { openOwnPools } from './upstreams/own-pools';
import { openSecrets } from './sealed-secrets';
import { poolAccounts } from './accounts/pool-accounts';
import { ShareIngest } from './shares/ingest';
import { journalFolder } from './shares/journal';
import { dayCloser } from './jobs/close-days';
import { startJobs } from './jobs/jobs';
import { startPriceSource } from './accounting/price-source';
import {
  parseUpstream,
  pgAccountDirectory,
  pgSwitchLog,
  startStratumProxy,
  type StratumProxy,
  type StratumProxyOptions,
  type UpstreamTarget,
} from './stratum';
import { startBuiltinPool } from './stratum/builtin-pool';
import { startTelegram, type Telegram } from './telegram';

export type Running = {
  url: string;
  stratum: readonly { algorithm: AlgorithmName; port: number }[];
  database: Database['kind'];
  /** Null without the demo. `password` null: an earlier start has printed it. */
  demo: { password: string | null } | null;
  /** Algorithms without an upstream pool, which nobody can mine. */
  withoutUpstream: AlgorithmName[];
  stop(): Promise<void>;
};

/** The configured TLS ports and their certificate, which config.ts requires. */
function tlsOf(config: Config): StratumProxyOptions['tls'] {
  const { STRATUM_TLS_CERT: cert, STRATUM_TLS_KEY: key } = config;
  const ports = ALGORITHM_NAMES.flatMap((algorithm) => {
    const port = config[settingOf('STRATUM_TLS_PORT', algorithm)];
    return port === undefined ? [] : [{ algorithm, port }];
  });
  return ports.length && cert && key ? { ports, files: { cert, key } } : undefined;
}

/** The demo is the default only for an embedded database that is empty or has the demo already. */
async function wantsDemo(config: Config, { db, kind }: Database): Promise<boolean> {
  if (config.DEMO !== undefined) return config.DEMO;
  if (kind !== 'embedded') return false;
  if ((await demoStart(db)) !== null) return true;
  const [users] = await db.select({ n: count() }).from(appUser);
  return users?.n === 0;
}

/** Stops the started parts in reverse order, also after a failed start. */
class Shutdown {
  private readonly steps: (() => Promise<unknown>)[] = [];
  add(step: () => Promise<unknown>): void {
    this.steps.unshift(step);
  }
  async run(log: Logger): Promise<void> {
    for (const step of this.steps.splice(0))
      await step().catch((error: unknown) => log.error({ err: error }, 'while stopping'));
  }
}

/** `folderLost`: called when another process has taken DATA_DIR; then nothing may be written. */
export async function start(
  config: Config,
  log: Logger,
  say: (message: string) => void,
  folderLost?: () => void,
): Promise<Running> {
  const shutdown = new Shutdown();
  try {
    return await startAll(config, log, say, shutdown, folderLost);
  } catch (error) {
    await shutdown.run(log);
    throw error;
  }
}

async function startAll(
  config: Config,
  log: Logger,
  say: (message: string) => void,
  shutdown: Shutdown,
  folderLost?: () => void,
): Promise<Running> {
  const folderLock = await lockFolder(config.DATA_DIR, { lost: folderLost });
  shutdown.add(async () => folderLock.release());
  const database = await openDatabase({
    url: config.DATABASE_URL,
    folder: join(config.DATA_DIR, 'db'),
    connections: config.DATABASE_CONNECTIONS,
    say,
    onError: (error) => log.warn({ err: error }, 'a database connection was lost'),
  });
  shutdown.add(() => database.close());
  const { db, pool } = database;
  // Before miners can connect: with a missing key they could not use their own upstream pools.
  const secrets = await openSecrets(config, pool, log);
  const bus = new Bus();
  const metrics = new Registry();
  backupGauge(metrics, config.DATA_DIR);
  const accounts = poolAccounts(db, bus);
  const identity = await openIdentity({
    db,
    pool: accounts,
    secrets,
    publishableKey: config.CLERK_PUBLISHABLE_KEY,
    supportEmail: config.SUPPORT_EMAIL,
  });
  const terms = { poolFeePercent: config.POOL_FEE_PERCENT };

  const demo = await wantsDemo(config, database);
  let demoPassword: string | null = config.DEMO_PASSWORD ?? null;
  let demoSince: number | null = null;
  if (demo) {
    const isNew = (await demoStart(db)) === null;
    if (isNew) demoPassword ??= randomBytes(9).toString('base64url');
    demoSince = await seedDemo({ database, accounts, password: demoPassword ?? '', say });
    await seedMoney(pool, terms, demoSince);
  }

  const ingest = await ShareIngest.open({
    pool,
    folder: journalFolder(config.DATA_DIR),
    log,
    bus,
    metrics,
    syncMs: config.JOURNAL_SYNC_MS,
  });
  shutdown.add(() => ingest.stop());
  const closeDays = dayCloser({ pool, bus, terms, uncounted: () => ingest.uncounted() });
  const jobs = startJobs({ pool, log, closeDays, metrics });
  shutdown.add(() => jobs.stop());
  if (config.PRICE_URL) {
    const prices = startPriceSource({ pool, url: config.PRICE_URL, log });
    shutdown.add(() => prices.stop());
  }

  const upstreams: Partial<Record<AlgorithmName, UpstreamTarget[]>> = {};
  for (const algorithm of ALGORITHM_NAMES) {
    const configured = config[settingOf('UPSTREAM', algorithm)];
    if (configured) {
      upstreams[algorithm] = [parseUpstream(algorithm, configured)];
    } else if (demo) {
      const builtin = await startBuiltinPool({ algorithm, nominal: DEMO_NOMINAL[algorithm] });
      shutdown.add(() => builtin.stop());
      upstreams[algorithm] = [builtin.target];
    }
  }
  let started: StratumProxy | null = null;
  const listening = () => [
    config.PORT,
    ...(started
      ? [...started.ports, ...started.tlsPorts, ...started.ownPorts()].map(({ port }) => port)
      : ALGORITHM_NAMES.map((algorithm) => config[settingOf('STRATUM_PORT', algorithm)])),
  ];
  const { changes, outbound, lists, ports } = openOwnPools({ config, pool, secrets, log, listening });
  const proxy = await startStratumProxy({
    host: config.STRATUM_HOST,
    ports: ALGORITHM_NAMES.map((algorithm) => ({ algorithm, port: config[settingOf('STRATUM_PORT', algorithm)] })),
    directory: pgAccountDirectory(pool, changes),
    sink: ingest,
    upstreams,
    log,
    bus,
    metrics,
    onSwitch: pgSwitchLog(pool, log),
    tls: tlsOf(config),
    ownPools: { lists, outbound },
    ownPorts: ports,
  });
  started = proxy;
  shutdown.add(() => proxy.stop());

  // No alerts about workers while none of the pool's upstreams works.
  const healthy = (algorithm: AlgorithmName): boolean => {
    const own = proxy.upstreams().filter((upstream) => upstream.algorithm === algorithm);
    return own.length === 0 || own.some(({ state }) => state === 'active');
  };
  const alerts = startAlerts({ pool, bus, log, healthy });
  shutdown.add(() => alerts.stop());
  let telegram: Telegram | null = null;
  if (config.TELEGRAM_BOT_TOKEN) {
    const bot = startTelegram({ pool, bus, log, token: config.TELEGRAM_BOT_TOKEN, apiRoot: config.TELEGRAM_API_ROOT });
    shutdown.add(() => bot.stop());
    telegram = bot;
  }

  const control = await startControl({
    dataDir: config.DATA_DIR,
    database,
    log,
    context: contextOf(config, database, { closeDays, shares: ingest, sessionsEnded: identity.sessionsEnded }),
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
    jobs,
    telegram,
    log,
    demo,
    metrics,
  });
  shutdown.add(() => app.close());
  const url = await app.listen({ port: config.PORT, host: config.HOST });

  if (demoSince !== null) {
    // The rigs do reduced proofs of work: a real upstream would reject all their shares.
    const ports = Object.fromEntries(
      proxy.ports.flatMap(({ algorithm, port }) =>
        config[settingOf('UPSTREAM', algorithm)] ? [] : [[algorithm, port]],
      ),
    );
    const rigs = startRigs({ ports, start: demoSince, say });
    shutdown.add(() => rigs.stop());
  }
  return {
    url,
    stratum: proxy.ports,
    database: database.kind,
    demo: demo ? { password: demoPassword } : null,
    withoutUpstream: ALGORITHM_NAMES.filter((algorithm) => !upstreams[algorithm]),
    stop: () => shutdown.run(log),
  };
}
