/** The landing page's figures: public calls, made once, as early as possible; null is one that failed. */
import type { AlgorithmName, ApiClient } from '@pool/shared';
import { publicApi } from '../public/api';

const orNull = <T>(promise: Promise<T>): Promise<T | null> => promise.catch(() => null);

/** Asks when it is shown, and once for each key. */
function once<T, Key = void>(ask: (key: Key) => Promise<T>): (key: Key) => Promise<T | null> {
  const asked = new Map<Key, Promise<T | null>>();
  return (key) => {
    const answer = asked.get(key) ?? orNull(ask(key));
    asked.set(key, answer);
    return answer;
  };
}

export const loadLanding = (api: ApiClient = publicApi) => ({
  statistics: orNull(api('GET /getPoolStatistics')),
  /** Null too when nobody has set a price. */
  price: orNull(api('GET /homePrice/').then(({ price, at }) => (at === null ? null : price))),
  connection: orNull(api('GET /poolConnection')),
  /** Asked for again and again. */
  shares: () => orNull(api('GET /poolShares')),
  /** What the last closed day paid. */
  day: once(() => api('GET /poolDay')),
  incidents: once(() => api('GET /poolIncidents')),
  history: once((algorithm: AlgorithmName) => api('GET /poolHashchart', { query: { algorithm } })),
});
export type LandingData = ReturnType<typeof loadLanding>;
