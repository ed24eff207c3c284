import type { Pool } from 'pg';
import type { ListedSubAccount, SubAccountSort } from '@pool/shared/api/contract';
import { OFFLINE_AFTER_S } from '@pool/shared/domain';
import { containsPattern, pageOf, prefixPattern, raw, rowsOf, sql, isoTime } from '../platform/db/querier';
import { idsOf } from './admin-edit';
import { isSilent } from '../platform/offline';

export type SubAccountFilter = {
  search?: string;
  ids?: string;
  sort: SubAccountSort;
  limit: number;
  offset: number;
};
type Row = Omit<ListedSubAccount, 'workersOnline'>;

const ORDER: Record<string, string> = { name: 's.name', owner: 'u.user_name', unpaidSat: 'coalesce(b.owed_sat, 0)' };

export async function listSubAccounts(
  pool: Pool,
  { search, ids, sort, limit, offset }: SubAccountFilter,
  now: number,
): Promise<{ rows: ListedSubAccount[]; total: number }> {
  const text = search?.toLowerCase();
  const only = idsOf(ids);
  const part = text ? containsPattern(text) : null;
  const from = sql`
    from sub_account s
    join app_user u on u.id = s.user_id
    left join balance b on b.party = 'account' and b.owner_id = s.id
    where s.deleted_at is null
      and (${only}::int[] is null or s.id = any(${only}))
      and (${part}::text is null or s.name like ${part} or u.user_name like ${text ? prefixPattern(text) : null}
        or s.btc_address = ${search ?? null})`;
  const columns = sql`s.id, s.name, u.user_name as owner, u.is_legacy_user, s.ports, s.proxy_port, s.btc_address,
    s.threshold_sat, s.version, s.payout_paused as paused, coalesce(b.owed_sat, 0) as unpaid_sat,
    case when s.address_hold_until > to_timestamp(${now}::float8)
      then ${raw(isoTime('s.address_hold_until'))} end as held_until`;
  const order = `${ORDER[sort.replace('-', '')]} ${sort.startsWith('-') ? 'desc' : 'asc'}, s.id`;
  const { rows, total } = await pageOf<Row>(pool, { columns, from, order }, { limit, offset });
  // Only of the page's rows: counting the workers of all accounts would take longer than all the rest.
  const online = await rowsOf<{ id: number; running: number; disconnected: number }>(
    pool,
    `select w.sub_account_id as id, count(*) as running,
       count(*) filter (where l.disconnected_at is not null) as disconnected
     from worker w
     join worker_live l on l.sub_account_id = w.sub_account_id and l.worker_id = w.id
     where w.sub_account_id = any($1::int[]) and not ${isSilent('$2::float8')}
     group by 1`,
    [rows.map(({ id }) => id), now - OFFLINE_AFTER_S],
  );
  const workers = new Map(online.map((row) => [row.id, row]));
  return {
    total,
    rows: rows.map((row) => ({
      ...row,
      workersOnline: workers.get(row.id)?.running ?? 0,
      ...(workers.get(row.id)?.disconnected ? { workersDisconnected: workers.get(row.id)?.disconnected } : {}),
    })),
  };
}
