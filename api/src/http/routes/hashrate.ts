/** Charts and live hashrates. */
import { DEFAULT_ALGORITHM, isAlgorithm, type AlgorithmName } from '@pool/shared/domain';
import { history, live, windows, type Source } from '../../pool/charts';
import { ownAccountIds, readableAccount } from '../access';
import type { Deps } from '../deps';
import type { Principal } from '../principal';
import { problems } from '../problem';
import type { SomeHandlers } from '../route';

type Calls = 'GET /hashchart/' | 'GET /liveHashchart/' | 'GET /proxyHashchart/' | 'GET /proxyLiveHashchart/' | 'GET /getLiveHashrates/' | 'GET /workers/{id}/hashchart';

export function hashrateRoutes(deps: Deps): SomeHandlers<Calls> {
  const { database: { pool }, now } = deps;
  const whole = async (me: Principal, algorithm: AlgorithmName = DEFAULT_ALGORITHM): Promise<Source> => ({ of: 'accounts', ids: await ownAccountIds(deps, me), algorithm });
  const one = async (me: Principal, name: string | undefined, algorithm: AlgorithmName = DEFAULT_ALGORITHM): Promise<Source> =>
    ({ of: 'accounts', ids: [(await readableAccount(deps, me, name)).id], algorithm });

  /** A worker of the caller's own, or anybody's for an admin. */
  const worker = async (me: Principal, id: number): Promise<Source> => {
    const { rows: [row] } = await pool.query<{ algorithm: string }>(
      'select w.algorithm from worker w join sub_account s on s.id = w.sub_account_id where w.id = $1 and (s.user_id = $2 or $3)', [id, me.user.id, me.user.role === 'admin']);
    if (!row || !isAlgorithm(row.algorithm)) throw problems.notFound();
    return { of: 'worker', id, algorithm: row.algorithm };
  };

  return {
    'GET /hashchart/': async ({ me, query }) => history(pool, await whole(me, query.algorithm), query.historyTimeframe, now()),
    'GET /liveHashchart/': async ({ me, query }) => live(pool, await whole(me, query.algorithm), now()),
    'GET /proxyHashchart/': async ({ me, query }) => history(pool, await one(me, query.userName, query.algorithm), query.historyTimeframe, now()),
    'GET /proxyLiveHashchart/': async ({ me, query }) => live(pool, await one(me, query.userName, query.algorithm), now()),
    'GET /getLiveHashrates/': async ({ me, query }) => {
      const { quality, ...rates } = await windows(pool, await one(me, query.subAccountName, query.algorithm), now());
      return { ...rates, shares24h: quality.shares, at: Math.floor(now()) };
    },
    'GET /workers/{id}/hashchart': async ({ me, params, query }) => history(pool, await worker(me, params.id), query.historyTimeframe, now()),
  };
}
