/** Turns new notifications into messages for browsers: all that is new of a user in one, with the page of the first. */
import type { Pool } from 'pg';
import type { Language } from '@pool/shared/i18n/languages';
import { pathOf } from '../notification-path';
import { transaction } from '../../platform/db/transaction';
import { eventOf } from '../outbox/events';
import { enqueue } from '../outbox/outbox';
import { markDone, type Pending, pendingNotes, told } from '../outbox/pending';
import { plain } from '../outbox/texts';
import type { RemoteRegistry } from '../../remotes/registry';
import { rowsOf } from '../../platform/db/querier';

/** Characters; a message has at most 4 KB. */
const MAX_TEXT = 1000;

type Browser = { id: number; userId: number; language: Language; events: string[]; created: number };
/** Message as the service worker reads it. `tag`: one that comes twice takes the place of the first. */
type PushContent = { text: string; path: string; tag: string };

const wants = ({ userId, events, created }: Browser, row: Pending): boolean =>
  row.userId === userId && created < row.created && ['always', ...events].includes(eventOf(row.kind) ?? '');

/** Returns how many notifications it handled. `now`: Unix seconds. */
export function forwardPush(pool: Pool, remotes: Pick<RemoteRegistry, 'allFor'>, now: number): Promise<number> {
  return transaction(pool, async (client) => {
    const rows = await pendingNotes(client, 'pushed_at', now);
    if (rows.length === 0) return 0;
    const browsers = await rowsOf<Browser>(client)`
      select id, user_id, language, events, extract(epoch from created_at)::float8 as created
      from push_subscription where user_id = any(${[...new Set(rows.map((row) => row.userId))]}::int[]) order by id`;
    const manifests = browsers.length ? await remotes.allFor(null) : [];
    const fresh = rows.filter((row) => row.fresh && plain.knows(`notification.${row.kind}`));
    const messages = browsers.flatMap((browser) => {
      const wanted = fresh.filter((row) => wants(browser, row));
      const [first] = wanted;
      if (!first) return [];
      const words = told(plain.say, browser.language, wanted).map((each) => each.words);
      const tag = `note ${first.id}`;
      const content: PushContent = {
        tag,
        text: words.join('\n').slice(0, MAX_TEXT),
        path: pathOf({ kind: first.kind, values: first.values }, manifests) ?? '/',
      };
      return [{ channel: 'push' as const, target: String(browser.id), dedupe: tag, content: JSON.stringify(content) }];
    });
    await enqueue(client, messages, now);
    await markDone(client, 'pushed_at', rows, now);
    return rows.length;
  });
}
