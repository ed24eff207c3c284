/**
 * POST to an address that a user named: it is checked at each try, as an upstream pool's is, and the checked one is
 * connected to. Redirects are not followed; of the answer the first part is read.
 */
import http from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import { SecretUnreadable } from '../secrets';
import type { Outbound } from '../stratum';
import { canonicalHost, OutboundRefused } from '../stratum/upstream/outbound';

/** Of a whole try; less than the lease of a message (outbox.ts). */
export const TIMEOUT_MS = 10_000;
/** Characters of an answer that are read and kept. */
const MAX_ANSWER = 2048;
export type Answer = { status: number; body: string };

/** Host and port to connect to. */
export function targetOf(url: string): { host: string; port: number } {
  const { hostname, port, protocol } = new URL(url);
  return { host: canonicalHost(hostname), port: Number(port) || (protocol === 'https:' ? 443 : 80) };
}

export async function post(
  url: string,
  body: string | Buffer,
  headers: Record<string, string>,
  { outbound, signal }: { outbound: Outbound; signal: AbortSignal },
): Promise<Answer> {
  const { host, port } = targetOf(url);
  const { address, family } = await outbound.resolve(host, port);
  const { protocol, pathname, search, host: hostHeader } = new URL(url);
  const client = protocol === 'https:' ? https : http;
  return new Promise((resolve, reject) => {
    const request = client.request({
      method: 'POST',
      // Never the name: it may have another address by now.
      host: address,
      family,
      port,
      path: pathname + search,
      servername: isIP(host) ? '' : host,
      agent: false,
      signal,
      headers: {
        ...headers,
        host: hostHeader,
        'content-length': Buffer.byteLength(body),
        'user-agent': 'pool/1',
      },
    });
    let status = 0;
    let text = '';
    /** Once the status has come, what does not end or breaks off is an answer all the same. */
    const end = (error?: Error): void => {
      if (error && status === 0) reject(error);
      else resolve({ status, body: text.slice(0, MAX_ANSWER).replaceAll('\0', '') });
      request.destroy();
    };
    request.on('error', end);
    request.on('response', (response) => {
      status = response.statusCode ?? 0;
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
