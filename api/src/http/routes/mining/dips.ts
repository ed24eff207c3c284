/** The times at which an account mined clearly less than usual: whose side it was, and what it cost. */
import { DEFAULT_ALGORITHM } from '@pool/shared/domain';
import { outagesBetween } from '../../../alerts/outage-log';
import { DAY_S } from '../../../money/accounting/pay-per-share';
import { satsPerHs } from '../../../money/payouts/balance';
import { history, windows } from '../../../mining/shares/charts';
import { absencesOf, dipsIn } from '../../../accounts/mined-time/mined-time';
import { switchesSince } from '../../../mining/upstreams/switches';
import type { Handlers } from '../../auth/route';
import { readableAccount } from '../../context/access';
import type { Deps } from '../../context/deps';

/** The list of an account was changed, or a better pool is back: no work is lost by that. */
const HARMLESS: readonly string[] = ['changed', 'returned', 'restored'];

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
