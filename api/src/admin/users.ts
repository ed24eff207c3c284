import type { Pool } from 'pg';
import type { AdminUser, UserSort } from '@pool/shared/api/contract';
import { ALGORITHM_NAMES, ALGORITHMS, OFFLINE_AFTER_S, type AlgorithmName } from '@pool/shared/domain';
import { containsPattern, firstRow, rowsOf } from '../platform/db/querier';
import { mainHashrate } from '../money/referral/referral';
import { isSilent } from '../platform/offline';
import type { AppUser } from '../accounts/accounts';

type Row = AppUser & {
  work: Partial<Record<AlgorithmName, number>> | null;
  unpaid: number;
  online: number;
  organization: AdminUser['organization'] | null;
};

export type UserFilter = { legacy?: boolean; search?: string; sort: UserSort; limit: number; offset: number };

/** SQL: hashes per difficulty of a row's algorithm; null for an unknown algorithm. */
const HASHES_PER_DIFFICULTY = `case algorithm ${ALGORITHM_NAMES.map(
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
  const where = `
    where ($1::boolean is null or u.is_legacy_user = $1)
      and ($2::text is null or u.user_name ilike $2 or u.email ilike $2)`;
  const values = [legacy ?? null, search ? containsPattern(search) : null];
  const descending = sort.startsWith('-');
  const order = `${ORDER[sort.replace('-', '')]} ${descending ? 'desc nulls last' : 'asc nulls first'}, id`;
  const rows = await rowsOf<Row>(
    pool,
    `with work as (
       select s.user_id, a.algorithm, sum(a.accepted) as work
       from account_1h a
       join sub_account s on s.id = a.sub_account_id
       where a.at >= to_timestamp($3::float8)
       group by 1, 2
     ), days as (
       select user_id, json_object_agg(algorithm, work) as work, max(work * (${HASHES_PER_DIFFICULTY})) as hashrate
       from work
       group by 1
     ), money as (
       select s.user_id, sum(b.owed_sat) as unpaid
       from balance b
       join sub_account s on b.party = 'account' and s.id = b.owner_id
       group by 1
     ), miners as (
       select s.user_id, count(*) as online
       from worker_live l
       join worker w on w.sub_account_id = l.sub_account_id and w.id = l.worker_id
       join sub_account s on s.id = w.sub_account_id
       where not ${isSilent('$4::float8')}
       group by 1
     )
     select u.*, d.work,
       coalesce(d.hashrate, 0) as hashrate,
       coalesce(m.unpaid, 0) as unpaid,
       coalesce(o.online, 0) as online,
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
     order by ${order}
     limit $5 offset $6`,
    [...values, now - 86_400, now - OFFLINE_AFTER_S, limit, offset],
  );
  const count = await firstRow<{ total: number }>(pool, `select count(*) as total from app_user u ${where}`, values);
  return {
    total: count?.total ?? 0,
    rows: rows.map(({ id, userName, email, role, isLegacyUser, disabled, ...row }) => ({
      ...{ id, userName, email, role, isLegacyUser, disabled },
      createdAt: row.createdAt.toISOString(),
      feePercent: row.feePercent ?? poolFeePercent,
      hashrate24h: mainHashrate(row.work ?? {}),
      unpaidSat: row.unpaid,
      workersOnline: row.online,
      lastSeenAt: row.lastSeenAt?.toISOString() ?? null,
      ...(row.organization ? { organization: row.organization } : {}),
    })),
  };
}
