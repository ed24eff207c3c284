import { z } from 'zod';
import { chartEvent, dip } from '../chart-schemas';
import * as s from '../schemas';
import { TIMELINE_ORDER } from '../../contract/timeline';
import { timelineEntry } from '../timeline-schemas';
import { anyWatcherCall, reads, ofAccounts, watcherCall } from './endpoint';

/** Name of a worker group: only the work of the workers that are in it now. Only for who may read workers. */
const ofGroup = { group: s.label.optional() };
/** `daysBefore`: the same timeframe, ended so many days earlier. */
const inTime = { historyTimeframe: s.timeframe.default('d1'), daysBefore: s.whole(1, 7).optional() };

/** Hashrates of accounts and sub-accounts. */
export const hashrate = {
  'GET /hashchart/': watcherCall(reads('dashboard'), 'hashrate', {
    summary: 'Get the hashrate history of all sub-accounts together',
    query: z.strictObject({ ...inTime, algorithm: s.algorithm.optional() }),
    response: s.series,
  }),
  'GET /liveHashchart/': watcherCall(reads('dashboard'), 'hashrate', {
    summary: 'Get the live hashrate of all sub-accounts together',
    query: z.strictObject({ algorithm: s.algorithm.optional() }),
    response: s.live,
  }),
  'GET /proxyHashchart/': watcherCall(reads('dashboard'), 'hashrate', {
    summary: 'Get the hashrate history of a sub-account, or of all together',
    query: ofAccounts.extend({ ...inTime, ...ofGroup }),
    response: s.series,
  }),
  'GET /proxyLiveHashchart/': watcherCall(reads('dashboard'), 'hashrate', {
    summary: 'Get the live hashrate of a sub-account, or of all together, as a series',
    query: ofAccounts.extend(ofGroup),
    response: s.live,
  }),
  'GET /timeline': anyWatcherCall({
    names: 'workers',
    summary:
      'List what happened to a sub-account, or to all, newest first, as far as the caller may read it: outages, workers that went ' +
      'off, dips, switches of upstream pools, prices, payouts, changes of the payout address and of members',
    query: ofAccounts.extend({
      kinds: z.array(z.enum(TIMELINE_ORDER)).optional(),
      /** Only the events of this worker. */
      worker: s.whole(1, 2_147_483_647).optional(),
      /** Unix seconds; left out: a year ago. */
      since: s.whole(0, 4_102_444_800).optional(),
      limit: s.whole(1, 500).default(10),
      cursor: z.string().max(64).optional(),
    }),
    response: z.object({ rows: z.array(timelineEntry), nextCursor: z.string().nullable() }),
  }),
  'GET /chartEvents': watcherCall(reads('dashboard'), 'hashrate', {
    summary:
      'List what happened during a chart, oldest first: outages of the pool and price changes, and, for who may read ' +
      'them, switches between upstream pools and payouts',
    query: ofAccounts.extend({ historyTimeframe: s.timeframe.default('d1') }),
    response: z.array(chartEvent),
  }),
  'GET /dips': watcherCall(reads('dashboard'), 'hashrate', {
    summary:
      'List the times of the last 24 h at which a sub-account mined clearly less than usual, newest first: on whose ' +
      'side the cause was, and, for who may read payments, about what it cost',
    query: ofAccounts,
    response: z.array(dip),
  }),
  'GET /getLiveHashrates/': watcherCall(reads('dashboard'), 'hashrate', {
    summary: 'Get the current hashrates of a sub-account, or of all together',
    query: z.strictObject({ algorithm: s.algorithm.optional(), subAccountName: s.accountOrAll.optional() }),
    response: s.hashrates.extend({ shares24h: z.int(), at: s.unixSeconds }),
  }),
};
