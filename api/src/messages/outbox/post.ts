/** POST to a user's address, checked at each try and connected to as checked; no redirects, a bounded answer. */
import { request as httpRequest } from 'node:http';
import { isIP } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { SecretUnreadable } from '../../platform/secrets';
import type { Outbound } from '../../stratum';
import { dial } from '../../platform/dial';
import { canonicalHost, OutboundRefused } from '../../platform/outbound';
import type { Outcome } from './sender';

/** Milliseconds of a whole try; less than the lease of a message (outbox.ts). */
const TIMEOUT_MS = 10_000;
/** Characters of an answer that are read and kept. */
const MAX_ANSWER = 2048;
/** `retryAfterS`: seconds in which it wants no further message, where it says so. */
type Answer = { status: number; body: string; retryAfterS?: number };
/** Longer pauses are not kept: an address must not stop its own messages for ever. */
const MAX_PAUSE_S = 3600;

/** `Retry-After` of an answer that is one of too many or of a busy server: seconds, or a date. */
function pauseOf(status: number, header: string | undefined): { retryAfterS?: number } {
  if (header === undefined || (status !== 429 && status !== 503)) return {};
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return seconds > 0 ? { retryAfterS: Math.min(seconds, MAX_PAUSE_S) } : {};
}

type Request = { url: string; body: string | Buffer; headers: Record<string, string> };
/** Posts of a channel, until `close`. A receiver (`name`) that wants no message before a time gets none until then. */
export function poster(outbound: Outbound, timeoutMs = TIMEOUT_MS) {
  const closing = new AbortController();
  const until = new Map<string, number>();
  return {
    close: () => closing.abort(),
    /** The outcome of a message to a receiver that wants none now; null: the message is to be tried. */
    paused(name: string): Outcome | null {
      const ms = (until.get(name) ?? 0) - Date.now();
      if (ms > 0) return { retry: '429', afterS: ms / 1000 };
      until.delete(name);
      return null;
    },
    async post(name: string, { url, body, headers }: Request): Promise<Answer> {
      const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(timeoutMs)]);
      const answer = await post(url, body, headers, { outbound, signal });
      if (answer.retryAfterS) until.set(name, Date.now() + answer.retryAfterS * 1000);
      return answer;
    },
  };
}

/** The outcome of a message by the status of its answer. */
export const outcomeOf = ({ status, retryAfterS }: Answer): Outcome =>
  status >= 200 && status < 300 ? 'sent' : { retry: String(status), afterS: retryAfterS };

export function targetOf(url: string): { host: string; port: number } {
  const { hostname, port, protocol } = new URL(url);
  return { host: canonicalHost(hostname), port: Number(port) || (protocol === 'https:' ? 443 : 80) };
}

async function post(
  url: string,
  body: string | Buffer,
  headers: Record<string, string>,
  { outbound, signal }: { outbound: Outbound; signal: AbortSignal },
): Promise<Answer> {
  const { host, port } = targetOf(url);
  // Never by the name: it may have other addresses by now.
  const socket = await dial(await outbound.resolve(host, port), port, { signal });
  const { protocol, pathname, search, host: hostHeader } = new URL(url);
  return new Promise((resolve, reject) => {
    const request = httpRequest({
      method: 'POST',
      path: pathname + search,
      createConnection: () =>
        protocol === 'https:' ? connectTls({ socket, host, servername: isIP(host) ? '' : host }) : socket,
      signal,
      headers: { ...headers, host: hostHeader, 'content-length': Buffer.byteLength(body), 'user-agent': 'pool/1' },
    });
    let status = 0;
    let pause = {};
    let text = '';
    /** Once the status has come, what does not end or breaks off is an answer all the same. */
    const end = (error?: Error): void => {
      if (error && status === 0) reject(error);
      else resolve({ status, body: text.slice(0, MAX_ANSWER).replaceAll('\0', ''), ...pause });
      request.destroy();
    };
    request.on('error', end);
    request.on('response', (response) => {
      status = response.statusCode ?? 0;
      pause = pauseOf(status, response.headers['retry-after']);
      response.setEncoding('utf8');
      response.on('data', (part: string) => {
        text += part;
        if (text.length >= MAX_ANSWER) end();
      });
      response.on('end', () => end());
      response.on('error', end);
    });
    request.end(body);
  });
}

/** The reason of a failed try, as its owner is shown it: nothing that tells inward addresses apart. */
export function reasonOf(error: unknown): string {
  if (error instanceof OutboundRefused) return 'not_allowed';
  if (error instanceof SecretUnreadable) return 'secret_unreadable';
  const { code, name } = error as NodeJS.ErrnoException;
  return name === 'AbortError' || name === 'TimeoutError' ? 'timeout' : (code ?? 'no_answer').toLowerCase();
}
