/** Prices per day. Without a known price the default of its algorithm is used, with the source `default`. */
import type { PoolClient } from 'pg';
import type { DayPrice } from '@pool/shared/api/contract';
import {
  ALGORITHM_NAMES,
  ALGORITHMS,
  DEFAULT_BTC_PRICE_USD,
  priceBounds,
  type AlgorithmName,
} from '@pool/shared/domain';
import { addDays, dayOf, startOfDay } from '../../platform/days';
import {
  firstRow,
  hasRow,
  isoTime,
  join,
  oneRow,
  type Querier,
  raw,
  rowsOf,
  type Sql,
  sql,
} from '../../platform/db/querier';
import { lock } from '../../platform/db/transaction';

export type Price = { priceBtc: number; btcPriceUsd: number; source: string; day: string | null; knownAt: Date | null };
export type Prices = Record<AlgorithmName, Price>;

/** An older price is shown as stale, and no day is closed at it without an admin's word. */
const FRESH_DAYS = 2;
/** The day a price was set for, or became known on when that is earlier; null: nobody has set it. */
export const setOn = ({ source, day, knownAt }: Price): string | null => {
  if (source === 'default' || day === null || knownAt === null) return null;
  const known = dayOf(knownAt.getTime() / 1000);
  return known < day ? known : day;
};
export const isFresh = (price: Price, day: string): boolean => (setOn(price) ?? '') >= addDays(day, -FRESH_DAYS);

/** `on`: the day it is asked for; `day` is the day it is of. */
export type PriceOnDay = Price & { on: string; algorithm: string };

/** Selects the prices for days. */
export const pricesSelect = (...days: string[]): Sql => sql`
  select d.day as "on", p.*
  from (values ${join(days.map((day) => sql`(${day}::date)`))}) as d(day)
  cross join unnest(${ALGORITHM_NAMES}::text[]) as a(name)
  cross join lateral (
    select algorithm, price_btc, btc_price_usd, source, day, known_at
    from day_price
    where algorithm = a.name and day <= d.day and (source <> 'default' or day = d.day)
    order by day desc
    limit 1
  ) p`;

/** The prices for `day` from the rows of `pricesSelect`: its own, else the last known before it, else the defaults. */
export function pricesFrom(rows: readonly PriceOnDay[], day: string): Prices {
  const priceOf = (algorithm: AlgorithmName): Price =>
    rows.find((row) => row.algorithm === algorithm && row.on === day) ?? {
      priceBtc: ALGORITHMS[algorithm].defaultPriceBtc,
      btcPriceUsd: DEFAULT_BTC_PRICE_USD,
      source: 'default',
      day: null,
      knownAt: null,
    };
  return Object.fromEntries(ALGORITHM_NAMES.map((algorithm) => [algorithm, priceOf(algorithm)])) as Prices;
}

export const pricesOf = async (db: Querier, day: string): Promise<Prices> =>
  pricesFrom(await rowsOf<PriceOnDay>(db)`${pricesSelect(day)}`, day);

export type BitcoinPrice = { price: number; at: string | null; stale: boolean };

/** The last known price of one bitcoin in US dollars. */
export async function bitcoinPrice(db: Querier, now: number): Promise<BitcoinPrice> {
  const today = dayOf(now);
  const { SHA256_ASICBOOST: price } = await pricesOf(db, today);
  return {
    price: price.btcPriceUsd,
    at: price.source === 'default' ? null : `${price.day}T00:00:00.000Z`,
    stale: !isFresh(price, today),
  };
}

const USD_BOUNDS = { least: 100, most: 10_000_000 };
export type GivenPrice = { algorithm: AlgorithmName; priceBtc: number; btcPriceUsd: number };
export const priceInBounds = ({ algorithm, priceBtc, btcPriceUsd }: GivenPrice): boolean =>
  priceBtc >= priceBounds(algorithm).least &&
  priceBtc <= priceBounds(algorithm).most &&
  btcPriceUsd >= USD_BOUNDS.least &&
  btcPriceUsd <= USD_BOUNDS.most;

const PRICE_COLUMNS = `day, algorithm, price_btc, btc_price_usd, source, ${isoTime('known_at')} as known_at`;

