/** Liveness, readiness, metrics. Metrics are readable from this machine itself, or with the token. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { collectDefaultMetrics, Histogram, type Registry } from 'prom-client';
import type { Role } from '../../platform/config';
import type { Database } from '../../platform/db/database';
import { inTime } from '../../platform/in-time';
import { TtlCache } from '../../platform/ttl-cache';
import type { ShareIngest, Trouble } from '../../mining/shares/ingest';
import { problems } from '../../platform/refused';
import type { ZodApp } from './server';

const TIMEOUT_MS = 2000;
const CACHE_MS = 500;
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

function maySeeMetrics(request: FastifyRequest, token: string | undefined): boolean {
  const given = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
  if (token && given) return timingSafeEqual(digest(given), digest(token));
  // Behind a proxy every request seems to be local.
  if (request.headers['x-forwarded-for'] || request.headers.forwarded) return false;
  const address = request.socket.remoteAddress ?? '';
  return address === '127.0.0.1' || address === '::1' || address === '::ffff:127.0.0.1';
}

type Hindrance = Trouble | 'database' | 'pages';

const succeeds = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  );

export type HealthOptions = {
  database: Pick<Database, 'pool'>;
  /** Left out: no shares come here. */
  shares?: Pick<ShareIngest, 'troubles'>;
  /** Rejects while no page can be made. Left out: no pages are here. */
  pages?: () => Promise<unknown>;
  registry: Registry;
  token?: string;
  /** Roles of this process; a balancer asks for the one that it leads to. */
  roles: readonly Role[];
};

export function healthRoutes(app: ZodApp, { database, shares, pages, registry, token, roles }: HealthOptions): void {
  // Anybody may ask, and the answer writes to the disk.
  const cache = new TtlCache<Trouble[]>(CACHE_MS);
  const hindrances = async (): Promise<Hindrance[]> => {
    const [answers, troubles, hasPages] = await Promise.all([
      succeeds(inTime(database.pool.query('select 1'), TIMEOUT_MS)),
      shares ? cache.get('', () => shares.troubles()) : [],
      pages ? succeeds(pages()) : true,
    ]);
    return [...(answers ? [] : ['database' as const]), ...(hasPages ? [] : ['pages' as const]), ...troubles];
  };
  const hidden = { schema: { hide: true }, logLevel: 'warn' } as const;
  // `?role=web`: 503 where another process has taken this address and does not do that part of the work.
  app.get<{ Querystring: { role?: string } }>('/health', hidden, ({ query }, reply) => {
    const serves = query.role === undefined || roles.some((role) => role === query.role);
    return reply
      .code(serves ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status: 'alive', roles });
  });
  app.get('/ready', hidden, async (_, reply) => {
    const found = await hindrances();
    return reply
      .code(found.length ? 503 : 200)
      .header('cache-control', 'no-store')
      .send(found.length ? { ready: false, hindrances: found } : { ready: true });
  });
  app.get('/metrics', hidden, async (request, reply) => {
    if (!maySeeMetrics(request, token)) throw problems.notFound();
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}

export function measureRequests(app: ZodApp, registry: Registry): void {
  collectDefaultMetrics({ register: registry });
  const seconds = new Histogram({
    name: 'http_request_seconds',
    help: 'Time to answer, by route',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  });
  app.addHook('onResponse', async (request, reply) => {
    seconds.observe(
      { method: request.method, route: request.routeOptions.url ?? 'none', status: String(reply.statusCode) },
      reply.elapsedTime / 1000,
    );
  });
}
