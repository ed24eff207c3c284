/** What happened during a chart: outages of the pool, price changes, switches between upstream pools, payouts. */
import type { ChartEvent } from '@pool/shared/api/contract';
import { DEFAULT_ALGORITHM, TIMEFRAMES } from '@pool/shared/domain';
import { priceChanges } from '../../../money/accounting/prices';
import { outagesBetween } from '../../../alerts/outage-log';
import { payoutsSent } from '../../../money/payouts/payments';
import { switchesSince } from '../../../mining/upstreams/switches';
import type { Handlers } from '../../auth/route';
import type { Deps } from '../../context/deps';

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
