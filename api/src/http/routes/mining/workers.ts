import {
  ALL_ACCOUNTS,
  byTrouble,
  countWorkers,
  DEFAULT_ALGORITHM,
  INACTIVE_AFTER_S,
  searchedText,
  searchTest,
} from '@pool/shared/domain';
import { KEEP_HEADER } from '@pool/shared/page-start';
import { satsPerHs } from '../../../money/payouts/balance';
import { absencesOf } from '../../../accounts/mined-time/mined-time';
import type { Worker } from '@pool/shared/api/contract';
import { parseSort, sorted } from '../../../mining/workers/list-order';
import { cursorAt, nextCursor, offsetOf } from '../../server/cursor';
import { readableAccounts } from '../../context/readable-accounts';
import type { Deps } from '../../context/deps';
import { Prepared } from '../../server/prepared';
import { problems } from '../../../platform/refused';
import type { Handlers } from '../../auth/route';

export function workerRoutes(deps: Deps) {
  const { pool, workers, accounts, now } = deps;
  return {
    'GET /liveWorkers/': async ({ me, query, reply }) => {
      const order = parseSort(query.sort ?? 'state');
      if (!order) throw problems.invalid('There is no such order.', [{ path: 'sort', message: 'is not valid' }]);
      const offset = offsetOf(query.cursor);
      const { userName, algorithm = DEFAULT_ALGORITHM } = query;
      const all = await workers.all(await accounts.named(me, userName), algorithm, now());
      // A watcher link or an API key is given away: where machines stand is not told.
      const shown = { address: me.token === undefined, account: userName === ALL_ACCOUNTS };
      const textOf = ({ name, account, group, address, software, state }: Worker): string =>
        searchedText({
          name,
          group,
          software,
          state,
          account: shown.account ? account : undefined,
          address: shown.address ? address : null,
        });
      const matches = searchTest(query.search ?? '', now());
      const found = all.filter(
        (worker) =>
          (!query.state || worker.state === query.state) &&
          (query.group === undefined || worker.group === query.group) &&
          (!query.search || matches(textOf(worker), worker.lastShareAt)),
      );
      const isStart = query.worst !== undefined && query.worst < found.length && query.cursor === undefined;
      const worst = isStart && new Set(found.toSorted(byTrouble).slice(0, query.worst));
      const page = sorted(found, order)
        .filter((worker) => !worst || worst.has(worker))
        .slice(offset, offset + query.limit);
      const counts = countWorkers(all);
      // After the worst, the list begins again.
      const next = isStart ? cursorAt(0) : nextCursor(offset, page.length, found.length);
      // Only the whole list by name has versions: who has it, in one answer or several, keeps its order and finds every
      // worker in it.
      const isWhole = !isStart && found.length === all.length && order.field === 'name' && !order.descending;
      const version = isWhole ? workers.changes.version(all) : undefined;
      const changes = isWhole && query.since !== undefined ? workers.changes.since(all, query.since) : null;
      // Changes are useless without the list that they belong to.
      if (changes) reply.removeHeader(KEEP_HEADER);
      // Each row is serialised once per reading, not for every request: there may be ten thousand.
      const rows = (changes?.workers ?? page).map((worker) => workers.textOf(worker, shown)).join(',');
      const numbers = changes?.numbers;
      const away = (await absencesOf(pool, now())).filter(({ until }) => until > now() - INACTIVE_AFTER_S);
      const absences = away.length > 0 ? away : undefined;
      const earns = me.ability.can('read', 'payments')
        ? await satsPerHs(pool, await readableAccounts(deps, me, userName), algorithm, now())
        : undefined;
      const rest = JSON.stringify({
        counts,
        total: found.length,
        absences,
        nextCursor: changes ? null : next,
        satsPerHs: earns,
        version,
        numbers,
      });
      return new Prepared(`{"workers":[${rows}],${rest.slice(1)}`);
    },
    'GET /getWorkerCount/': async ({ me, query }) => {
      const ids = await accounts.named(me, query.subAccountName);
      const all = await workers.all(ids, query.algorithm ?? DEFAULT_ALGORITHM, now());
      const counted = query.group === undefined ? all : all.filter(({ group }) => group === query.group);
      return countWorkers(counted);
    },
  } satisfies Partial<Handlers>;
}
