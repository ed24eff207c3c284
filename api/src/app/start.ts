/** Starts the parts of this process's roles in the order of what they need; without a PostgreSQL, miners first. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { ALGORITHM_NAMES, type AlgorithmName } from '@pool/shared/domain';
import type { SetupItem } from '@pool/shared/api/contract';
import { setupOf } from '../admin/setup';
import { Bus } from '../platform/bus';
import { startClock } from '../platform/clock';
import { type Config, direct, hasRole, type Role, rolesOf, settingOf } from '../platform/config';
import { absent, DatabaseAbsent } from '../platform/db/away';
import { connectDatabase, type Connected, type Database } from '../platform/db/database';
import { Lineage } from '../platform/db/lineage';
import { FOLDER_OWNER, serverLock, type ServerLock } from '../platform/db/server-lock';
import { lockFolder } from '../platform/lock';
import { warnOfReaders } from '../platform/private-files';
import type { Logger } from '../platform/log';
import { type Shared, share } from '../nodes';
import { leaveAlone } from '../nodes/nodes';
import { longStatements } from '../platform/db/bounded';
import { lock, transaction } from '../platform/db/transaction';
import { processMetrics } from '../ops/observe/metrics';
import { Secrets, SecretsError } from '../platform/secrets';
import { type Data, openData, wantsDemo } from './data';
import { serveLater } from './later';
import { type Mining, startMining } from './mining';
import { startService } from './service';
import { Shutdown } from './shutdown';
import { openOwnPools } from '../mining/upstreams/own-pools';
import { PoolChanges } from '../stratum/pool-changes';
import { Snapshot, SNAPSHOT_FILE } from '../mining/upstreams/snapshot';

/** A stop waits so long for the database: what is not counted then stays in the journal. */
const STOP_PATIENCE_MS = 8000;
/** Nodes that start together wait so long for the first of them, which makes keys and settings. */
const START_PATIENCE_MS = 3_600_000;

export type Running = {
  url: string;
  roles: readonly Role[];
  stratum: readonly { algorithm: AlgorithmName; port: number }[];
  database: Database['kind'];
  /** Null: the database is in use. Else why it is away; what needs it starts when it is back. */
  away: string | null;
  /** Null without the demo, or not known yet. `password` null: an earlier start has printed it. */
  demo: { password: string | null } | null;
  /** Makes who signs up with it the first admin. Null: there is one, or the code is not known or not taken. */
  adminCode: string | null;
  /** What the pool lacks for real money; empty with demo data, or while the database is away. */
  missing: SetupItem[];
  /** Algorithms without an upstream pool, which nobody can mine. */
  withoutUpstream: AlgorithmName[];
  stop(): Promise<void>;
};

export type StartEvents = {
  say(message: string): void;
  /** Another process has taken DATA_DIR or the database; then nothing may be written. */
  lost?(taken: 'DATA_DIR' | 'the database', details: object): void;
  /** What waited for the database cannot start. */
  failed?(error: unknown): void;
};

export async function start(
  config: Config,
  log: Logger,
  events: StartEvents,
  stopPatienceMs = STOP_PATIENCE_MS,
): Promise<Running> {
  const shutdown = new Shutdown();
  try {
    return await startAll(config, log, events, shutdown, stopPatienceMs);
  } catch (error) {
    await shutdown.run(log);
    throw error;
  }
}

/**
 * Tries the ports of pages and miners before anything is made in a new DATA_DIR: the demo takes minutes. Rejects with
 * the system's error for the first one that this process cannot listen to.
 */
async function tryPorts(config: Config): Promise<void> {
  const ports = hasRole(config, 'stratum')
    ? ALGORITHM_NAMES.map((name) => ({ host: config.STRATUM_HOST, port: config[settingOf('STRATUM_PORT', name)] }))
    : [];
  for (const place of [{ host: config.HOST, port: config.PORT }, ...ports]) {
    const server = createServer().listen(place);
    await once(server, 'listening');
    await once(server.close(), 'close');
  }
}

/** Null: this server's, migrated and in use. Throws unless miners can be served without it. */
async function reach(
  open: () => Promise<void>,
  snapshot: Snapshot | null,
  shared: Shared | null,
): Promise<DatabaseAbsent | null> {
  try {
    await open();
    return null;
  } catch (error) {
    const isKnown = snapshot !== null && !snapshot.isEmpty;
    // Others would close a day without the shares of a node that they do not know of.
    const mayServe = isKnown && (shared === null || shared.register.isSure);
    if (!(error instanceof DatabaseAbsent && error.absence === 'away' && mayServe)) throw error;
    return error;
  }
}

/** Locks a PostgreSQL for this server's life, with others of ROLES. The embedded database is in the locked folder. */
function ownDatabase(
  { DATABASE_URL: url, ROLES: roles, DATA_DIR }: Config,
  log: Logger,
  lost: StartEvents['lost'],
): ServerLock {
  const options = { log, shared: roles.length > 0, lost: (error: Error) => lost?.('the database', { err: error }) };
  return url ? serverLock({ url, lineage: new Lineage(DATA_DIR), ...options }) : FOLDER_OWNER;
}

