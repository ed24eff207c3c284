/** A Fastify server with the pool's defaults: limits, headers, errors, documentation. No routes. */
import cookie from '@fastify/cookie';
import helmet from '@fastify/helmet';
import clientOf from '@fastify/proxy-addr';
import rateLimit from '@fastify/rate-limit';
import swagger from '@fastify/swagger';
import underPressure from '@fastify/under-pressure';
import Fastify, { type FastifyBaseLogger } from 'fastify';
import { networkOf } from '../../network-of';
import {
  jsonSchemaTransform,
  serializerCompiler,
  validatorCompiler,
  type ZodTypeProvider,
} from 'fastify-type-provider-zod';
import { createServer as createHttpServer, type ServerOptions as HttpOptions } from 'node:http';
import type { Socket } from 'node:net';
import { parse } from 'node:querystring';
import type { Logger } from '../../log';
import { connectionsAllowed } from '../../open-files';
import { completeDocument, OPENAPI } from './docs';
import { handleErrors, problemOf } from './errors';
import { arrayParameters, checkDepth, checkUrl } from './guards';
import { Pipelining } from './pipelined';
import { Prepared } from './prepared';
import { problems, sendProblem } from './problem';
import { RequestCounts } from './request-counts';
import { RoundRobin } from './round-robin';

export type ServerOptions = {
  log: Logger;
  rateLimit: number;
  trustedProxies: string[];
  /** For how long browsers that came over TLS come over TLS only; 0: no longer. */
  hstsSeconds: number;
  /** Mean delay of the event loop from which calls are refused, 3000 ms; 0: never. */
  overloadMs?: number;
};

const BODY_LIMIT = 64 * 1024;
/** Ten seconds for the request's head and half a minute for all of it. */
const HTTP: HttpOptions = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 2000,
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16 * 1024,
};

function create({ log, trustedProxies }: ServerOptions) {
  const isTrusted = clientOf.compile(trustedProxies);
  return Fastify({
    loggerInstance: log as FastifyBaseLogger,
    bodyLimit: BODY_LIMIT,
    serverFactory: (handle) => {
      const pipelining = new Pipelining((address) => isTrusted(address, 0));
      const roundRobin = new RoundRobin((request) => clientOf(request, isTrusted));
      const server = createHttpServer(HTTP, pipelining.guard(roundRobin.guard(handle))).setTimeout(60_000);
      server.maxConnections = connectionsAllowed().pages;
      return server.on('connection', (socket: Socket) => pipelining.admit(socket));
    },
    trustProxy: trustedProxies.length ? isTrusted : false,
    requestIdHeader: false,
    genReqId: () => crypto.randomUUID(),
    forceCloseConnections: 'idle',
    onProtoPoisoning: 'error',
    onConstructorPoisoning: 'error',
    routerOptions: {
      ignoreTrailingSlash: true,
      caseSensitive: true,
      maxParamLength: 200,
      querystringParser: (text) => arrayParameters(parse(text, '&', '=', { maxKeys: 200 })),
    },
    frameworkErrors: (error, _request, reply) => {
      sendProblem(reply, problemOf(error));
    },
    clientErrorHandler(error, socket) {
      if (!socket.writable || error.code === 'ECONNRESET') {
        socket.destroy();
        return;
      }
      const [status, title, code] =
        error.code === 'HPE_HEADER_OVERFLOW'
          ? ([431, 'Request Header Fields Too Large', 'headers_too_large'] as const)
          : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
            ? ([408, 'Request Timeout', 'timeout'] as const)
            : ([400, 'Bad Request', 'invalid_request'] as const);
      const body = JSON.stringify({ type: 'about:blank', title, status, code });
      const head = [
        `HTTP/1.1 ${status} ${title}`,
        'Content-Type: application/problem+json',
        `Content-Length: ${Buffer.byteLength(body)}`,
        'Connection: close',
      ];
      socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
    },
  }).withTypeProvider<ZodTypeProvider>();
}

export type ZodApp = ReturnType<typeof create>;

/** JSON is the only accepted body; a plugin that takes another (the sign-in service: forms) adds it for itself. */
function jsonOnly(app: ZodApp): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    // Clients name JSON as the type of requests without a body too.
    if (body.length === 0) {
      done(null, undefined);
      return;
    }
    try {
      checkDepth(String(body));
    } catch (error) {
      done(error as Error);
      return;
    }
    void parseJson(request, String(body), done);
  });
}

type Route = Parameters<typeof serializerCompiler>[0];

/** Checks answers against the contract and makes JSON of them. */
export function serialiserOf(route: Route): (answer: unknown) => string {
  const serialise = serializerCompiler(route);
  return (answer) => (answer instanceof Prepared ? answer.json : serialise(answer));
}

export async function createServer(options: ServerOptions): Promise<ZodApp> {
  const app = create(options);
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler((route) => serialiserOf(route as Route));
  handleErrors(app);
  jsonOnly(app);
  app.decorateRequest('principal', null);
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    if (request.protocol === 'https') reply.header('strict-transport-security', `max-age=${options.hstsSeconds}`);
    // After an early disconnect there is no address, and the rate limit needs one.
    if (!request.ip) throw problems.invalid('The connection is gone.');
    checkUrl(request);
  });
  await app.register(cookie);
  // A response that sets a cookie is personal: shared caches must not store it.
  app.addHook('onSend', async (_request, reply) => {
    if (reply.hasHeader('set-cookie') && String(reply.getHeader('cache-control')).startsWith('public'))
      reply.header('cache-control', 'private, no-store');
  });
  await app.register(helmet, {
    // Pages have a policy with their own nonce (web/); everything else loads nothing.
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    referrerPolicy: { policy: 'same-origin' },
    strictTransportSecurity: false,
    xFrameOptions: { action: 'deny' },
  });
  await app.register(underPressure, {
    maxEventLoopDelay: options.overloadMs ?? 3000,
    pressureHandler: (request, _reply, _type, delay) => {
      // Nothing was measured since the last look: the process had no turn for a second.
      if (delay === Infinity) return;
      if (request.url.startsWith('/api/') || request.url.startsWith('/__clerk/')) throw problems.unavailable();
    },
  });
  await app.register(rateLimit, {
    max: options.rateLimit,
    keyGenerator: ({ ip }) => networkOf(ip),
    timeWindow: '1 minute',
    store: RequestCounts,
    // The counters are not shown; Retry-After says when to try again.
    addHeaders: { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false },
    addHeadersOnExceeding: { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false },
    allowList: (request) => !request.url.startsWith('/api/'),
    errorResponseBuilder: (_, context) => problems.tooMany('too_many_requests', Math.ceil(context.ttl / 1000)),
  });
  await app.register(swagger, {
    openapi: OPENAPI,
    // Only calls of the contract have a tag.
    hideUntagged: true,
    transform: jsonSchemaTransform,
    transformObject: completeDocument,
  });
  app.setNotFoundHandler({ preHandler: app.rateLimit() }, (_, reply) => sendProblem(reply, problems.notFound()));
  return app;
}
