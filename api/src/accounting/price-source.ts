/**
 * Reads today's prices from the operator's URL (PRICE_URL), which returns JSON:
 * `{"btcPriceUsd": 97240, "prices": {"SHA256_ASICBOOST": 0.00049, "SCRYPT": 0.0092}}`, in BTC per PH/s and per TH/s per
 * day. Rejects a price out of bounds or far from the last good one; the last good price stays and becomes stale.
 */
import type { Pool } from 'pg';
import { z } from 'zod';
import { ALGORITHM_NAMES, type AlgorithmName } from '@pool/shared/domain';
import { transaction } from '../db/transaction';
import type { Logger } from '../log';
import { dayOf } from '../days';
import { priceInBounds, pricesOf, setPrice } from './prices';

const READ_INTERVAL_MS = 600_000;
const TIMEOUT_MS = 5000;
const MAX_BYTES = 65_536;
/** Reject a price more than this many times above or below the last one. */
const MAX_FACTOR = 3;

const answer = z.object({ btcPriceUsd: z.number(), prices: z.partialRecord(z.enum(ALGORITHM_NAMES), z.number()) });
const near = (next: number, last: number): boolean => next <= last * MAX_FACTOR && next >= last / MAX_FACTOR;

/** What one of the operator's addresses answers; bounded. */
export async function textOf(url: string, timeoutMs = TIMEOUT_MS): Promise<string> {
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
  return Buffer.concat(parts).toString('utf8');
}

/**
 * Reads the source once. Returns the algorithms whose price was stored; throws without a valid response. `now`: Unix
 * seconds.
 */
export async function readPrices(pool: Pool, url: string, now: number): Promise<AlgorithmName[]> {
  const { btcPriceUsd, prices } = answer.parse(JSON.parse(await textOf(url)));
  return transaction(pool, async (client) => {
    const last = await pricesOf(client, dayOf(now));
    const taken: AlgorithmName[] = [];
    for (const algorithm of ALGORITHM_NAMES) {
      const given = { algorithm, priceBtc: prices[algorithm] ?? NaN, btcPriceUsd };
      const { source, priceBtc, btcPriceUsd: usd } = last[algorithm];
      if (
        !priceInBounds(given) ||
        (source !== 'default' && !(near(given.priceBtc, priceBtc) && near(btcPriceUsd, usd)))
      )
        continue;
      if (await setPrice(client, dayOf(now), given, 'source', now)) taken.push(algorithm);
    }
    return taken;
  });
}

/** Reads the source now and every ten minutes. */
export function startPriceSource({
  pool,
  url,
  log,
  now = () => Date.now() / 1000,
}: {
  pool: Pool;
  url: string;
  log: Logger;
  now?: () => number;
}): { stop(): Promise<void> } {
  let running: Promise<void> = Promise.resolve();
  const run = (): void => {
    running = readPrices(pool, url, now()).then(
      (taken) => {
        if (taken.length < ALGORITHM_NAMES.length)
          log.warn({ taken }, 'the price source returned prices that were rejected');
      },
      (error: unknown) => log.warn({ err: error }, 'the price source cannot be read; the last good prices stay'),
    );
  };
  run();
  const timer = setInterval(run, READ_INTERVAL_MS).unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
}