/** Locks the database before it migrates it: another server may have it. Called again after `DatabaseAbsent`. */
const opener =
  ({ DATA_DIR }: Config, database: Connected, owner: ServerLock, shared: Shared | null) =>
  async (): Promise<void> => {
    try {
      await owner.take();
    } catch (error) {
      throw absent(database.place, error);
    }
    await database.migrate();
    if (shared) await shared.register.join();
    else if (database.kind === 'postgresql') await leaveAlone(database.pool, DATA_DIR);
  };

async function startAll(
  config: Config,
  log: Logger,
  { say, lost, failed = () => undefined }: StartEvents,
  shutdown: Shutdown,
  stopPatienceMs: number,
): Promise<Running> {
  const folderLock = await lockFolder(config.DATA_DIR, { lost: () => lost?.('DATA_DIR', { folder: config.DATA_DIR }) });
  warnOfReaders(config.DATA_DIR, log);
  shutdown.add(async () => folderLock.release());
  await tryPorts(config);
  const owner = ownDatabase(direct(config), log, lost);
  shutdown.add(() => owner.release());
  const database = await connectDatabase({
    url: config.DATABASE_URL,
    directUrl: config.DATABASE_DIRECT_URL,
    folder: join(config.DATA_DIR, 'db'),
    connections: config.DATABASE_CONNECTIONS,
    say,
    onError: (error) => log.warn({ err: error }, 'a database connection was lost'),
  });
  shutdown.add(() => database.close());
  const snapshot =
    database.kind === 'embedded' || !hasRole(config, 'stratum')
      ? null
      : new Snapshot({
          file: join(config.DATA_DIR, SNAPSHOT_FILE),
          database: database.place,
          log,
          everyMs: config.REREAD_SECONDS * 1000,
        });
  const bus = new Bus();
  const changes = new PoolChanges();
  const shared =
    config.ROLES.length > 0
      ? await share({ config: direct(config), pool: database.pool, bus, changes, log, shutdown })
      : null;
  const open = opener(config, database, owner, shared);
  const away = await reach(open, snapshot, shared);

  const metrics = new Registry();
  const { clock, stop: stopClock } = await startClock({ pool: database.pool, log, metrics });
  shutdown.add(stopClock);
  processMetrics(metrics, config, database);
  const demo = await wantsDemo(config, database);
  const given = { config, database, owner, clock, snapshot, demo, bus, changes, shared, metrics, log };
  const openAll = (): Promise<Data> =>
    shared
      ? transaction(database.pool, async (client) => {
          await client.query('set local idle_in_transaction_session_timeout to 0');
          await longStatements(client, START_PATIENCE_MS);
          await lock(client, 'starting');
          return openData({ ...given, say });
        })
      : openData({ ...given, say });
  // This comes before miners can connect: with a missing key they could not use their own upstream pools.
  const data = away ? null : await openAll();
  let mining: Mining | null = null;
  const listening = () => {
    const { proxy } = mining ?? {};
    return [
      config.PORT,
      ...(proxy
        ? [...proxy.ports, ...proxy.tlsPorts, ...proxy.ownPorts()].map(({ port }) => port)
        : ALGORITHM_NAMES.map((algorithm) => config[settingOf('STRATUM_PORT', algorithm)])),
    ];
  };
  const pools = openOwnPools({
    config,
    pool: database.pool,
    changes,
    secrets: data?.secrets ?? knownSecrets(config),
    log,
    known: snapshot ?? undefined,
    listening,
  });
  if (hasRole(config, 'stratum'))
    mining = await startMining({ ...given, pools, node: shared?.register.counting(clock) ?? null, shutdown });
  const serve = (from: Data, port: number, within: Shutdown): Promise<string> =>
    startService({ ...given, data: from, pools, mining, port, say, shutdown: within });
  const url = data
    ? await serve(data, config.PORT, shutdown)
    : await serveLater({
        ...given,
        open,
        shares: mining?.ingest,
        shutdown,
        failed,
        serve: async (port, within) => serve(await openAll(), port, within),
      });
  const upstreams = ALGORITHM_NAMES.filter((algorithm) => mining?.upstreams[algorithm]);
  const overTls = config.TRUSTED_PROXIES.length > 0;
  const setup =
    data && !data.demo && !shared
      ? await setupOf(database.pool, { config, database: database.kind, upstreams, overTls }, clock.seconds())
      : [];
  return {
    url,
    adminCode: data?.adminCode ?? null,
    missing: setup.flatMap(({ item, done }) => (done ? [] : [item])),
    roles: rolesOf(config),
    stratum: mining?.proxy.ports ?? [],
    database: database.kind,
    away: away && away.message,
    demo: data?.demo ? { password: data.demo.password } : null,
    withoutUpstream: ALGORITHM_NAMES.filter((algorithm) => mining && !upstreams.includes(algorithm)),
    stop: async () => {
      // Others serve its miners from now on.
      if (shared) await mining?.proxy.drain();
      const timer = setTimeout(() => {
        log.warn('the database does not answer: the stop does not wait for it');
        database.abandon();
      }, stopPatienceMs);
      await shutdown.run(log);
      clearTimeout(timer);
    },
  };
}

/** The key that an earlier start has made or used; the database says later whether it is the right one. */
function knownSecrets(config: Config): Secrets {
  const secrets = Secrets.open(config, { make: false });
  if (secrets.keyId === '')
    throw new SecretsError(`There is no secrets.key in ${config.DATA_DIR}, and SECRETS_KEY is not set: put it back.`);
  return secrets;
}
