/** What happened during a chart: outages of the pool, price changes, switches between upstream pools, payouts. */
import type { ChartEvent } from '@pool/shared/api/contract';
import { DEFAULT_ALGORITHM, TIMEFRAMES } from '@pool/shared/domain';
import { priceChanges } from '../../../money/accounting/prices';
import { outagesBetween } from '../../../alerts/outage-log';
import { payoutsSent } from '../../../money/payouts/payments';
import { switchesSince } from '../../../mining/upstreams/switches';
import type { Handlers } from '../../auth/route';
import type { Deps } from '../../context/deps';
import { DAY_S } from '../../../money/accounting/pay-per-share';
import { satsPerHs } from '../../../money/payouts/balance';
import { history, windows } from '../../../mining/shares/charts';
import { absencesOf, dipsIn } from '../../../accounts/mined-time/mined-time';
import { readableAccount } from '../../context/readable-accounts';

/** The list of an account was changed, or a better pool is back: no work is lost by that. */
const HARMLESS: readonly string[] = ['changed', 'returned', 'restored'];

/** Times at which an account mined clearly less than usual: whose side it was, and what it cost. */
export function dipRoutes(deps: Deps) {
  const { pool, accounts, now } = deps;
  return {
    'GET /dips': async ({ me, query: { userName, algorithm = DEFAULT_ALGORITHM } }) => {
      const id = await accounts.one(me, userName);
      const source = { of: 'accounts' as const, ids: [id], algorithm };
      const series = await history(pool, source, 'd1', now());
      const { quality } = await windows(pool, source, now());
      const dips = dipsIn(series, quality.shares, await absencesOf(pool, now()));
      if (dips.length === 0) return [];
      const outages = await outagesBetween(pool, algorithm, { since: series.from, until: now() });
      const switches = await switchesSince(pool, id, series.from, algorithm);
      const earns = me.ability.can('read', 'payments')
        ? await satsPerHs(pool, await readableAccount(deps, me, userName), algorithm, now())
        : undefined;
      return dips.reverse().map(({ at, until, missed }) => {
        const isPools = outages.some((outage) => outage.at < until && (outage.until ?? Infinity) > at);
        const isUpstreams = switches.some((one) => !HARMLESS.includes(one.why) && one.at >= at - 600 && one.at < until);
        return {
          at,
          until,
          side: isPools ? ('pool' as const) : isUpstreams ? ('upstream' as const) : ('miners' as const),
          ...(earns === undefined ? {} : { lostSat: Math.round((missed / DAY_S) * earns) }),
        };
      });
    },
  } satisfies Partial<Handlers>;
}

/** Least part that a price changes by to be in a chart of more than a week. */
const NOTABLE_CHANGE = 0.02;
const WEEK_S = 7 * 86_400;

export function chartEventRoutes({ pool, accounts, now }: Deps) {
  return {
    'GET /chartEvents': async ({ me, query }) => {
      const { userName, algorithm = DEFAULT_ALGORITHM, historyTimeframe } = query;
      const subAccountId = await accounts.one(me, userName);
      const { span } = TIMEFRAMES[historyTimeframe];
      const until = now();
      const time = { since: until - span, until };
      const part = span > WEEK_S ? NOTABLE_CHANGE : 0;
      const events: ChartEvent[] = [
        ...(await outagesBetween(pool, algorithm, time)).map((outage) => ({ kind: 'outage' as const, ...outage })),
        ...(await priceChanges(pool, algorithm, { ...time, part })).map((price) => ({
          kind: 'price' as const,
          ...price,
        })),
      ];
      if (me.ability.can('read', 'account'))
        for (const { at, from, to, why } of await switchesSince(pool, subAccountId, time.since, algorithm))
          events.push({ kind: 'switch', at, from, to, why });
      if (me.ability.can('read', 'payments'))
        for (const payout of await payoutsSent(pool, subAccountId, time)) events.push({ kind: 'payout', ...payout });
      return events.sort((a, b) => a.at - b.at);
    },
  } satisfies Partial<Handlers>;
}
