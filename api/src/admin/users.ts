import type { Pool } from 'pg';
import type { AdminUser, UserSort } from '@pool/shared/api/contract';
import { ALGORITHM_NAMES, ALGORITHMS, OFFLINE_AFTER_S, type AlgorithmName } from '@pool/shared/domain';
import { containsPattern, oneValue, raw, rowsOf, sql } from '../platform/db/querier';
import { mainHashrate, userRates } from '../accounts/mined-time/mined-time';
import { isSilent } from '../platform/offline';
import type { AppUser } from '../accounts/accounts';

type Row = AppUser & {
  rates: Partial<Record<AlgorithmName, number>> | null;
  unpaid: number;
  online: number;
  disconnected: number;
  organization: AdminUser['organization'] | null;
};

export type UserFilter = { legacy?: boolean; search?: string; sort: UserSort; limit: number; offset: number };

/** SQL: H/s of a row's `rate`; null for an unknown algorithm. */
const HASHRATE = `rate * case algorithm ${ALGORITHM_NAMES.map(
  (name) => `when '${name}' then ${ALGORITHMS[name].hashesPerDifficulty}::float8`,
).join(' ')} end`;

const ORDER: Record<string, string> = {
  userName: 'user_name',
  hashrate24h: 'hashrate',
  unpaidSat: 'unpaid',
  workersOnline: 'online',
  createdAt: 'created_at',
  lastSeenAt: 'last_seen_at',
};

export async function listUsers(
  pool: Pool,
  { legacy, search, sort, limit, offset }: UserFilter,
  poolFeePercent: number,
  now: number,
): Promise<{ rows: AdminUser[]; total: number }> {
  const pattern = search ? containsPattern(search) : null;
  const where = sql`
    where (${legacy ?? null}::boolean is null or u.is_legacy_user = ${legacy ?? null})
      and (${pattern}::text is null or u.user_name ilike ${pattern} or u.email ilike ${pattern})`;
  const descending = sort.startsWith('-');
  const order = `${ORDER[sort.replace('-', '')]} ${descending ? 'desc nulls last' : 'asc nulls first'}, id`;
  const rows = await rowsOf<Row>(pool)`
     with days as (
       select user_id, json_object_agg(algorithm, rate) as rates, max(${raw(HASHRATE)}) as hashrate
       from (${userRates(raw('true'), now)}) users
       group by 1
     ), money as (
       select s.user_id, sum(b.owed_sat) as unpaid
       from balance b
       join sub_account s on b.party = 'account' and s.id = b.owner_id
       group by 1
     ), miners as (
       select s.user_id, count(*) as online,
         count(*) filter (where l.disconnected_at is not null) as disconnected
       from worker_live l
       join worker w on w.sub_account_id = l.sub_account_id and w.id = l.worker_id
       join sub_account s on s.id = w.sub_account_id
       where not ${raw(isSilent(String(now - OFFLINE_AFTER_S)))}
       group by 1
     )
     select u.*, d.rates,
       coalesce(d.hashrate, 0) as hashrate,
       coalesce(m.unpaid, 0) as unpaid,
       coalesce(o.online, 0) as online,
       coalesce(o.disconnected, 0) as disconnected,
       (
         select json_build_object('name', g.name, 'members', (
           select json_agg(json_build_object('userName', p.user_name, 'role', e.role) order by e.created_at, e.id)
           from organization_member e join app_user p on p.id = e.user_id
           where e.organization_id = g.id))
         from organization g where g.user_id = u.id
       ) as organization
     from app_user u
     left join days d on d.user_id = u.id
     left join money m on m.user_id = u.id
     left join miners o on o.user_id = u.id
     ${where}
     order by ${raw(order)}
     limit ${limit} offset ${offset}`;
  const total = await oneValue<number>(pool)`select count(*) from app_user u ${where}`;
  return {
    total,
    rows: rows.map(({ id, userName, email, role, isLegacyUser, disabled, ...row }) => ({
      ...{ id, userName, email, role, isLegacyUser, disabled },
      createdAt: row.createdAt.toISOString(),
      feePercent: row.feePercent ?? poolFeePercent,
      hashrate24h: mainHashrate(row.rates),
      unpaidSat: row.unpaid,
      workersOnline: row.online,
      ...(row.disconnected > 0 ? { workersDisconnected: row.disconnected } : {}),
      lastSeenAt: row.lastSeenAt?.toISOString() ?? null,
      ...(row.organization ? { organization: row.organization } : {}),
    })),
  };
}
