import { z } from 'zod';
import * as s from '../schemas';
import { endpoint, ofAccount } from './endpoint';

/** Workers. */
export const workers = {
  'GET /liveWorkers/': endpoint({ who: 'watcher', summary: 'Workers of one sub-account',
    query: ofAccount.extend({
      state: s.workerStateName.optional(), group: z.string().max(64).optional(), search: z.string().max(64).optional(),
      sort: z.string().max(32).optional(),
      limit: z.coerce.number().int().min(1).max(10_000).default(10_000), cursor: z.string().max(64).optional(),
    }),
    response: z.object({ workers: z.array(s.worker), counts: s.workerCounts, total: z.int(), nextCursor: z.string().nullable() }) }),
  'GET /workers/{id}/hashchart': endpoint({ who: 'watcher', summary: 'Hashrate history of one worker',
    params: z.strictObject({ id: z.coerce.number().int() }), query: z.strictObject({ historyTimeframe: s.timeframe.default('d1') }), response: s.series }),
  'GET /getWorkerCount/': endpoint({ who: 'watcher', summary: 'Workers by state',
    query: z.strictObject({ subAccountName: s.accountName.optional(), algorithm: s.algorithm.optional() }), response: s.workerCounts }),
};
