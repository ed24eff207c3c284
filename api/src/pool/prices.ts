/** Prices of a day. Without a known one the defaults of specification 9 hold and are marked. */
import type { Pool, PoolClient } from 'pg';
import { ALGORITHM_NAMES, DEFAULT_BTC_PRICE_USD, DEFAULT_PRICE_BTC, type AlgorithmName } from '@pool/shared/domain';

export type Querier = Pick<Pool | PoolClient, 'query'>;
export type Price = { priceBtc: number; btcPriceUsd: number; source: string; day: string | null };
export type Prices = Record<AlgorithmName, Price>;

/** A known price older than this is still used, and called stale. */
const FRESH_DAYS = 2;

export const dayOf = (unixSeconds: number): string => new Date(unixSeconds * 1000).toISOString().slice(0, 10);
export const startOfDay = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 1000;
export const addDays = (day: string, days: number): string => dayOf(startOfDay(day) + days * 86_400);

/** Prices for `day`: its own, else the last known before it, else the defaults. */
export async function pricesOf(db: Querier, day: string): Promise<Prices> {
  const { rows } = await db.query<{ algorithm: string; price_btc: number; btc_price_usd: number; source: string; day: string }>(
    `select distinct on (algorithm) algorithm, price_btc, btc_price_usd, source, day from day_price
     where day <= $1::date and (source <> 'default' or day = $1::date) order by algorithm, day desc`, [day]);
  const priceOf = (algorithm: AlgorithmName): Price => {
    const row = rows.find((r) => r.algorithm === algorithm);
    return row ? { priceBtc: row.price_btc, btcPriceUsd: row.btc_price_usd, source: row.source, day: row.day }
      : { priceBtc: DEFAULT_PRICE_BTC[algorithm], btcPriceUsd: DEFAULT_BTC_PRICE_USD, source: 'default', day: null };
  };
  return Object.fromEntries(ALGORITHM_NAMES.map((algorithm) => [algorithm, priceOf(algorithm)])) as Prices;
}

export type BitcoinPrice = { price: number; at: string | null; stale: boolean };

/** What one bitcoin costs now in US dollars, as far as known. */
export async function bitcoinPrice(db: Querier, now: number): Promise<BitcoinPrice> {
  const today = dayOf(now);
  const { SHA256_ASICBOOST: price } = await pricesOf(db, today);
  const known = price.source !== 'default' && price.day !== null;
  return {
    price: price.btcPriceUsd,
    at: known ? `${price.day}T00:00:00.000Z` : null,
    stale: !known || startOfDay(price.day ?? today) < startOfDay(today) - FRESH_DAYS * 86_400,
  };
}
