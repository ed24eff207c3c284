/**
 * The subset of Clerk's Frontend API that clerk-js needs, on our own origin: register it under `/__clerk`.
 * Bodies are urlencoded; PATCH and DELETE arrive as POST with `?_method=`; a write answers `{response, client}`.
 */
import cookie from '@fastify/cookie';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { clientSecret, forget, setKnown, setSecret, setState } from './cookies';
import { errors, IdentityError } from './errors';
import {
  clientJson,
  deviceJson,
  environmentJson,
  sessionJson,
  signInJson,
  signUpJson,
  userJson,
  verificationJson,
} from './resources';
import type { Begun, Entered, IdentityService } from './service';
import { activeSessions, findVisitor, seen, sweep, type Device, type Flow, type SignedIn, type Visitor } from './store';

export type PluginOptions = {
  service: IdentityService;
  applicationName: string;
  supportEmail: string;
  /** Origins besides the request's own that may write, e.g. behind a proxy that changes the Host header. */
  origins: readonly string[];
  unavailable: Unavailable;
};

/** Seconds to wait when the error says that the server or its database is too busy or away, else null. */
export type Unavailable = (error: Error) => number | null;

const SWEEP_MS = 3_600_000;
const text = z.string().max(2000).optional().catch(undefined);
/** The fields clerk-js sends that mean something here; metadata, locale and the rest are ignored. */
const fields = z.object({
  identifier: text,
  strategy: text,
  password: text,
  username: text,
  email_address: text,
  first_name: text,
  last_name: text,
  current_password: text,
  new_password: text,
  sign_out_of_other_sessions: text,
});
type Fields = z.infer<typeof fields>;
type Call = {
  request: FastifyRequest<{ Params: Record<string, string> }>;
  reply: FastifyReply;
  body: Fields;
  visitor: Visitor | null;
  device: Device;
  origin: string;
};
type Handler = (call: Call) => Promise<unknown>;

const ownOrigin = (request: FastifyRequest): string => `${request.protocol}://${request.host}`;
const hostOf = (origin: string): string | null => (URL.canParse(origin) ? new URL(origin).host : null);

