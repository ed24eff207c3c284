/** What anybody may see. */
import { ALGORITHM_NAMES, DEFAULT_ALGORITHM, type AlgorithmName } from '@pool/shared/domain';
import { bitcoinPrice } from '../../pool/prices';
import { poolHistory, poolStatistics, remembered } from '../../pool/statistics';
import type { Deps } from '../deps';
import type { SomeHandlers } from '../route';
import { poolConnections } from '../stratum-address';

type Calls = 'GET /homePrice/' | 'GET /getBtcPrice' | 'GET /getPoolStatistics' | 'GET /poolHashchart' | 'GET /algorithms/' | 'GET /poolConnection' | 'GET /remotes';

export function publicRoutes(deps: Deps): SomeHandlers<Calls> {
  const { database: { pool }, now } = deps;
  const price = remembered(10_000, () => bitcoinPrice(pool, now()));
  const statistics = remembered(10_000, () => poolStatistics(pool, now()));
  const chart = remembered(60_000, (algorithm: AlgorithmName) => poolHistory(pool, algorithm, now()), (algorithm) => algorithm);
  return {
    'GET /homePrice/': () => price(),
    'GET /getBtcPrice': async () => (await price()).price,
    'GET /getPoolStatistics': () => statistics(),
    'GET /poolHashchart': ({ query }) => chart(query.algorithm ?? DEFAULT_ALGORITHM),
    'GET /algorithms/': () => ALGORITHM_NAMES.map((name) => ({ name })),
    'GET /poolConnection': ({ request }) => poolConnections(deps, request.hostname),
    // Anybody may ask; who is signed in gets more of them.
    'GET /remotes': async ({ request, reply }) => {
      reply.header('cache-control', 'private, no-cache');
      return deps.remotes.listFor(await deps.principals.find(request));
    },
  };
}
