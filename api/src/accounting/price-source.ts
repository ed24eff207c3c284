/**
 * Today's prices from an address the operator names (PRICE_URL). It answers JSON:
 * `{"btcPriceUsd": 97240, "prices": {"SHA256_ASICBOOST": 0.00049, "SCRYPT": 0.0092}}`, BTC per PH/s and per TH/s per day.
 * What is out of bounds, or far from the last good one, is not taken: that one stays, and gets old.
 */
import type { Pool } from 'pg';
import { z } from 'zod';
import { ALGORITHM_NAMES, type AlgorithmName } from '@pool/shared/domain';
import { transaction } from '../db/transaction';
import type { Logger } from '../log';
import { dayOf } from '../days';
import { priceInBounds, pricesOf, setPrice } from './prices';

const EVERY_MS = 600_000;
const TIMEOUT_MS = 5000;
const MOST_BYTES = 65_536;
/** A price moves less than this many times between two readings. */
const JUMP = 3;

const answer = z.object({ btcPriceUsd: z.number(), prices: z.partialRecord(z.enum(ALGORITHM_NAMES), z.number()) });
const near = (next: number, last: number): boolean => next <= last * JUMP && next >= last / JUMP;

async function textOf(url: string): Promise<string> {
  const response = await fetch(url, {
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: { accept: 'application/json' },
    redirect: 'error',
  });
  if (!response.ok || !response.body) throw new Error(`the price source answered ${response.status}`);
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body) {
    parts.push(part);
    bytes += part.length;
    if (bytes > MOST_BYTES) throw new Error('the price source answered too much');
  }
  return Buffer.concat(parts).toString('utf8');
}

/** Reads the source once. Answers the algorithms whose price was taken; throws when there was nothing to be had. `now`: Unix seconds. */
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

/** Reads it now and every ten minutes. */
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
          log.warn({ taken }, 'the price source gave prices that were not taken');
      },
      (error: unknown) => log.warn({ err: error }, 'no prices from the price source; the last good ones stay'),
    );
  };
  run();
  const timer = setInterval(run, EVERY_MS).unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
}
