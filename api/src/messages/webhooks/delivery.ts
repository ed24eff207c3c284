/** Sends notifications to users' webhooks: POST of JSON, signed by the Standard Webhooks specification. */
import { createHmac } from 'node:crypto';
import type { Pool } from 'pg';
import { writeNotes } from '../notifications';
import { transaction } from '../../platform/db/transaction';
import { refused } from '../outbox/outbox';
import type { Delivery, Outcome } from '../outbox/sender';
import { outcomeOf, poster, reasonOf } from '../outbox/post';
import type { Secrets } from '../../platform/secrets';
import type { Outbound } from '../../stratum';
import { hookOwner, messageId } from './webhooks';
import { firstRow, sql } from '../../platform/db/querier';

const PACE = { targetGapS: 0, gapMs: 0, roundMs: 500, atOnce: true, strays: 3 };
const GONE = 410;

type Hook = { id: number; userId: number; url: string; secret: string };
export type HookOptions = { pool: Pool; secrets: Secrets; outbound: Outbound; timeoutMs?: number };

/** `secret`: `whsec_` and the key in base64. `at`: Unix seconds. */
function signed(secret: string, id: string, at: number, body: string): Record<string, string> {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': String(at),
    'webhook-signature': `v1,${signature}`,
    'content-type': 'application/json',
  };
}

export function hookDelivery({ pool, secrets, outbound, timeoutMs }: HookOptions): Delivery & { close(): void } {
  const posts = poster(outbound, timeoutMs);

  /** The address wants no more: the webhook is stopped, and its owner told. */
  const stop = ({ id, userId, url }: Hook, now: number): Promise<void> =>
    transaction(pool, async (client) => {
      await client.query(sql`update webhook set stopped_at = to_timestamp(${now}::float8) where id = ${id}`);
      await refused(client, 'webhook', String(id), String(GONE));
      await writeNotes(client, [{ userId, kind: 'webhook_stopped', values: { host: new URL(url).host } }], now);
    });

  return {
    channel: 'webhook',
    pace: PACE,
    close: posts.close,
    async send({ id, target, content }): Promise<Outcome> {
      const hook = await firstRow<Hook>(pool)`
        select id, user_id, url, secret from webhook where id = ${target}`;
      if (!hook) return { failed: 'deleted' };
      const paused = posts.paused(target);
      if (paused) return paused;
      const begun = Date.now();
      const keep = (answer: { status: number; body: string } | null): Promise<unknown> => {
        const kept = answer && JSON.stringify({ status: answer.status, body: answer.body, ms: Date.now() - begun });
        return pool.query(sql`update outbox set answer = ${kept} where id = ${id}`);
      };
      try {
        const at = Math.floor(begun / 1000);
        const headers = signed(secrets.open(hook.secret, hookOwner(hook.userId)), messageId(id), at, content);
        const answer = await posts.post(target, { url: hook.url, body: content, headers });
        await keep(answer);
        if (answer.status === GONE) {
          await stop(hook, at);
          return 'refused';
        }
        return outcomeOf(answer);
      } catch (error) {
        await keep(null);
        return { retry: reasonOf(error) };
      }
    },
  };
}
