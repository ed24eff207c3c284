import { z } from 'zod';
import * as s from '../schemas';
import { reads, endpoint, ofAccount } from './endpoint';

/** Hashrates of accounts and sub-accounts. */
export const hashrate = {
  'GET /hashchart/': endpoint({
    who: 'watcher',
    requires: reads('dashboard'),
    scope: 'hashrate',
    summary: 'Get the hashrate history of all sub-accounts together',
    query: z.strictObject({ historyTimeframe: s.timeframe.default('d1'), algorithm: s.algorithm.optional() }),
    response: s.series,
  }),
  'GET /liveHashchart/': endpoint({
    who: 'watcher',
    requires: reads('dashboard'),
    scope: 'hashrate',
    summary: 'Get the live hashrate of all sub-accounts together',
    query: z.strictObject({ algorithm: s.algorithm.optional() }),
    response: s.live,
  }),
  'GET /proxyHashchart/': endpoint({
    who: 'watcher',
    requires: reads('dashboard'),
    scope: 'hashrate',
    summary: 'Get the hashrate history of a sub-account',
    query: ofAccount.extend({ historyTimeframe: s.timeframe.default('d1') }),
    response: s.series,
  }),
  'GET /proxyLiveHashchart/': endpoint({
    who: 'watcher',
    requires: reads('dashboard'),
    scope: 'hashrate',
    summary: 'Get the live hashrate of a sub-account as a series',
    query: ofAccount,
    response: s.live,
  }),
  'GET /getLiveHashrates/': endpoint({
    who: 'watcher',
    requires: reads('dashboard'),
    scope: 'hashrate',
    summary: 'Get the current hashrates of a sub-account',
    query: z.strictObject({ algorithm: s.algorithm.optional(), subAccountName: s.accountName.optional() }),
    response: s.hashrates.extend({ shares24h: z.int(), at: s.unixSeconds }),
  }),
};
