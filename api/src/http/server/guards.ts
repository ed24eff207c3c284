/** Checks before the body is read: size of the request, origin of a write, caller. */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refused, problems } from '../../platform/refused';
import { hostOf } from '../../platform/origin-of';

const XSRF_COOKIE = 'XSRF-TOKEN';
const MAX_URL = 8192;
const MAX_PARAMETERS = 100;

export const isWrite = (request: FastifyRequest): boolean => !['GET', 'HEAD', 'OPTIONS'].includes(request.method);

export function checkUrl(request: FastifyRequest): void {
  const { url = '', rawHeaders } = request.raw;
  // Limits and policies go by the path; the router would take an absolute address for its path too.
  if (!url.startsWith('/')) throw problems.invalid('The address is not a path.');
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host');
  if (hosts.length > 1) throw problems.invalid('There is more than one Host header.');
  let parameters = 0;
  for (let at = url.indexOf('&'); at !== -1; at = url.indexOf('&', at + 1))
    if ((parameters += 1) >= MAX_PARAMETERS) throw problems.invalid('Too many parameters.');
  if (url.length > MAX_URL) throw new Refused(414, 'uri_too_long');
}

/** The address with each `%` of a path that does not decode as a letter: it is not found as any other is. */
export function withPercents(url: string): string {
  const [path = '', ...query] = url.split('?');
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return [path.replaceAll('%', '%25'), ...query].join('?');
  }
}

/** Array parameters are `name[]`, for any number of values. */
export function arrayParameters(query: Record<string, unknown>): Record<string, unknown> {
  const plain: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(query)) {
    if (name.endsWith('[]')) plain[name.slice(0, -2)] = Array.isArray(value) ? value : [value];
    else plain[name] = value;
  }
  return plain;
}

/** Sets the cookie that pages send back in `X-XSRF-TOKEN` with every write. */
export function giveXsrfCookie(request: FastifyRequest, reply: FastifyReply): void {
  if (request.cookies[XSRF_COOKIE]) return;
  reply.setCookie(XSRF_COOKIE, randomBytes(16).toString('base64url'), {
    path: '/',
    sameSite: 'strict',
    secure: request.protocol === 'https',
  });
}

const same = (a: string, b: string): boolean => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
};

/** Logs that a proxy passes another port than pages are opened at, because every write is refused then. */
export function noteLostPort(request: FastifyRequest): void {
  const { origin } = request.headers;
  if (!isWrite(request) || origin === undefined || !URL.canParse(origin)) return;
  const { host, hostname } = new URL(origin);
  if (host === request.host || hostname !== request.hostname) return;
  request.log.warn(
    { origin, host: request.host },
    'a write is refused: pages are opened at another port than the Host that this server is told; let the proxy pass Host with its port',
  );
}

/** A write must come from one of the pool's pages: same origin, and able to read the cookie. */
export function checkWrite(request: FastifyRequest): void {
  const { origin } = request.headers;
  const site = request.headers['sec-fetch-site'];
  if (
    origin !== undefined
      ? hostOf(origin) !== request.host
      : site !== undefined && site !== 'same-origin' && site !== 'none'
  )
    throw problems.forbidden('origin_not_allowed');
  const header = request.headers['x-xsrf-token'];
  const cookie = request.cookies[XSRF_COOKIE];
  if (!cookie || typeof header !== 'string' || !same(header, cookie)) throw problems.forbidden('xsrf_invalid');
}
