import { z } from 'zod';
import * as s from '../schemas';
import { reads, endpoint, ofAccount } from './endpoint';

/** Hashrates of accounts and sub-accounts. */
export const hashrate = {
  'GET /hashchart/': endpoint({
    who: 'watcher',
    requires: reads('dashboard'),
    scope: 'hashrate',
    summary: 'Hashrate history of the whole account',
    query: z.strictObject({ historyTimeframe: s.timeframe.default('d1'), algorithm: s.algorithm.optional() }),
    response: s.series,
  }),
  'GET /liveHashchart/': endpoint({
    who: 'watcher',
    requires: reads('dashboard'),
    scope: 'hashrate',
    summary: 'Live hashrate of the whole account',
    query: z.strictObject({ algorithm: s.algorithm.optional() }),
    response: s.live,
  }),
  'GET /proxyHashchart/': endpoint({
    who: 'watcher',
    requires: reads('dashboard'),
    scope: 'hashrate',
    summary: 'Hashrate history of one sub-account',
    query: ofAccount.extend({ historyTimeframe: s.timeframe.default('d1') }),
    response: s.series,
  }),
  'GET /proxyLiveHashchart/': endpoint({
    who: 'watcher',
    requires: reads('dashboard'),
    scope: 'hashrate',
    summary: 'Live hashrate of one sub-account',
    query: ofAccount,
    response: s.live,
  }),
  'GET /getLiveHashrates/': endpoint({
    who: 'watcher',
    requires: reads('dashboard'),
    scope: 'hashrate',
    summary: 'Hashrates of one sub-account now',
    query: z.strictObject({ algorithm: s.algorithm.optional(), subAccountName: s.accountName.optional() }),
    response: s.hashrates.extend({ shares24h: z.int(), at: s.unixSeconds }),
  }),
};
