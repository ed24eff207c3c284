/** What happened to an account, as one list of all kinds, and as the lists that pages of 1.0.0 ask for. */
import { DEFAULT_ALGORITHM, LIST_LIMITS, TIMEFRAMES } from '@pool/shared/domain';
import { TIMELINE_ORDER } from '@pool/shared/timeline';
import { DAY_S } from '../../../money/accounting/pay-per-share';
import type { Handlers } from '../../auth/route';
import type { Deps } from '../../context/deps';
import { problems } from '../../../platform/refused';
import { dipsOfDay, newestFirst, type Point, timelineEntries } from './timeline-entries';

const MOST_MARKS = 500;

/** A cursor names the last entry of a page: `1795185120.payout-12`. */
function pointOf(cursor: string): Point {
  const [, at, id] = /^(\d{1,10})\.([\w-]{1,52})$/.exec(cursor) ?? [];
  if (at && id) return { at: Number(at), id };
  throw problems.invalid('The cursor is invalid.', [{ path: 'cursor', message: 'is not valid' }]);
}

export function timelineRoutes(deps: Deps) {
  const { now } = deps;
  return {
    'GET /timeline': async ({ me, query }) => {
      const { worker, kinds = TIMELINE_ORDER, since = now() - TIMEFRAMES.y1.span, limit, cursor, ...of } = query;
      const last = cursor === undefined ? undefined : pointOf(cursor);
      const span = { since, until: last ? last.at + 1 : Infinity, limit: limit + 1 };
      const wanted = worker === undefined ? kinds : (['worker'] as const);
      const found = await timelineEntries(deps, me, { ...of, ...span, worker, kinds: wanted });
      const rows = last ? found.filter((entry) => newestFirst(entry, last) > 0) : found;
      const end = rows.length > limit ? rows[limit - 1] : undefined;
      return { rows: rows.slice(0, limit), nextCursor: end ? `${end.at}.${end.id}` : null };
    },
    'GET /chartEvents': async ({ me, query: { historyTimeframe, userName, algorithm = DEFAULT_ALGORITHM } }) => {
      const span = { since: now() - TIMEFRAMES[historyTimeframe].span, until: Infinity, limit: MOST_MARKS };
      const kinds = ['outage', 'switch', 'price', 'payout'] as const;
      const entries = await timelineEntries(deps, me, { userName, algorithm, kinds, ...span });
      return entries
        .reverse()
        .map((entry) => (entry.kind === 'payout' ? { ...entry, amountSat: entry.sat ?? 0 } : entry));
    },
    'GET /dips': ({ me, query: { userName, algorithm = DEFAULT_ALGORITHM } }) =>
      dipsOfDay(deps, me, { userName, algorithm }),
    'GET /upstreamSwitches': async ({ me, query: { userName } }) => {
      const span = { since: now() - DAY_S, until: Infinity, limit: LIST_LIMITS.upstreamSwitches };
      const entries = await timelineEntries(deps, me, { userName, kinds: ['switch'], ...span });
      return entries.map(({ id, ...entry }) => ({ ...entry, id: Number(id.replace('switch-', '')) }));
    },
    'GET /workers/{id}/events': async ({ me, params: { id: worker } }) => {
      const span = { since: 0, until: Infinity, limit: LIST_LIMITS.workerEvents };
      const entries = await timelineEntries(deps, me, { worker, kinds: ['worker'], ...span });
      return entries.map(({ at, what, value }) => ({ at, kind: what, value }));
    },
  } satisfies Partial<Handlers>;
}
