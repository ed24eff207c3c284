/** What a user's sub-accounts do now, for the account page, and what keeps one from being deleted. */
import type { z } from 'zod';
import type { Contract } from '@pool/shared/api/contract';
import { hashrateOfWork, INACTIVE_AFTER_S, isAlgorithm, OFFLINE_AFTER_S } from '@pool/shared/domain';
import type { Querier } from '../db/querier';
import { absencesOf, divisor, miningStarts, sinceWhen } from '../shares/mined-time/mined-time';
import type { SubAccountRow } from './accounts';
import { isSilent } from '../workers/offline';

export type Obstacle = 'balance_not_zero' | 'workers_active';

/**
 * What keeps each of the sub-accounts from being deleted: a share in the last 24 h; a balance, an unfinished payment or
 * work that is not paid yet. Those that nothing keeps are left out. `now`: Unix seconds.
 */
export async function obstaclesOf(db: Querier, ids: readonly number[], now: number): Promise<Map<number, Obstacle>> {
  const { rows } = await db.query<{ id: number; owed: boolean; active: boolean }>(
    `select s.id,
       exists (select 1 from balance where party = 'account' and owner_id = s.id and owed_sat <> 0)
         or exists (select 1 from payment where sub_account_id = s.id and status not in ('confirmed', 'cancelled'))
         or exists (
           select 1
           from account_1h a
           where a.sub_account_id = s.id
             and a.accepted > 0
             and a.at >= to_timestamp($2::float8) - interval '60 days'
             and not exists (
               select 1
               from earning e
               where e.sub_account_id = s.id
                 and e.algorithm = a.algorithm
                 and e.day = (a.at at time zone 'UTC')::date
             )
         ) as owed,
       exists (
         select 1
         from worker w
         join worker_live l on l.sub_account_id = w.sub_account_id and l.worker_id = w.id
         where w.sub_account_id = s.id and l.last_share_at > to_timestamp($2::float8) - interval '24 hours'
       ) as active
     from unnest($1::int[]) as s(id)`,
    [ids, now],
  );
  return new Map(
    rows.flatMap(({ id, owed, active }): [number, Obstacle][] =>
      active ? [[id, 'workers_active']] : owed ? [[id, 'balance_not_zero']] : [],
    ),
  );
}

type Facts = z.input<Contract['GET /subAccounts/facts']['response']>[number];

/** Mean hashrates of the last hour, workers, balance and address of the sub-accounts, in their order. */
export async function factsOf(
  db: Querier,
  accounts: readonly SubAccountRow[],
  primary: string,
  now: number,
): Promise<Facts[]> {
  const ids = accounts.map(({ id }) => id);
  const since = Math.floor(now / 600) * 600 - 3000;
  const absences = await absencesOf(db, now);
  const startOf = await miningStarts(db, ids, now);
  const work = await db.query<{ id: number; algorithm: string; work: number }>(
    `select sub_account_id as id, algorithm, sum(accepted) as work
     from account_10m
     where sub_account_id = any($1::int[]) and at >= to_timestamp($2::float8)
     group by 1, 2`,
    [ids, since],
  );
  const workers = await db.query<{ id: number; online: number; offline: number }>(
    `select w.sub_account_id as id,
       count(*) filter (where not ${isSilent('$2::float8')}) as online,
       count(*) filter (where ${isSilent('$2::float8')}) as offline
     from worker w
     join worker_live l on l.sub_account_id = w.sub_account_id and l.worker_id = w.id
     where w.sub_account_id = any($1::int[]) and l.last_share_at > to_timestamp($3::float8)
     group by 1`,
    [ids, sinceWhen(OFFLINE_AFTER_S, now, absences), now - INACTIVE_AFTER_S],
  );
  const money = await db.query<{ id: number; unpaid: number }>(
    `select owner_id as id, owed_sat as unpaid from balance where party = 'account' and owner_id = any($1::int[])`,
    [ids],
  );
  const obstacles = await obstaclesOf(db, ids, now);
  return accounts.map(({ id, name, btcAddress, addressHoldUntil, minerPassword }) => {
    const live = workers.rows.find((row) => row.id === id);
    return {
      id,
      hashrates: Object.fromEntries(
        work.rows.flatMap(({ id: of, algorithm, work: done }) =>
          of === id && isAlgorithm(algorithm) && done > 0
            ? [[algorithm, hashrateOfWork(algorithm, done, divisor(since, startOf(id, algorithm), now, absences))]]
            : [],
        ),
      ),
      workersOnline: live?.online ?? 0,
      workersOffline: live?.offline ?? 0,
      unpaidSat: money.rows.find((row) => row.id === id)?.unpaid ?? 0,
      btcAddress,
      heldUntil: addressHoldUntil && addressHoldUntil.getTime() > now * 1000 ? addressHoldUntil.toISOString() : null,
      minerPasswordSet: minerPassword !== null,
      obstacle: name === primary ? 'primary_account' : (obstacles.get(id) ?? null),
    };
  });
}
