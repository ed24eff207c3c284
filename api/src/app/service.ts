/** What needs the database: the jobs, the command line's socket, pages and API, each where this process has its role. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { startNetworkFeed } from '../money/accounting/network-feed';
import { direct, hasRole, settingOf } from '../platform/config';
import { startRigs } from '../demo/rigs';
import { type DayCloser, dayCloser } from '../money/jobs/close-days';
import type { Shared } from '../nodes';
import { followLeader } from '../nodes/leader';
import { uncountedElsewhere } from '../nodes/nodes';
import { showProxy, viewOf } from '../nodes/view';
import { startControl } from '../ops/control';
import { contextOf } from '../ops/standalone';
import { openVapid } from '../messages/push/vapid';
import { publishBundled } from '../remotes/bundled';
import { ROOT } from '../root';
import { poolTester, type PoolView } from '../stratum';
import type { OpenOwnPools } from '../mining/upstreams/own-pools';
import { buildApp, openRegistry, type AppOptions } from './app';
import type { Data } from './data';
import { serveHealth } from './health';
import type { Mining, MiningOptions } from './mining';
import { Shutdown } from './shutdown';
import { startWorker, type Worker } from './worker';

/** The remotes of an image, which a start publishes when the pool never had them. */
const BUNDLED = join(ROOT, 'bundled');

export type ServiceOptions = Pick<
  MiningOptions,
  'config' | 'database' | 'owner' | 'clock' | 'bus' | 'metrics' | 'log' | 'shutdown'
> & {
  data: Data;
  /** Null: no miners are served here. */
  mining: Mining | null;
  pools: OpenOwnPools;
  /** Null: this server is alone. */
  shared: Shared | null;
  port: number;
  say: (message: string) => void;
};

type Doing = Pick<AppOptions, 'jobs' | 'telegram' | 'closeDays'>;

/** What pages show of the jobs, whichever process does them now. */
function toldBy({ register }: Shared, closeDays: DayCloser, hasBot: boolean): Doing {
  const leader = () => register.living.find(({ state }) => state?.job !== undefined)?.state;
  // Until the leader has tried again, it tells of a day that was closed here.
  let closed = '';
  const close = async (...of: Parameters<DayCloser>) => {
    const done = await closeDays(...of);
    closed = of[0] ?? closed;
    return done;
  };
  const told = () => leader()?.waiting ?? null;
  return {
    jobs: { lastRun: () => leader()?.job ?? null },
    telegram: hasBot ? { botName: () => leader()?.botName ?? null } : null,
    closeDays: Object.assign(close, {
      preview: closeDays.preview,
      uncounted: closeDays.uncounted,
      waiting: () => closeDays.waiting() ?? ((told()?.day ?? '') > closed ? told() : null),
    }),
  };
}

/** The proxy of this process, or what is known of all of them. */
function stratumOf({ mining, shared, pools: { outbound } }: ServiceOptions): PoolView {
  const proxy = mining?.proxy ?? null;
  if (!shared) {
    if (!proxy) throw new Error('a server that is alone has all roles');
    return proxy;
  }
  if (proxy) showProxy(proxy, shared);
  return viewOf(shared, proxy, poolTester(outbound));
}

/** Does the jobs while this process leads; returns how that is stopped. */
function followJobs(
  { config, log }: ServiceOptions,
  { register }: Shared,
  closeDays: DayCloser,
  work: (within: Shutdown) => Promise<Worker>,
): () => Promise<void> {
  return followLeader(direct(config).DATABASE_URL ?? '', log, async () => {
    const within = new Shutdown();
    try {
      const { jobs, telegram } = await work(within);
      const tell = () => ({
        job: jobs.lastRun(),
        waiting: closeDays.waiting(),
        botName: telegram?.botName() ?? null,
      });
      register.tells.add(tell);
      within.add(async () => register.tells.delete(tell));
    } catch (error) {
      await within.run(log);
      throw error;
    }
    return () => within.run(log);
  });
}

export async function startService(options: ServiceOptions): Promise<string> {
  const { config, database, data, mining, pools, shared, owner, clock, port, bus, metrics, log, say, shutdown } =
    options;
  const { pool } = database;
  const { secrets, identity, organizations, paymentLog, restorePayments, demo } = data;
  const { changes, outbound } = pools;
  const closeDays = dayCloser({
    pool,
    bus,
    owner,
    terms: { poolFeePercent: config.POOL_FEE_PERCENT },
    uncounted: async () => [
      ...((await mining?.ingest.uncounted()) ?? []),
      ...(database.kind === 'postgresql' ? await uncountedElsewhere(pool, config.DATA_DIR) : []),
    ],
    restorePayments,
    now: () => clock.check(),
    needsPrices: async () => demo === null,
    metrics,
  });
  const stratum = stratumOf(options);
  const remotes = openRegistry(config, log, pool);
  const vapid = await openVapid(database.pool, secrets);
  const work = (within: Shutdown): Promise<Worker> =>
    startWorker({ ...options, closeDays, stratum, remotes, vapid, shutdown: within });
  let doing: Doing;
  if (shared) {
    if (hasRole(config, 'worker')) shutdown.add(followJobs(options, shared, closeDays, work));
    doing = toldBy(shared, closeDays, config.TELEGRAM_BOT_TOKEN !== undefined);
  } else {
    doing = { ...(await work(shutdown)), closeDays };
  }

  const context = contextOf(config, database, {
    closeDays,
    ...(mining && { shares: mining.ingest }),
    sessionsEnded: identity.sessionsEnded,
    log,
  });
  shutdown.part(await startControl({ dataDir: config.DATA_DIR, database, log, context }));
  const shares = mining?.ingest;
  if (!hasRole(config, 'web')) return serveHealth({ config, port, database, shares, metrics, log, shutdown });
  if (existsSync(BUNDLED))
    for (const version of await publishBundled(BUNDLED, config.REMOTES_DIR))
      log.info({ version }, 'a remote of this image was published');
  const { NETWORK_FEED_URL: url } = config;
  const feed = url && shutdown.part(startNetworkFeed({ pool, url, log, now: clock.seconds }));
  const app = await buildApp({
    ...doing,
    ...{ config, database, bus, identity, organizations, stratum, secrets, changes, outbound, paymentLog, clock },
    ...{ remotes, shares, log, metrics, now: clock.seconds, pushKey: vapid.publicKey, demo: demo !== null },
    network: () => (feed && feed.last()) || null,
  });
  shutdown.add(() => app.close());
  const address = await app.listen({ port, host: config.HOST });

  if (demo && mining) {
    // The rigs do reduced proofs of work: a real upstream would reject all their shares.
    const ports = Object.fromEntries(
      mining.proxy.ports.flatMap(({ algorithm, port: miners }) =>
        config[settingOf('UPSTREAM', algorithm)] ? [] : [[algorithm, miners]],
      ),
    );
    shutdown.part(startRigs({ ports, start: demo.since, say }));
  }
  return address;
}
