/**
 * The subset of Clerk's Frontend API that clerk-js needs, on the pool's own origin: register it under `/__clerk`.
 * Bodies are urlencoded; PATCH and DELETE arrive as POST with `?_method=`; a write returns `{response, client}`.
 */
import cookie from '@fastify/cookie';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Call, fields, type PostOptions, type Routes } from './calls';
import { clientSecret, deviceIn } from './cookies';
import { environmentJson, type Installation } from './environment';
import { errors, IdentityError } from './errors';
import type { IdentityService } from './service';
import { userRoutes } from './people/user-routes';
import { pictureRoutes } from './people/picture';
import { sessionRoutes } from './sign-in/session-routes';
import { signInRoutes } from './sign-in/sign-in-routes';
import { findVisitor, sweep } from './store';
import { every } from '../platform/every';
import { hostOf, originOf } from '../platform/origin-of';

export type PluginOptions = Omit<Installation, 'sendsMail' | 'passkeys'> & { service: IdentityService; retry: Retry };

/** When to try again after too many requests (429), or when the server or its database is unavailable (503); else null. */
export type Retry = (error: Error) => { status: number; seconds: number } | null;

const SWEEP_MS = 3_600_000;

export async function identityPlugin(
  app: FastifyInstance,
  { service, retry, ...installation }: PluginOptions,
): Promise<void> {
  const { db } = service;
  if (!app.hasDecorator('parseCookie')) await app.register(cookie);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 16_384 },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );

  app.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    const status = error.statusCode ?? 500;
    const wait = retry(error);
    const failed = (): IdentityError => (status < 500 ? errors.badRequest(status) : errors.failed());
    const later = wait && (wait.status === 429 ? errors.tooMany(wait.seconds) : errors.unavailable(wait.seconds));
    const known = error instanceof IdentityError ? error : (later ?? failed());
    if (known.status >= 500) request.log.error({ err: error }, 'a sign-in request failed');
    if (known.retryAfterSeconds) reply.header('retry-after', known.retryAfterSeconds);
    return reply.code(known.status).send({ errors: known.problems, clerk_trace_id: request.id });
  });
  app.setNotFoundHandler((request, reply) => {
    const { problems, status } = errors.notFound();
    return reply.code(status).send({ errors: problems, clerk_trace_id: request.id });
  });
  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    if (request.method === 'GET' || request.method === 'HEAD') return;
    const { origin } = request.headers;
    if (!origin || hostOf(origin) !== request.host) throw errors.foreignOrigin();
  });

  const sweeper = every(SWEEP_MS, () => sweep(db), app.log, 'expired sessions were not deleted');
  app.addHook('onClose', () => sweeper.stop());

  const methodOf = (request: FastifyRequest): string => {
    const override = (request.query as { _method?: unknown })._method;
    return request.method === 'POST' && typeof override === 'string' ? override.toUpperCase() : request.method;
  };
  const on = (scope: FastifyInstance, routes: Routes, post: PostOptions = {}): void => {
    for (const path of new Set(Object.keys(routes).map((route) => route.replace(/^\w+ /, '')))) {
      const answer = async (request: Call['request'], reply: FastifyReply): Promise<unknown> => {
        const handler = routes[`${methodOf(request)} ${path}` as keyof Routes];
        if (!handler) throw errors.notFound();
        const origin = request.headers.origin ?? originOf(request);
        const visitor = await findVisitor(db, clientSecret(request));
        const device = deviceIn(request);
        return handler({ request, reply, body: fields.parse(request.body ?? {}), visitor, device, origin });
      };
      scope.get(path, answer);
      scope.post(path, post, answer);
    }
  };

  app.get('/v1/environment', (request, reply) => {
    const passkeys = service.passkeys.isOffered(originOf(request));
    return reply
      .header('cache-control', 'private, max-age=300')
      .send(environmentJson({ ...installation, sendsMail: service.mails !== null, passkeys }));
  });

  on(app, sessionRoutes(service));
  on(app, signInRoutes(service));
  on(app, userRoutes(service, installation.applicationName));
  await app.register(pictureRoutes, { on, service });
}
