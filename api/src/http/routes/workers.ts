import { DEFAULT_ALGORITHM } from '@pool/shared/domain';
import { countStates, parseSort, sorted } from '../../pool/workers';
import { readableAccount } from '../access';
import { nextCursor, offsetOf } from '../cursor';
import type { Deps } from '../deps';
import { problems } from '../problem';
import type { SomeHandlers } from '../route';

type Calls = 'GET /liveWorkers/' | 'GET /getWorkerCount/';

export function workerRoutes(deps: Deps): SomeHandlers<Calls> {
  const { workers, now } = deps;
  return {
    'GET /liveWorkers/': async ({ me, query }) => {
      const order = parseSort(query.sort ?? 'state');
      if (!order) throw problems.invalid('There is no such order.', [{ path: 'sort', message: 'is not valid' }]);
      const offset = offsetOf(query.cursor);
      const account = await readableAccount(deps, me, query.userName);
      const all = await workers.list(account.id, query.algorithm ?? DEFAULT_ALGORITHM, now());
      const search = query.search?.toLowerCase();
      const found = all.filter((worker) =>
        (!query.state || worker.state === query.state) && (query.group === undefined || worker.group === query.group) && (!search || worker.name.toLowerCase().includes(search)));
      const page = sorted(found, order).slice(offset, offset + query.limit);
      return { workers: page, counts: countStates(all.map((worker) => worker.state)), total: found.length, nextCursor: nextCursor(offset, page.length, found.length) };
    },
    'GET /getWorkerCount/': async ({ me, query }) => {
      const account = await readableAccount(deps, me, query.subAccountName);
      return countStates((await workers.list(account.id, query.algorithm ?? DEFAULT_ALGORITHM, now())).map((worker) => worker.state));
    },
  };
}
