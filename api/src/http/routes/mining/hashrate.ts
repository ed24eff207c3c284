import { DEFAULT_ALGORITHM, isAlgorithm, TIMEFRAMES, type AlgorithmName, type Timeframe } from '@pool/shared/domain';
import { COUNTED_S, history, live, mainAlgorithm, workerHistory } from '../../../mining/shares/charts/charts';
import { windows } from '../../../mining/shares/charts/windows';
import type { Source } from '../../../mining/shares/charts/source';
import { TtlCache } from '../../../platform/ttl-cache';
import { uptimeOf } from '../../../mining/workers/uptime';
import { groupId } from '../../../mining/workers/worker-groups';
import type { Deps } from '../../context/deps';
import { readableWorker } from '../../context/readable-accounts';
import { prepare, type Prepared } from '../../server/prepared';
import type { Principal } from '../../auth/principal';
import { problems } from '../../../platform/refused';
import type { Handlers } from '../../auth/route';

/** Chart steps in the past change only by late shares. */
const CHART_CACHE_MS = 5000;

export function hashrateRoutes(deps: Deps) {
  const { pool, accounts, now } = deps;
  const mains = new TtlCache<AlgorithmName>(60_000, 5000);
  /** Default algorithm: the one with most work in the last week. Legacy users cannot choose. */
  const whole = async (me: Principal, algorithm?: AlgorithmName): Promise<Source> => {
    const ids = await accounts.whole(me);
    return {
      of: 'accounts',
      ids,
      algorithm: algorithm ?? (await mains.get(ids.join(), () => mainAlgorithm(pool, ids, now()))),
    };
  };
  const named = async (
    me: Principal,
    name: string | undefined,
    algorithm: AlgorithmName = DEFAULT_ALGORITHM,
    group?: string,
  ): Promise<Source> => {
    const ids = await accounts.named(me, name);
    if (group === undefined) return { of: 'accounts', ids, algorithm };
    const [id, other] = ids;
    // A group is of one sub-account.
    if (id === undefined || other !== undefined || !me.ability.can('read', 'workers')) throw problems.notFound();
    return { of: 'group', id: await groupId(pool, id, group), account: id, algorithm };
  };

  const charts = new TtlCache<Prepared>(CHART_CACHE_MS, 2000);
  const chart = (source: Source, timeframe: Timeframe, daysBefore = 0): Promise<Prepared> => {
    const at = now() - daysBefore * 86_400;
    const key = `${JSON.stringify(source)} ${timeframe} ${Math.floor((at - COUNTED_S) / TIMEFRAMES[timeframe].step)}`;
    return charts.get(key, async () =>
      source.of === 'worker'
        ? prepare('GET /workers/{id}/hashchart', await workerHistory(pool, source, timeframe, at))
        : prepare('GET /hashchart/', await history(pool, source, timeframe, at)),
    );
  };

  const worker = async (me: Principal, id: number): Promise<Source & { of: 'worker' }> => {
    const { account, algorithm } = await readableWorker(pool, me, id);
    if (!isAlgorithm(algorithm)) throw problems.notFound();
    return { of: 'worker', id, account, algorithm };
  };

  return {
    'GET /hashchart/': async ({ me, query }) =>
      chart(await whole(me, query.algorithm), query.historyTimeframe, query.daysBefore),
    'GET /liveHashchart/': async ({ me, query }) => live(pool, await whole(me, query.algorithm), now()),
    'GET /proxyHashchart/': async ({ me, query }) =>
      chart(await named(me, query.userName, query.algorithm, query.group), query.historyTimeframe, query.daysBefore),
    'GET /proxyLiveHashchart/': async ({ me, query }) =>
      live(pool, await named(me, query.userName, query.algorithm, query.group), now()),
    'GET /getLiveHashrates/': async ({ me, query }) => {
      const { quality, ...rates } = await windows(pool, await named(me, query.subAccountName, query.algorithm), now());
      return { ...rates, shares24h: quality.shares, at: Math.floor(now()) };
    },
    'GET /workers/{id}/hashchart': async ({ me, params, query }) =>
      chart(await worker(me, params.id), query.historyTimeframe),
    'GET /workers/{id}/uptime': async ({ me, params }) => uptimeOf(pool, await worker(me, params.id), now()),
  } satisfies Partial<Handlers>;
}
