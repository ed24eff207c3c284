import { ALGORITHMS, DEFAULT_BTC_PRICE_USD, DEFAULT_FEE_PERCENT, type AlgorithmName } from '@pool/shared';
import { useQuery } from '@pool/shared/query';
import { btcPriceQuery, poolStatisticsQuery } from '@pool/shared/remote';
import { publicApi } from '../api';
import type { Prices } from './inputs';

/**
 * Prices the pool pays today, and its fee. `of`: the day they are of; null: a default is among them, because the pool has set none or
 * did not answer (`failed`). Undefined while they load.
 */
export function usePrices(algorithm: AlgorithmName): (Prices & { of: string | null; failed: boolean }) | undefined {
  const price = useQuery(btcPriceQuery(publicApi));
  const pool = useQuery(poolStatisticsQuery(publicApi));
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
