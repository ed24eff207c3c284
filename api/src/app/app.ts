/** Assembles the HTTP server: API, sign-in service, pages and files on one origin. */
import type { Pool } from 'pg';
import { Registry } from 'prom-client';
import { type Config, rolesOf } from '../platform/config';
import type { Database } from '../platform/db/database';
import type { Logger } from '../platform/log';
import type { Identity } from '../identity';
import { WorkerLists } from '../mining/workers/workers';
import { appFiles, securityTxt } from '../pages/app-files';
import { FirstViews } from '../pages/first-view/first-views';
import { textFiles } from '../pages/locales';
import { pages } from '../pages/pages';
import { TemplateStore } from '../pages/templates';
import { writeAdminNotes } from '../messages/notifications';
import { Granted } from '../remotes/granted';
import { CanaryJudge } from '../remotes/canary-judge';
import { RemoteFigures } from '../remotes/figures';
import { RemoteRegistry } from '../remotes/registry';
import { ShellSurface } from '../remotes/surface';
import { staticFiles } from '../pages/static';
import { join } from 'node:path';
import { AccountIds } from '../http/context/readable-accounts';
import { compressAnswers } from '../http/server/compress';
import type { Deps } from '../http/context/deps';
import { docRoutes } from '../http/server/docs';
import { eventRoutes } from '../http/routes/accounts/events';
import { retryOf } from '../http/server/errors';
import { type HealthOptions, healthRoutes, measureRequests } from '../http/server/health';
import { innerCalls } from '../http/auth/inner-calls';
import { limitKept } from '../http/auth/kept';
import { Principals } from '../http/auth/principals';
import { registerContract, type Handlers } from '../http/auth/route';
import { allHandlers } from '../http/routes';
import { unsubscribeRoutes } from '../http/routes/unsubscribe';
import { refuseWrites } from '../http/routes/admin/view-as';
import { createServer, type ZodApp } from '../http/server/server';
import { traceRequests } from '../platform/traces/traces';

/** An account, or the network of a visitor, may load as many pages as it may send the calls of; a page sends about five. */
const CALLS_A_PAGE = 5;

type Optional = 'network' | 'demo' | 'telegram' | 'pushKey' | 'remotes' | 'now';
export type AppOptions = Omit<
  Deps,
  'pool' | 'databaseKind' | 'principals' | 'accounts' | 'workers' | 'figures' | 'canaries' | 'signFor' | Optional
> &
  Partial<Pick<Deps, Optional>> & {
    database: Database;
    identity: Identity;
    shares?: HealthOptions['shares'];
    metrics?: Registry;
    /** Test helper: replaces the handlers before they are registered. */
    handlers?: (deps: Deps) => Handlers;
    /** Test helper: a test's process may get no turn for seconds. */
    overloadMs?: number;
    /** Test helper: after how long a request too many is answered. */
    refusedAfterMs?: number;
    /** See Principals; for tests. */
    callersMs?: number;
  };

export function openRegistry(config: Config, log: Logger, pool: Pool): RemoteRegistry {
  const { DIST_DIR, REMOTES_DIR, REMOTE_KEYS, REMOTE_ORIGINS } = config;
  const surface = new ShellSurface(join(DIST_DIR, 'shell/surface.txt'));
  return new RemoteRegistry(REMOTES_DIR, log, REMOTE_KEYS, REMOTE_ORIGINS, surface, new Granted(pool));
}

export async function buildApp({
  database,
  identity,
  shares,
  metrics = new Registry(),
  handlers = allHandlers,
  overloadMs,
  refusedAfterMs,
  callersMs,
  ...given
}: AppOptions): Promise<ZodApp> {
  const { config, bus, log } = given;
  const { pool, kind: databaseKind } = database;
  const { demo = false, telegram = null, pushKey = null, now = () => Date.now() / 1000, network = () => null } = given;
  const app = await createServer({
    log,
    rate: { perMinute: config.RATE_LIMIT, accountOf: (request) => identity.accountOf(request), refusedAfterMs },
    trustedProxies: config.TRUSTED_PROXIES,
    publicUrl: config.PUBLIC_URL,
    hstsSeconds: config.HSTS_SECONDS,
    overloadMs,
  });
  const requireTwoStep = config.REQUIRE_TWO_STEP ?? !(demo || config.CLERK_PUBLISHABLE_KEY);
  const principals = new Principals(pool, identity, given.changes, {
    requireTwoStep,
    hasBot: telegram !== null,
    hosted: config.CLERK_PUBLISHABLE_KEY !== undefined,
    cacheMs: callersMs,
  });
  const { remotes = openRegistry(config, log, pool) } = given;
  const canaries = new CanaryJudge(remotes, log, async ({ what, name, version, why }) => {
    const note = { kind: `canary_${what}`, values: { remote: name, version, why } };
    await writeAdminNotes(pool, note, now());
  });
  const deps: Deps = {
    ...given,
    ...{ pool, databaseKind, network, demo, telegram, pushKey, now, principals, remotes, canaries },
    signFor: identity.signFor,
    accounts: new AccountIds({ config, pool }),
    workers: new WorkerLists(pool),
    figures: new RemoteFigures(remotes, log, metrics),
  };
  limitKept(app);
  compressAnswers(app);
  const shellFolder = join(config.DIST_DIR, 'shell');
  const templates = new TemplateStore(shellFolder);
  healthRoutes(app, {
    database,
    shares,
    pages: () => Promise.all([templates.needed(), remotes.listFor(null)]),
    registry: metrics,
    token: config.METRICS_TOKEN,
    roles: rolesOf(config),
  });
  measureRequests(app, metrics);
  traceRequests(app);
  const handled = handlers(deps);
  registerContract(app, deps, handled);
  refuseWrites(app, principals);
  eventRoutes(app, deps);
  docRoutes(app);
  await identity.register(app, retryOf);
  const texts = textFiles(config.DIST_DIR, remotes);
  await staticFiles(app, { dist: config.DIST_DIR, registry: remotes, texts, identity, principals });
  await unsubscribeRoutes(app, { pool: pool, secrets: deps.secrets, now });
  securityTxt(app, config.SECURITY_CONTACT);
  appFiles(app, { shellFolder, withWorker: config.SERVICE_WORKER });
  const views = new FirstViews({ scriptOf: (remote) => remotes.versions.firstView(remote), log });
  app.addHook('onClose', () => views.close());
  pages(app, {
    templates,
    registry: remotes,
    identity,
    principals,
    demo,
    supportEmail: config.SUPPORT_EMAIL,
    withWorker: config.SERVICE_WORKER,
    views,
    calls: innerCalls(handled, principals),
    texts,
    perMinute: Math.ceil(config.RATE_LIMIT / CALLS_A_PAGE),
  });
  const stopWatching = remotes.pointers.watch(() => bus.publish({ type: 'remotes', data: {} }));
  app.addHook('preClose', async () => {
    stopWatching();
    canaries.stop();
  });
  app.addHook('onListen', async () => {
    void deps.workers
      .warm(now)
      .catch((error: unknown) => log.warn({ err: error }, 'long lists of workers were not preloaded'));
  });
  await app.ready();
  return app;
}
