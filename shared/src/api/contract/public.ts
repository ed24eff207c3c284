import { z } from 'zod';
import { remoteManifest } from '../../contract/remote-schema';
import { outage } from '../chart-schemas';
import * as s from '../schemas';
import { visitorCall } from './endpoint';

const networkDifficulty = z.object({
  difficulty: z.number(),
  /** Estimate of the next change, percent. */
  changePercent: z.number(),
  changeAt: s.isoTime,
  remainingBlocks: z.int(),
  /** When the operator's feed said so. */
  at: s.isoTime,
});
export type NetworkDifficulty = z.infer<typeof networkDifficulty>;

/** Calls without sign-in. */
export const publicCalls = {
  'GET /homePrice/': visitorCall({
    summary: 'Get the bitcoin price in US dollars',
    response: z.object({ price: z.number(), at: s.isoTime.nullable(), stale: z.boolean() }),
  }),
  'GET /getBtcPrice': visitorCall({
    summary: 'Get the bitcoin price in US dollars as a plain number',
    response: z.number(),
  }),
  'GET /getPoolStatistics': visitorCall({
    summary: 'Get the hashrate and the daily revenue of the pool',
    response: z.array(
      z.object({
        algo: s.algorithm,
        hashrate: z.number(),
        dailyRevenueBtc: z.number(),
        /** BTC per PH/s (SHA256) or TH/s (SCRYPT) per day. */
        priceBtc: z.number(),
        /** False: nobody has set a price, `priceBtc` is the default. */
        priceSet: z.boolean(),
        /** Pool fee in percent of the gross, for users without a fee of their own. */
        feePercent: z.number(),
        workersOnline: z.int(),
        minersOnline: z.int(),
        /** The network's difficulty, as a feed of the operator said in the last two hours; only of the algorithm it is about. */
        network: networkDifficulty.optional(),
      }),
    ),
  }),
  'GET /poolHashchart': visitorCall({
    summary: 'Get the hashrate of the pool over 30 days',
    query: z.strictObject({ algorithm: s.algorithm.optional() }),
    response: s.series,
  }),
  'GET /poolShares': visitorCall({
    summary: 'Get the shares that miners sent in the last minute: how many, and at most 150 of them',
    response: z.array(
      z.object({
        algorithm: s.algorithm,
        count: z.int(),
        shares: z.array(
          z.object({
            /** Unix seconds, with fractions. */
            at: z.number(),
            difficulty: z.number(),
          }),
        ),
      }),
    ),
  }),
  'GET /poolDay': visitorCall({
    summary: 'Get what the last closed UTC day paid for one unit of hashrate; algorithms without a price are left out',
    response: z.array(
      z.object({
        day: s.day,
        algorithm: s.algorithm,
        /** 1 PH/s (SHA256) or 1 TH/s (SCRYPT), in H/s. */
        meanHashrate: z.number(),
        priceBtc: z.number(),
        btcPriceUsd: z.number(),
        /** Pool fee in percent of the gross, for users without a fee of their own. */
        feePercent: z.number(),
        grossSat: s.sats,
        feeSat: s.sats,
        netSat: s.sats,
      }),
    ),
  }),
  'GET /poolIncidents': visitorCall({
    summary: 'List when the pool itself was out in the last 90 days, newest first',
    response: z.array(
      outage.extend({
        /** What could not be mined. */
        algorithms: z.array(s.algorithm),
      }),
    ),
  }),
  'GET /hashprice': visitorCall({
    summary: "Get the pool's price of each day of the last year, and the difficulty of the network",
    query: z.strictObject({ algorithm: s.algorithm.optional() }),
    response: z.object({
      /** The oldest first, without gaps; empty: nobody has set a price. */
      days: z.array(
        z.object({
          day: s.day,
          /** BTC per PH/s (SHA256) or TH/s (SCRYPT) per day. */
          priceBtc: z.number(),
          btcPriceUsd: z.number(),
        }),
      ),
      /** Bitcoin's difficulty; null: the operator has no feed, or it has not answered yet, or the algorithm is another. */
      network: networkDifficulty.nullable(),
    }),
  }),
  'GET /algorithms/': visitorCall({
    summary: 'List the algorithms of the pool',
    response: z.array(z.object({ name: s.algorithm })),
  }),
  'GET /poolConnection': visitorCall({
    summary: 'List the public Stratum addresses',
    response: z.array(s.connection.omit({ exampleUser: true, dedicated: true, passwordSet: true, upstream: true })),
  }),
  'POST /requestBonus': visitorCall({
    status: 202,
    summary:
      'Request the welcome bonus. Limited to once a day per e-mail address and per network address; the answer is the same when the limit is reached',
    query: z.strictObject({ email: z.email().max(254) }),
    response: z.object({ accepted: z.literal(true) }),
  }),
  'GET /remotes': visitorCall({
    summary: 'List the remotes that the caller may load',
    response: z.array(remoteManifest),
  }),
};
