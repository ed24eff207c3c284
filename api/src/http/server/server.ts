/** A Fastify server with the pool's defaults: limits, headers, errors, documentation. No routes. */
import cookie from '@fastify/cookie';
import helmet from '@fastify/helmet';
import clientOf from '@fastify/proxy-addr';
import swagger from '@fastify/swagger';
import underPressure from '@fastify/under-pressure';
import Fastify, { type FastifyBaseLogger } from 'fastify';
import {
  jsonSchemaTransform,
  serializerCompiler,
  validatorCompiler,
  type ZodTypeProvider,
} from 'fastify-type-provider-zod';
import { createServer as createHttpServer, type ServerOptions as HttpOptions } from 'node:http';
import type { Socket } from 'node:net';
import { parse } from 'node:querystring';
import type { Logger } from '../../platform/log';
import { connectionsAllowed } from '../../platform/open-files';
import { completeDocument, OPENAPI } from './docs';
import { answerError, problemOf } from './errors';
import { Connections } from './connections';
import { readForwarded } from './forwarded';
import { arrayParameters, checkUrl, noteLostPort, withPercents } from './guards';
import { Prepared } from './prepared';
import { problems } from '../../platform/refused';
import { sendProblem } from './problem';
import { limitRequests, type RequestRateOptions } from './request-rate';
import { RoundRobin } from './round-robin';

export type ServerOptions = {
  log: Logger;
  rate: RequestRateOptions;
  trustedProxies: string[];
  /** Address of the pages, as browsers know it; undefined: any that a request names. */
  publicUrl?: string;
  /** Seconds for which browsers that came over TLS come over TLS only; 0: no longer. */
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

/** Answers to requests that are refused before they are read, by Node's code of the error. */
const REFUSED: Record<string, [status: number, title: string, code: string]> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large', 'headers_too_large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'timeout'],
};

function create({ log, trustedProxies, publicUrl }: ServerOptions) {
  const host = publicUrl && new URL(publicUrl).host;
  const trusts = clientOf.compile(trustedProxies);
  const isTrusted = (address: string): boolean => trusts(address, 0);
  let isNoted = false;
  const noteForwarded = (): void => {
    if (!isNoted) log.warn('a trusted proxy sends the header Forwarded, which is ignored: let it send X-Forwarded-For');
    isNoted = true;
  };
  return Fastify({
    loggerInstance: log as FastifyBaseLogger,
    bodyLimit: BODY_LIMIT,
    serverFactory: (handle) => {
      const connections = new Connections(isTrusted, connectionsAllowed().pages);
      const roundRobin = new RoundRobin((request) => clientOf(request, trusts));
      const begin = roundRobin.guard(handle);
      const listener = connections.guard((request, response) => {
        if (isTrusted(request.socket.remoteAddress ?? '')) {
          if (request.headers.forwarded && !request.headers['x-forwarded-for']) noteForwarded();
          readForwarded(request, host);
        }
        begin(request, response);
      });
      return createHttpServer(HTTP, listener)
        .setTimeout(60_000)
        .on('connection', (socket: Socket) => connections.admit(socket));
    },
    trustProxy: trustedProxies.length ? trusts : false,
    requestIdHeader: false,
    genReqId: () => crypto.randomUUID(),
    forceCloseConnections: 'idle',
    onProtoPoisoning: 'error',
    onConstructorPoisoning: 'error',
    rewriteUrl: ({ url = '' }) => withPercents(url),
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
      const [status, title, code] = REFUSED[error.code] ?? [400, 'Bad Request', 'invalid_request'];
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
    if (body.length === 0) done(null, undefined);
    else void parseJson(request, String(body), done);
  });
}

type Route = Parameters<typeof serializerCompiler>[0];

export function serialiserOf(route: Route): (answer: unknown) => string {
  const serialise = serializerCompiler(route);
  return (answer) => (answer instanceof Prepared ? answer.json : serialise(answer));
}

export async function createServer(options: ServerOptions): Promise<ZodApp> {
  const app = create(options);
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler((route) => serialiserOf(route as Route));
  app.setErrorHandler(answerError);
  jsonOnly(app);
  app.decorateRequest('principal', null);
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    if (request.protocol === 'https') reply.header('strict-transport-security', `max-age=${options.hstsSeconds}`);
    // After an early disconnect there is no address, and the rate limit needs one.
    if (!request.ip) throw problems.invalid('The connection is gone.');
    checkUrl(request);
    noteLostPort(request);
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
  limitRequests(app, options.rate);
  await app.register(swagger, {
    openapi: OPENAPI,
    // Only calls of the contract have a tag.
    hideUntagged: true,
    transform: jsonSchemaTransform,
    transformObject: completeDocument,
  });
  return app;
}
