/** Charts and live hashrates. */
import { DEFAULT_ALGORITHM, isAlgorithm, TIMEFRAMES, type AlgorithmName, type Timeframe } from '@pool/shared/domain';
import { history, live, windows, type Source } from '../../pool/charts';
import { Remembered } from '../../pool/remembered';
import type { Deps } from '../deps';
import { prepare, type Prepared } from '../prepared';
import type { Principal } from '../principal';
import { problems } from '../problem';
import type { SomeHandlers } from '../route';

type Calls = 'GET /hashchart/' | 'GET /liveHashchart/' | 'GET /proxyHashchart/' | 'GET /proxyLiveHashchart/' | 'GET /getLiveHashrates/' | 'GET /workers/{id}/hashchart';

/** The steps of a chart are over and change only by shares that came late. */
const KEPT_MS = 5000;

export function hashrateRoutes(deps: Deps): SomeHandlers<Calls> {
  const { database: { pool }, accounts, now } = deps;
  const whole = async (me: Principal, algorithm: AlgorithmName = DEFAULT_ALGORITHM): Promise<Source> => ({ of: 'accounts', ids: await accounts.whole(me), algorithm });
  const one = async (me: Principal, name: string | undefined, algorithm: AlgorithmName = DEFAULT_ALGORITHM): Promise<Source> =>
    ({ of: 'accounts', ids: [await accounts.one(me, name)], algorithm });

  const charts = new Remembered<Prepared>(KEPT_MS, 2000);
  const chart = (source: Source, timeframe: Timeframe): Promise<Prepared> => {
    const at = now();
    const key = `${JSON.stringify(source)} ${timeframe} ${Math.floor(at / TIMEFRAMES[timeframe].step)}`;
    return charts.get(key, async () => prepare('GET /hashchart/', await history(pool, source, timeframe, at)));
  };

  /** A worker of the caller's own, or anybody's for an admin. */
  const worker = async (me: Principal, id: number): Promise<Source> => {
    const { rows: [row] } = await pool.query<{ algorithm: string }>(
      'select w.algorithm from worker w join sub_account s on s.id = w.sub_account_id where w.id = $1 and (s.user_id = $2 or $3)', [id, me.user.id, me.user.role === 'admin']);
    if (!row || !isAlgorithm(row.algorithm)) throw problems.notFound();
    return { of: 'worker', id, algorithm: row.algorithm };
  };

  return {
    'GET /hashchart/': async ({ me, query }) => chart(await whole(me, query.algorithm), query.historyTimeframe),
    'GET /liveHashchart/': async ({ me, query }) => live(pool, await whole(me, query.algorithm), now()),
    'GET /proxyHashchart/': async ({ me, query }) => chart(await one(me, query.userName, query.algorithm), query.historyTimeframe),
    'GET /proxyLiveHashchart/': async ({ me, query }) => live(pool, await one(me, query.userName, query.algorithm), now()),
    'GET /getLiveHashrates/': async ({ me, query }) => {
      const { quality, ...rates } = await windows(pool, await one(me, query.subAccountName, query.algorithm), now());
      return { ...rates, shares24h: quality.shares, at: Math.floor(now()) };
    },
    'GET /workers/{id}/hashchart': async ({ me, params, query }) => chart(await worker(me, params.id), query.historyTimeframe),
  };
}
