/** Sends messages to browsers' push services, encrypted for the browser (RFC 8291), as this pool (RFC 8292). */
import type { Pool } from 'pg';
import webPush from 'web-push';
import { writeNotes } from '../notifications';
import { transaction } from '../../platform/db/transaction';
import { refused } from '../outbox/outbox';
import { outcomeOf, poster, reasonOf } from '../outbox/post';
import type { Delivery, Outcome } from '../outbox/sender';
import type { RemoteRegistry } from '../../remotes/registry';
import type { Outbound } from '../../stratum';
import { forwardPush } from './forward';
import type { Vapid } from './vapid';
import { firstRow, valuesOf } from '../../platform/db/querier';

const PACE = { targetGapS: 0, gapMs: 0, roundMs: 500, atOnce: true, strays: 1 };
/** A push service keeps a message for a browser that is off for so long. */
const KEPT_S = 4 * 3600;
/** The subscription has ended. */
const ENDED = new Set([404, 410]);
/** The service does not let this pool push to the browser. After so many tries, a quarter of an hour, it is for ever. */
const FORBIDDEN = { statuses: new Set([401, 403]), tries: 10 };

type Browser = { endpoint: string; p256dh: string; auth: string };
/** `contact`: where push services find the operator: `mailto:` or `https:`. */
export type PushOptions = {
  pool: Pool;
  vapid: Vapid;
  contact: string;
  outbound: Outbound;
  remotes: Pick<RemoteRegistry, 'allFor'>;
};

export function pushDelivery({ pool, vapid, contact, outbound, remotes }: PushOptions): Delivery & { close(): void } {
  const posts = poster(outbound);

  /** The browser takes no more: it is forgotten, and its owner told. */
  const end = (id: string, status: number): Promise<void> =>
    transaction(pool, async (client) => {
      const ids = await valuesOf<number>(client)`delete from push_subscription where id = ${id} returning user_id`;
      await refused(client, 'push', id, String(status));
      const notes = ids.map((userId) => ({ userId, kind: 'push_ended', values: {} }));
      await writeNotes(client, notes, Date.now() / 1000);
    });

  return {
    channel: 'push',
    pace: PACE,
    close: posts.close,
    collect: (now) => forwardPush(pool, remotes, now),
    async send({ target, content, attempts }): Promise<Outcome> {
      const browser = await firstRow<Browser>(pool)`
        select endpoint, p256dh, auth from push_subscription where id = ${target}`;
      if (!browser) return { failed: 'ended' };
      const { endpoint, ...keys } = browser;
      // A limit is the push service's, not the browser's.
      const { host } = new URL(endpoint);
      const paused = posts.paused(host);
      if (paused) return paused;
      try {
        const { body, headers } = webPush.generateRequestDetails({ endpoint, keys }, content, {
          vapidDetails: { subject: contact, ...vapid },
          TTL: KEPT_S,
        });
        const request = { url: endpoint, body: body ?? '', headers: headers as Record<string, string> };
        const answer = await posts.post(host, request);
        const { status } = answer;
        if (ENDED.has(status) || (FORBIDDEN.statuses.has(status) && attempts >= FORBIDDEN.tries)) {
          await end(target, status);
          return 'refused';
        }
        return status === 413 || status === 400 ? { failed: String(status) } : outcomeOf(answer);
      } catch (error) {
        return { retry: reasonOf(error) };
      }
    },
  };
}
