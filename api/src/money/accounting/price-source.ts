/**
 * Reads today's prices from the operator's URL (PRICE_URL), which returns JSON:
 * `{"btcPriceUsd": 97240, "prices": {"SHA256_ASICBOOST": 0.00049, "SCRYPT": 0.0092}}`, in BTC per PH/s and per TH/s per
 * day. Each price stands for itself. Rejects a price out of bounds or far from the last good one; the last good price
 * stays and becomes stale.
 */
import type { Pool } from 'pg';
import { z } from 'zod';
import { ALGORITHM_NAMES, type AlgorithmName } from '@pool/shared/domain';
import { transaction } from '../../platform/db/transaction';
import { every } from '../../platform/every';
import type { Logger } from '../../platform/log';
import { dayOf } from '../../platform/days';
import { priceInBounds, pricesOf, setPrice } from './prices';
import { noteRead } from './unread';

const READ_INTERVAL_MS = 600_000;
const TIMEOUT_MS = 5000;
const MAX_BYTES = 65_536;
/** Reject a price more than this many times above or below the last one. */
const MAX_FACTOR = 3;

const answer = z.object({ btcPriceUsd: z.number().nullish(), prices: z.record(z.string(), z.unknown()) });
const numberOf = (value: unknown): number => (typeof value === 'number' ? value : NaN);
const near = (next: number, last: number): boolean => next <= last * MAX_FACTOR && next >= last / MAX_FACTOR;

/** What one of the operator's addresses answers, as JSON; bounded. */
export async function jsonOf(url: string, timeoutMs = TIMEOUT_MS): Promise<unknown> {
  const response = await fetch(url, {
    signal: AbortSignal.timeout(timeoutMs),
    headers: { accept: 'application/json' },
    redirect: 'error',
  });
  if (!response.ok || !response.body) throw new Error(`${new URL(url).host} returned status ${response.status}`);
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body) {
    parts.push(part);
    bytes += part.length;
    if (bytes > MAX_BYTES) throw new Error(`${new URL(url).host} returned more than ${MAX_BYTES} bytes`);
  }
  // Unlike that of a buffer, the text of a decoder has no byte order mark.
  return JSON.parse(new TextDecoder().decode(Buffer.concat(parts)));
}

type Read = { taken: AlgorithmName[]; bitcoin: boolean };

/**
 * Reads the source once. Returns the algorithms whose price was stored, and whether that of bitcoin was said; without
 * it the last one stays. Throws without a valid response. `now`: Unix seconds.
 */
export async function readPrices(pool: Pool, url: string, now: number): Promise<Read> {
  const { btcPriceUsd, prices } = answer.parse(await jsonOf(url));
  return transaction(pool, async (client) => {
    const last = await pricesOf(client, dayOf(now));
    const taken: AlgorithmName[] = [];
    for (const algorithm of ALGORITHM_NAMES) {
      const { source, priceBtc, btcPriceUsd: usd } = last[algorithm];
      const given = { algorithm, priceBtc: numberOf(prices[algorithm]), btcPriceUsd: btcPriceUsd ?? usd };
      if (
        !priceInBounds(given) ||
        (source !== 'default' && !(near(given.priceBtc, priceBtc) && near(given.btcPriceUsd, usd)))
      )
        continue;
      if (await setPrice(client, dayOf(now), given, 'source', now)) taken.push(algorithm);
    }
    return { taken, bitcoin: typeof btcPriceUsd === 'number' };
  });
}

/** `url`: the operator's. `now`: Unix seconds. */
export type FeedOptions = { pool: Pool; url: string; log: Logger; now: () => number };

/** Reads the source now and every ten minutes. */
export function startPriceSource({ pool, url, log, now }: FeedOptions): { stop(): Promise<void> } {
  const read = async (): Promise<void> => {
    const { taken, bitcoin } = await readPrices(pool, url, now()).catch((error: unknown): Read => {
      log.warn({ err: error }, 'the price source cannot be read; the last good prices stay');
      return { taken: [], bitcoin: false };
    });
    if (taken.length < ALGORITHM_NAMES.length) log.warn({ taken }, 'not all prices were taken from the price source');
    const found = Object.fromEntries(ALGORITHM_NAMES.map((name) => [name, taken.includes(name)]));
    await noteRead(pool, 'prices', { ...found, bitcoin }, now());
  };
  return every(READ_INTERVAL_MS, read, log, 'what the price source lacks is not recorded');
}