export async function identityPlugin(
  app: FastifyInstance,
  { service, origins, unavailable, ...names }: PluginOptions,
): Promise<void> {
  const { db } = service;
  if (!app.hasDecorator('parseCookie')) await app.register(cookie);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 16_384 },
    (_request, body, done) => {
      done(null, Object.fromEntries(new URLSearchParams(String(body))));
    },
  );

  app.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    const status = error.statusCode ?? 500;
    const waitSeconds = unavailable(error);
    const failed = (): IdentityError => (status < 500 ? errors.badRequest(status) : errors.failed());
    const known =
      error instanceof IdentityError ? error : waitSeconds === null ? failed() : errors.unavailable(waitSeconds);
    if (known.status >= 500) request.log.error({ err: error }, 'identity');
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
    if (!origin || (hostOf(origin) !== request.host && !origins.includes(origin))) throw errors.foreignOrigin();
  });

  const sweeper = setInterval(
    () => void sweep(db).catch((error: unknown) => app.log.warn({ err: error }, 'identity sweep')),
    SWEEP_MS,
  ).unref();
  app.addHook('onClose', async () => clearInterval(sweeper));

  const methodOf = (request: FastifyRequest): string => {
    const override = (request.query as { _method?: unknown })._method;
    return request.method === 'POST' && typeof override === 'string' ? override.toUpperCase() : request.method;
  };
  const on = (path: string, handlers: Partial<Record<'GET' | 'POST' | 'PATCH' | 'DELETE', Handler>>): void => {
    const answer = async (
      request: FastifyRequest<{ Params: Record<string, string> }>,
      reply: FastifyReply,
    ): Promise<unknown> => {
      const handler = handlers[methodOf(request) as keyof typeof handlers];
      if (!handler) throw errors.notFound();
      const origin = request.headers.origin ?? ownOrigin(request);
      const visitor = await findVisitor(db, clientSecret(request));
      const device = {
        userAgent: request.headers['user-agent'] ?? null,
        ip: request.ip,
        known: request.cookies.__known,
      };
      return handler({ request, reply, body: fields.parse(request.body ?? {}), visitor, device, origin });
    };
    app.get(path, answer);
    app.post(path, answer);
  };

  /** The signed-in browser; `:session` in the path must be its own session. */
  const signedIn = ({ visitor, request }: Call): SignedIn => {
    if (!visitor?.session) throw errors.signedOut();
    if (request.params.session !== undefined && request.params.session !== visitor.session.id) throw errors.notFound();
    return visitor;
  };
  const client = async (visitor: Visitor, origin: string) =>
    clientJson(visitor, visitor.session ? await service.token(visitor, origin) : null);
  const begun = ({ client: row, flow, secret }: Begun, { request, reply }: Call) => {
    if (secret) setSecret(request, reply, secret);
    return {
      response: flow.kind === 'sign_in' ? signInJson(flow) : signUpJson(flow),
      client: clientJson({ client: row, session: null, user: null }, null),
    };
  };
  const entered = async ({ visitor, secret }: Entered, { request, reply, origin }: Call) => {
    setSecret(request, reply, secret);
    setState(request, reply, visitor);
    setKnown(request, reply, visitor.user);
    const flow = visitor.client.flow as Flow;
    return {
      response: flow.kind === 'sign_in' ? signInJson(flow) : signUpJson(flow),
      client: await client(visitor, origin),
    };
  };

  app.get('/.well-known/jwks.json', (_request, reply) =>
    reply.header('cache-control', 'public, max-age=300').send(service.keys.jwks),
  );
  app.get('/v1/environment', (_request, reply) =>
    reply.header('cache-control', 'private, max-age=300').send(environmentJson(names)),
  );

  on('/v1/client', {
    GET: async ({ request, reply, visitor, origin }) => {
      setState(request, reply, visitor);
      if (visitor?.session) await seen(db, visitor.session);
      return { response: visitor ? await client(visitor, origin) : null, client: null };
    },
    DELETE: async (call) => signOut(call),
  });
  on('/v1/client/sessions', { DELETE: async (call) => signOut(call) });

  const signOut = async ({ visitor, request, reply }: Call) => {
    if (visitor?.session) await service.signOut(visitor);
    forget(request, reply, { secret: true });
    return {
      response: visitor
        ? clientJson({ client: { ...visitor.client, flow: null }, session: null, user: null }, null)
        : null,
      client: null,
    };
  };

  on('/v1/client/sign_ins', {
    POST: async (call) => {
      const { body, visitor, device } = call;
      const start = await service.beginSignIn(visitor, body.identifier, device.ip ?? '');
      if (start.flow.kind !== 'sign_in' || !body.password) return begun(start, call);
      return entered(await service.attemptPassword(start.client, start.flow, body.password, device), call);
    },
  });
  const signInFlow = ({ visitor, request }: Call) => {
    const flow = visitor?.client.flow as Flow | null | undefined;
    if (!visitor || flow?.kind !== 'sign_in' || flow.id !== request.params.id) throw errors.notFound();
    return { flow, visitor };
  };
  on('/v1/client/sign_ins/:id', {
    GET: async (call) => ({ response: signInJson(signInFlow(call).flow), client: null }),
  });
  on('/v1/client/sign_ins/:id/prepare_first_factor', {
    POST: async () => {
      throw errors.badStrategy();
    },
  });
  on('/v1/client/sign_ins/:id/attempt_first_factor', {
    POST: async (call) => {
      const { flow, visitor } = signInFlow(call);
      if (visitor.session) throw errors.signedIn();
      if (call.body.strategy !== 'password') throw errors.badStrategy();
      return entered(await service.attemptPassword(visitor.client, flow, call.body.password, call.device), call);
    },
  });

  const signUp: Handler = async (call) => {
    const { body, visitor, device } = call;
    const result = await service.signUp(
      visitor,
      { userName: body.username, email: body.email_address, password: body.password },
      device,
    );
    return 'visitor' in result ? entered(result, call) : begun(result, call);
  };
  on('/v1/client/sign_ups', { POST: signUp });
  on('/v1/client/sign_ups/:id', {
    GET: async ({ visitor, request }) => {
      const flow = visitor?.client.flow as Flow | null | undefined;
      if (flow?.kind !== 'sign_up' || flow.id !== request.params.id) throw errors.notFound();
      return { response: signUpJson(flow), client: null };
    },
    PATCH: signUp,
  });

  const session = async (visitor: SignedIn, origin: string) => {
    const token = await service.token(visitor, origin);
    return { response: sessionJson(visitor, token), client: clientJson(visitor, token) };
  };
  on('/v1/client/sessions/:session', { GET: async (call) => session(signedIn(call), call.origin) });
  on('/v1/client/sessions/:session/touch', {
    POST: async (call) => {
      const visitor = signedIn(call);
      await seen(db, visitor.session);
      return session(visitor, call.origin);
    },
  });
  on('/v1/client/sessions/:session/tokens', {
    POST: async (call) => {
      const visitor = signedIn(call);
      await seen(db, visitor.session);
      return { object: 'token', jwt: await service.token(visitor, call.origin) };
    },
  });
  for (const [action, status] of [
    ['end', 'ended'],
    ['remove', 'removed'],
  ] as const) {
    on(`/v1/client/sessions/:session/${action}`, {
      POST: async (call) => {
        const visitor = signedIn(call);
        await service.signOut(visitor, status);
        forget(call.request, call.reply, { secret: true });
        return {
          response: {
            ...sessionJson({ ...visitor, session: { ...visitor.session, status } }, ''),
            last_active_token: null,
          },
          client: clientJson({ client: visitor.client, session: null, user: null }, null),
        };
      },
    });
  }
  on('/v1/client/sessions/:session/verify', {
    POST: async (call) => {
      const visitor = signedIn(call);
      const token = await service.token(visitor, call.origin);
      return { response: verificationJson(visitor, token, 'needs_first_factor'), client: clientJson(visitor, token) };
    },
  });
  on('/v1/client/sessions/:session/verify/attempt_first_factor', {
    POST: async (call) => {
      const visitor = await service.verifyAgain(signedIn(call), call.body.password, call.device.ip ?? '');
      const token = await service.token(visitor, call.origin);
      return { response: verificationJson(visitor, token, 'complete'), client: clientJson(visitor, token) };
    },
  });

  on('/v1/me', {
    GET: async (call) => {
      const {
        user,
        session: { signedInAt },
      } = signedIn(call);
      return { response: userJson(user, signedInAt), client: null };
    },
    PATCH: async (call) => {
      const visitor = signedIn(call);
      const user = await service.updateNames(visitor.user, {
        firstName: call.body.first_name,
        lastName: call.body.last_name,
      });
      return {
        response: userJson(user, visitor.session.signedInAt),
        client: await client({ ...visitor, user }, call.origin),
      };
    },
  });
  on('/v1/me/change_password', {
    POST: async (call) => {
      const visitor = signedIn(call);
      const { current_password: current, new_password: next, sign_out_of_other_sessions: others } = call.body;
      const address = call.device.ip ?? '';
      const user = await service.changePassword(visitor, { current, next, signOutOthers: others !== 'false' }, address);
      setKnown(call.request, call.reply, user);
      return {
        response: userJson(user, visitor.session.signedInAt),
        client: await client(visitor, call.origin),
      };
    },
  });
  on('/v1/me/sessions/active', {
    GET: async (call) => (await activeSessions(db, signedIn(call).user.id)).map(deviceJson),
  });
  on('/v1/me/sessions/:id/revoke', {
    POST: async (call) => {
      const visitor = signedIn(call);
      const [found] = (await activeSessions(db, visitor.user.id)).filter((row) => row.id === call.request.params.id);
      if (!found || !(await service.revoke(visitor.user, found.id))) throw errors.notFound();
      return { response: deviceJson({ ...found, status: 'revoked' }), client: await client(visitor, call.origin) };
    },
  });
}
