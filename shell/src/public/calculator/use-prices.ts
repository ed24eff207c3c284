import {
  ALGORITHMS,
  createApiClient,
  DEFAULT_BTC_PRICE_USD,
  DEFAULT_FEE_PERCENT,
  type AlgorithmName,
} from '@pool/shared';
import { useQuery } from '@pool/shared/query';
import { useState } from 'react';
import type { Prices } from './inputs';

const REFRESH_MS = 60_000;

/**
 * Prices the pool pays today, and its fee. `of`: the day they are of; null: a default is among them, because the pool has set none or
 * did not answer (`failed`). Undefined while they load.
 */
export function usePrices(algorithm: AlgorithmName): (Prices & { of: string | null; failed: boolean }) | undefined {
  // These calls are public and need no token.
  const [api] = useState(() => createApiClient({ getToken: async () => null }));
  const price = useQuery({
    queryKey: ['prices', 'bitcoin'],
    queryFn: ({ signal }) => api('GET /homePrice/', { signal }),
    refetchInterval: REFRESH_MS,
  });
  const pool = useQuery({
    queryKey: ['poolStatistics'],
    queryFn: ({ signal }) => api('GET /getPoolStatistics', { signal }),
    refetchInterval: REFRESH_MS,
  });
  const row = pool.data?.find(({ algo }) => algo === algorithm);
  const failed = !price.data || !row;
  if (failed && (price.isPending || pool.isPending)) return undefined;
  return {
    btcPrice: price.data?.price ?? DEFAULT_BTC_PRICE_USD,
    hashprice: row?.priceBtc ?? ALGORITHMS[algorithm].defaultPriceBtc,
    feePercent: row?.feePercent ?? DEFAULT_FEE_PERCENT,
    of: row?.priceSet ? (price.data?.at ?? null) : null,
    failed,
  };
}
