/**
 * Sends notifications to users' webhooks: POST of JSON, signed as the Standard Webhooks specification says. The address
 * is checked at each try, as an upstream pool's is, and the checked one is connected to; redirects are not followed.
 */
import { createHmac } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import type { Pool } from 'pg';
import { announceNotes, writeNotes } from '../accounts/notifications';
import type { Bus } from '../bus';
import { transaction } from '../db/transaction';
import { refused } from '../outbox/outbox';
import type { Delivery, Outcome } from '../outbox/sender';
import { SecretUnreadable, type Secrets } from '../secrets';
import type { Outbound } from '../stratum';
import { canonicalHost, OutboundRefused } from '../stratum/upstream/outbound';
import { hookOwner, messageId } from './webhooks';

/** Of a whole try; less than the lease of a message (outbox/outbox.ts). */
const TIMEOUT_MS = 10_000;
/** Characters of an answer that are read and kept. */
const MAX_ANSWER = 2048;
const PACE = { targetGapS: 0, gapMs: 0, roundMs: 500, atOnce: true, strays: 3 };
const GONE = 410;

type Hook = { id: number; userId: number; url: string; secret: string };
type Answer = { status: number; body: string };
export type HookOptions = { pool: Pool; bus: Bus; secrets: Secrets; outbound: Outbound; timeoutMs?: number };

/** `secret`: `whsec_` and the key in base64. `at`: Unix seconds. */
export function signed(secret: string, id: string, at: number, body: string): Record<string, string> {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': String(at), 'webhook-signature': `v1,${signature}` };
}

/** Host and port to connect to. */
export function hookTarget(url: string): { host: string; port: number } {
  const { hostname, port, protocol } = new URL(url);
  return { host: canonicalHost(hostname), port: Number(port) || (protocol === 'https:' ? 443 : 80) };
}

async function post(
  url: string,
  body: string,
  headers: Record<string, string>,
  { outbound, signal }: { outbound: Outbound; signal: AbortSignal },
): Promise<Answer> {
  const { host, port } = hookTarget(url);
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
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'user-agent': 'pool-webhook/1',
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
function reasonOf(error: unknown): string {
  if (error instanceof OutboundRefused) return 'not_allowed';
  if (error instanceof SecretUnreadable) return 'secret_unreadable';
  const { code, name } = error as NodeJS.ErrnoException;
  return name === 'AbortError' || name === 'TimeoutError' ? 'timeout' : (code ?? 'no_answer').toLowerCase();
}

export function hookDelivery({
  pool,
  bus,
  secrets,
  outbound,
  timeoutMs = TIMEOUT_MS,
}: HookOptions): Delivery & { close(): void } {
  const closing = new AbortController();

  /** The address wants no more: the webhook is stopped, and its owner told. */
  async function stop({ id, userId, url }: Hook, now: number): Promise<void> {
    const note = { userId, kind: 'webhook_stopped', values: { host: new URL(url).host } };
    const written = await transaction(pool, async (client) => {
      await client.query('update webhook set stopped_at = to_timestamp($2::float8) where id = $1', [id, now]);
      await refused(client, 'webhook', String(id), String(GONE));
      return writeNotes(client, [note], now);
    });
    announceNotes(bus, written);
  }

  return {
    channel: 'webhook',
    pace: PACE,
    close: () => closing.abort(),
    async send({ id, target, content }): Promise<Outcome> {
      const {
        rows: [hook],
      } = await pool.query<Hook>('select id, user_id as "userId", url, secret from webhook where id = $1', [target]);
      if (!hook) return { failed: 'deleted' };
      const begun = Date.now();
      const keep = (answer: Answer | null): Promise<unknown> =>
        pool.query('update outbox set answer = $2 where id = $1', [
          id,
          answer && JSON.stringify({ ...answer, ms: Date.now() - begun }),
        ]);
      try {
        const at = Math.floor(begun / 1000);
        const headers = signed(secrets.open(hook.secret, hookOwner(hook.userId)), messageId(id), at, content);
        const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(timeoutMs)]);
        const answer = await post(hook.url, content, headers, { outbound, signal });
        await keep(answer);
        if (answer.status === GONE) {
          await stop(hook, at);
          return 'refused';
        }
        return answer.status >= 200 && answer.status < 300 ? 'sent' : { retry: String(answer.status) };
      } catch (error) {
        await keep(null);
        return { retry: reasonOf(error) };
      }
    },
  };
}
