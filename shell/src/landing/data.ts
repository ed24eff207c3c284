/** The landing page's figures: public calls, made once, as early as possible; null is one that failed. */
import type { AlgorithmName, ApiClient } from '@pool/shared';
import { publicApi } from '../public/api';

const orNull = <T>(promise: Promise<T>): Promise<T | null> => promise.catch(() => null);

export type LandingData = {
  statistics: Promise<Awaited<ReturnType<typeof statistics>> | null>;
  /** Null too when nobody has set a price. */
  price: Promise<number | null>;
  connection: Promise<Awaited<ReturnType<typeof connection>> | null>;
  /** What the last closed day paid; asked for when it is shown. */
  day(): Promise<Awaited<ReturnType<typeof day>> | null>;
  incidents(): Promise<Awaited<ReturnType<typeof incidents>> | null>;
  history(algorithm: AlgorithmName): Promise<Awaited<ReturnType<typeof history>> | null>;
};

const statistics = (api: ApiClient) => api('GET /getPoolStatistics');
const connection = (api: ApiClient) => api('GET /poolConnection');
const day = (api: ApiClient) => api('GET /poolDay');
const incidents = (api: ApiClient) => api('GET /poolIncidents');
const history = (api: ApiClient, algorithm: AlgorithmName) => api('GET /poolHashchart', { query: { algorithm } });

export function loadLanding(api: ApiClient = publicApi): LandingData {
  const histories = new Map<AlgorithmName, ReturnType<LandingData['history']>>();
  let asked: ReturnType<LandingData['day']> | undefined;
  let past: ReturnType<LandingData['incidents']> | undefined;
  return {
    statistics: orNull(statistics(api)),
    price: orNull(api('GET /homePrice/').then(({ price, at }) => (at === null ? null : price))),
    connection: orNull(connection(api)),
    day: () => (asked ??= orNull(day(api))),
    incidents: () => (past ??= orNull(incidents(api))),
    history(algorithm) {
      const known = histories.get(algorithm) ?? orNull(history(api, algorithm));
      histories.set(algorithm, known);
      return known;
    },
  };
}
