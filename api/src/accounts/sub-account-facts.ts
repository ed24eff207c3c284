/** What a user's sub-accounts do now, for the account page. */
import type { z } from 'zod';
import type { Contract, WorkerCounts } from '@pool/shared/api/contract';
import { isAlgorithm } from '@pool/shared/domain';
import { type Querier, rowsOf } from '../platform/db/querier';
import { absencesOf, miningStarts, windowMean, windowStart } from './mined-time/mined-time';
import type { SubAccountRow } from './accounts';
import { obstaclesOf } from './obstacles';

type Facts = z.input<Contract['GET /subAccounts/facts']['response']>[number];

/** Mean hashrates of the last hour, workers of all algorithms (`countsOf`), balance and address, in their order. */
export async function factsOf(
  db: Querier,
  accounts: readonly SubAccountRow[],
  primary: string,
  now: number,
  countsOf: (id: number) => Promise<WorkerCounts>,
): Promise<Facts[]> {
  const ids = accounts.map(({ id }) => id);
  const absences = await absencesOf(db, now);
  const startOf = await miningStarts(db, ids, now);
  const work = await rowsOf<{ id: number; algorithm: string; work: number }>(db)`
    select sub_account_id as id, algorithm, sum(accepted + own_accepted) as work
    from account_10m
    where sub_account_id = any(${ids}::int[]) and at >= to_timestamp(${windowStart('h1', now)}::float8)
    group by 1, 2`;
  const counts = await Promise.all(ids.map(countsOf));
  const money = await rowsOf<{ id: number; unpaid: number }>(db)`
    select owner_id as id, owed_sat as unpaid from balance where party = 'account' and owner_id = any(${ids}::int[])`;
  const obstacles = await obstaclesOf(db, ids, now);
  return accounts.map(({ id, name, btcAddress, addressHoldUntil, minerPassword }, i) => {
    const { online = 0, low = 0, offline = 0, disconnected } = counts[i] ?? {};
    return {
      id,
      hashrates: Object.fromEntries(
        work.flatMap(({ id: of, algorithm, work: done }) =>
          of === id && isAlgorithm(algorithm) && done > 0
            ? [[algorithm, windowMean(algorithm, done, 'h1', { since: startOf(id, algorithm), absences }, now)]]
            : [],
        ),
      ),
      workersOnline: online,
      workersLow: low,
      ...(disconnected && { workersDisconnected: disconnected }),
      workersOffline: offline,
      unpaidSat: money.find((row) => row.id === id)?.unpaid ?? 0,
      btcAddress,
      heldUntil: addressHoldUntil && addressHoldUntil.getTime() > now * 1000 ? addressHoldUntil.toISOString() : null,
      minerPasswordSet: minerPassword !== null,
      obstacle: name === primary ? 'primary_account' : (obstacles.get(id) ?? null),
    };
  });
}
