/** The address of a process without pages: whether it lives and is ready, and its metrics. */
import type { Registry } from 'prom-client';
import type { Config } from '../config';
import type { Database } from '../db/database';
import { type HealthOptions, healthRoutes, measureRequests } from '../http/server/health';
import { createServer } from '../http/server/server';
import type { Logger } from '../log';
import type { Shutdown } from './shutdown';

export async function serveHealth({
  config,
  port,
  database,
  shares,
  metrics,
  log,
  shutdown,
}: {
  config: Config;
  port: number;
  database: Database;
  shares: HealthOptions['shares'];
  metrics: Registry;
  log: Logger;
  shutdown: Shutdown;
}): Promise<string> {
  const app = await createServer({
    log,
    rateLimit: config.RATE_LIMIT,
    trustedProxies: config.TRUSTED_PROXIES,
    hstsSeconds: config.HSTS_SECONDS,
  });
  healthRoutes(app, { database, shares, registry: metrics, token: config.METRICS_TOKEN });
  measureRequests(app, metrics);
  shutdown.add(() => app.close());
  return app.listen({ port, host: config.HOST });
}