/** Stored prices since `day`, newest first. */
export async function pricesSince(db: Querier, day: string): Promise<DayPrice[]> {
  return rowsOf<DayPrice>(db)`
    select ${raw(PRICE_COLUMNS)} from day_price where day >= ${day}::date order by day desc, algorithm desc`;
}

/** A price that somebody has set, and the day from which on it counts. */
export type KnownPrice = { day: string; priceBtc: number; btcPriceUsd: number };

/** Prices from the one that counts on `since` to that of `until` (days), the oldest first. */
const knownPrices = (
  db: Querier,
  algorithm: AlgorithmName,
  { since, until }: { since: string; until: string },
): Promise<KnownPrice[]> =>
  rowsOf<KnownPrice>(db)`
    select day, price_btc, btc_price_usd from day_price
    where algorithm = ${algorithm} and source <> 'default' and day <= ${until}::date and day >= coalesce(
      (select max(day) from day_price where algorithm = ${algorithm} and source <> 'default' and day <= ${since}::date),
      ${since}::date)
    order by day`;

const HISTORY_DAYS = 365;

/** The price that counted on each day of the last year, the oldest first; empty: nobody has set one. `now`: Unix s. */
export async function priceHistory(db: Querier, algorithm: AlgorithmName, now: number): Promise<KnownPrice[]> {
  const today = dayOf(now);
  const first = addDays(today, 1 - HISTORY_DAYS);
  const rows = await knownPrices(db, algorithm, { since: first, until: today });
  const days: KnownPrice[] = [];
  for (const [at, row] of rows.entries()) {
    const until = rows[at + 1]?.day ?? addDays(today, 1);
    for (let day = row.day; day < until; day = addDays(day, 1)) if (day >= first) days.push({ ...row, day });
  }
  return days;
}

export type PriceChange = { at: number; priceBtc: number; before: number };

/** An algorithm's price changes by at least `part`, at days begun from `since` to `until` (Unix s), oldest first. */
export async function priceChanges(
  db: Querier,
  algorithm: AlgorithmName,
  { since, until, part }: { since: number; until: number; part: number },
): Promise<PriceChange[]> {
  const prices = await knownPrices(db, algorithm, { since: dayOf(since), until: dayOf(until) });
  const changes: PriceChange[] = [];
  // The first is the price that holds at `since`.
  let before = prices[0]?.priceBtc ?? 0;
  for (const { day, priceBtc } of prices) {
    if (priceBtc === before || Math.abs(priceBtc - before) < before * part) continue;
    changes.push({ at: startOfDay(day), priceBtc, before });
    before = priceBtc;
  }
  return changes;
}

/** Stores a day's price; null: the day is closed. The source never overwrites one set by hand. `now`: Unix s. */
export async function setPrice(
  client: PoolClient,
  day: string,
  { algorithm, priceBtc, btcPriceUsd }: GivenPrice,
  source: 'manual' | 'source',
  now: number,
): Promise<{ before: DayPrice | null; after: DayPrice } | null> {
  await lock(client, 'closing');
  const isClosed = await hasRow(client)`
    select from setting where name = 'accounting.closed_through' and value #>> '{}' >= ${day}
    union all
    select from earning where day = ${day}::date
    limit 1`;
  if (isClosed) return null;
  const before = await firstRow<DayPrice>(client)`
    select ${raw(PRICE_COLUMNS)} from day_price where day = ${day}::date and algorithm = ${algorithm}`;
  if (before?.source === 'manual' && source === 'source') return { before, after: before };
  const after = await oneRow<DayPrice>(client)`
    insert into day_price (day, algorithm, price_btc, btc_price_usd, source, known_at)
    values (${day}, ${algorithm}, ${priceBtc}, ${btcPriceUsd}, ${source}, to_timestamp(${now}::float8))
    on conflict (day, algorithm) do update set
      price_btc = excluded.price_btc,
      btc_price_usd = excluded.btc_price_usd,
      source = excluded.source,
      known_at = excluded.known_at
    returning ${raw(PRICE_COLUMNS)}`;
  return { before: before ?? null, after };
}
