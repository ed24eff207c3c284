/** What is charted, and the SQL of it. */
import type { Absence } from '@pool/shared/api/contract';
import type { AlgorithmName } from '@pool/shared/domain';
import { absencesSelect, sinceSelect, type MiningRow } from '../../../accounts/mined-time/mined-time';
import { raw, sql, type Sql } from '../../../platform/db/querier';
import type { Selects } from '../../../platform/db/together';

export type Source =
  | { of: 'accounts'; ids: number[]; algorithm: AlgorithmName }
  | { of: 'worker'; id: number; account: number; algorithm: AlgorithmName }
  | { of: 'group'; id: number; account: number; algorithm: AlgorithmName }
  | { of: 'pool'; algorithm: AlgorithmName };

/**
 * SQL of a source: `name` of the prepared statement; `workers` filters `w`; `all` filters the workers `w` whose first
 * share the means count from; `these` stands after `sub_account_id` of any table of workers.
 */
export type Scope = { name: string; rows(table: string): Sql; workers: Sql; all: Sql; these: Sql };

export function scopeOf(source: Source): Scope {
  const { of, algorithm } = source;
  if (of === 'pool') {
    const rows = (table: string): Sql => sql`${raw(`account_${table}`)} where algorithm = ${algorithm}`;
    // No account has this id. A condition without a column is refused on a Citus.
    const none = sql`w.sub_account_id = 0`;
    return { name: of, rows, workers: none, all: none, these: sql`= 0` };
  }
  if (of === 'worker') {
    const { id, account } = source;
    const rows = (table: string): Sql =>
      sql`${raw(`share_${table}`)} where sub_account_id = ${account} and worker_id = ${id}`;
    const workers = sql`w.sub_account_id = ${account} and w.id = ${id}`;
    return { name: of, rows, workers, all: workers, these: sql`= ${account}` };
  }
  if (of === 'group') {
    const all = sql`w.sub_account_id = ${source.account} and w.algorithm = ${algorithm}`;
    const workers = sql`${all} and w.group_id = ${source.id}`;
    // An array, so that the index by worker is used.
    const rows = (table: string): Sql => sql`${raw(`share_${table}`)}
      where sub_account_id = ${source.account} and worker_id = any(array(select w.id from worker w where ${workers}))`;
    return { name: of, rows, workers, all, these: sql`= ${source.account}` };
  }
  // Most often it is one account: a plan for any number of them would expect ten times as many rows.
  const isOne = source.ids.length === 1;
  const these = isOne ? sql`= ${source.ids[0]}::int` : sql`= any(${source.ids}::int[])`;
  const workers = sql`w.algorithm = ${algorithm} and w.sub_account_id ${these}`;
  return {
    name: isOne ? 'account' : of,
    // An account's charts include its work at users' own upstream pools; the pool's charts do not.
    rows: (table) => sql`(
      select sub_account_id, algorithm, at,
        accepted + own_accepted as accepted, stale, rejected, shares + own_shares as shares
      from ${raw(`account_${table}`)}
    ) a
    where algorithm = ${algorithm} and sub_account_id ${these}`,
    workers,
    all: workers,
    these,
  };
}

/** What means leave out: the time before the mining began, and the server's absences. */
export type MinedRows = { mining: Pick<MiningRow, 'since'>; absences: Absence };
export const minedSelects = (scope: Scope, now: number): Selects<MinedRows> => ({
  mining: sinceSelect(scope.these, scope.all, now),
  absences: absencesSelect(now),
});
