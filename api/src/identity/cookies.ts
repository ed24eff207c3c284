/** The cookies: `__client` is the secret, `__known` marks a known device, clerk-js and pages read the others. */
import type {} from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Language } from '@pool/shared/i18n/languages';
import { FACTS_COOKIE, readFacts } from '@pool/shared/page-start';
import { languageOf } from '../messages/outbox/texts';
import { TOKEN_SECONDS } from './tokens/keys';
import { browserId, knownDevice } from './device';
import { SESSION_DAYS, type Device, type UserRow, type Visitor } from './store';

const MAX_AGE = SESSION_DAYS * 86_400;
const KNOWN_MAX_AGE = 180 * 86_400;
const attributes = (request: FastifyRequest) =>
  ({ path: '/', sameSite: 'lax', secure: request.protocol === 'https' }) as const;

/** Over TLS a browser takes `__Host-` cookies from this host only: a neighbouring subdomain cannot set them. */
const nameOf = (name: '__client' | '__known', request: FastifyRequest): string =>
  request.protocol === 'https' ? `__Host-${name}` : name;

export const clientSecret = (request: FastifyRequest): string | undefined =>
  request.cookies[nameOf('__client', request)];
const knownMark = (request: FastifyRequest): string | undefined => request.cookies[nameOf('__known', request)];

export function setSecret(request: FastifyRequest, reply: FastifyReply, secret: string): void {
  reply.setCookie(nameOf('__client', request), secret, { ...attributes(request), httpOnly: true, maxAge: MAX_AGE });
}

/** `__client_uat`: 0 when signed out, else the time of the last change; readable before any script has run. */
export function setState(request: FastifyRequest, reply: FastifyReply, visitor: Visitor | null): void {
  const value = visitor?.session ? String(Math.floor(visitor.client.updatedAt.getTime() / 1000)) : '0';
  if (request.cookies.__client_uat === value || (value === '0' && request.cookies.__client_uat === undefined)) return;
  reply.setCookie('__client_uat', value, { ...attributes(request), maxAge: MAX_AGE });
}

/** `__known` stays after signing out: it is still a device the account has signed in from. */
export function setKnown(request: FastifyRequest, reply: FastifyReply, user: UserRow, browser: string): void {
  reply.setCookie(nameOf('__known', request), knownDevice(browser, user), {
    ...attributes(request),
    httpOnly: true,
    maxAge: KNOWN_MAX_AGE,
  });
}

/** Sets a new session token in the cookie of clerk-js, so that a page can call the API before clerk-js runs. */
export function setSession(request: FastifyRequest, reply: FastifyReply, token: string): void {
  reply.setCookie('__session', token, { ...attributes(request), maxAge: TOKEN_SECONDS });
}

export function forget(request: FastifyRequest, reply: FastifyReply, { secret }: { secret: boolean }): void {
  if (secret) reply.clearCookie(nameOf('__client', request), attributes(request));
  if (request.cookies.__session !== undefined) reply.clearCookie('__session', attributes(request));
  setState(request, reply, null);
}

/** The language of the pages in this browser, else the first it asks for. */
export const languageOfBrowser = ({ cookies, headers }: FastifyRequest): Language =>
  languageOf(readFacts(cookies[FACTS_COOKIE] ?? '')?.language.toString() ?? headers['accept-language']);

export const deviceIn = (request: FastifyRequest): Device => ({
  userAgent: request.headers['user-agent'] ?? null,
  ip: request.ip,
  known: knownMark(request),
  browser: browserId(knownMark(request)),
  language: languageOfBrowser(request),
});
