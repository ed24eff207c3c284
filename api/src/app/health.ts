/** The address of a process without pages: whether it lives and is ready, and its metrics. */
import type { Registry } from 'prom-client';
import { type Config, rolesOf } from '../platform/config';
import type { Database } from '../platform/db/database';
import { type HealthOptions, healthRoutes, measureRequests } from '../http/server/health';
import { createServer } from '../http/server/server';
import type { Logger } from '../platform/log';
import type { Shutdown } from './shutdown';

export type HealthServerOptions = {
  config: Config;
  database: Database;
  shares?: HealthOptions['shares'];
  metrics: Registry;
  log: Logger;
};

export async function healthServer({ config, database, shares, metrics, log }: HealthServerOptions) {
  const app = await createServer({
    log,
    rate: { perMinute: config.RATE_LIMIT },
    trustedProxies: config.TRUSTED_PROXIES,
    hstsSeconds: config.HSTS_SECONDS,
  });
  healthRoutes(app, { database, shares, registry: metrics, token: config.METRICS_TOKEN, roles: rolesOf(config) });
  return app;
}

export async function serveHealth({
  port,
  shutdown,
  ...options
}: HealthServerOptions & { port: number; shutdown: Shutdown }): Promise<string> {
  const { config, metrics } = options;
  const app = await healthServer(options);
  measureRequests(app, metrics);
  // A balancer must see that it lives while it sends its miners away, or it ends their connections.
  shutdown.addLast(() => app.close());
  return app.listen({ port, host: config.HOST });
}
