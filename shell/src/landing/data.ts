/** The landing page's figures: public calls, made once, as early as possible; null is one that failed. */
import type { AlgorithmName, ApiClient } from '@pool/shared';
import { useEffect, useState } from 'react';
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
  history: once(async (algorithm: AlgorithmName) => ({
    algorithm,
    series: await api('GET /poolHashchart', { query: { algorithm } }),
  })),
});
export type LandingData = ReturnType<typeof loadLanding>;

/**
 * An answer; undefined until the first has come, then the last one until the next has.
 * React shows what waits for a promise by `use` no sooner than 300 ms after the page.
 */
export function useAnswer<T>(promise: Promise<T>): T | undefined {
  const [answer, setAnswer] = useState<T>();
  useEffect(() => {
    let isLast = true;
    void promise.then((given) => isLast && setAnswer(given));
    return () => {
      isLast = false;
    };
  }, [promise]);
  return answer;
}
