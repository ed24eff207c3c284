/** Referrals: codes, activation, statistics, and the referrer's shares of the fee. */
import { randomInt } from 'node:crypto';
import type { Pool } from 'pg';
import type { z } from 'zod';
import type { Contract } from '@pool/shared/api/contract';
import { LIST_LIMITS, type AlgorithmName } from '@pool/shared/domain';
import { mainHashrate, userRates } from '../../accounts/mined-time/mined-time';
import { writeNotes } from '../../messages/notifications';
import { writeAudit } from '../../platform/audit';
import { lock, transaction } from '../../platform/db/transaction';
import { owedToReferrer } from '../ledger/ledger';
import {
  firstRow,
  hasRow,
  join,
  oneRow,
  pageOf,
  type Querier,
  raw,
  rowsOf,
  type Sql,
  sql,
  valueOf,
} from '../../platform/db/querier';

/** Satoshis from which on referral money is paid. */
export const REFERRAL_THRESHOLD_SAT = 10_000;

/** SQL of a setting of the operator on a day (`keepSetting`). `day`: SQL. `fallback`: no server has kept it yet. */
const settingOn = (name: 'referral_percent' | 'referral_months', day: Sql, fallback: number): Sql => sql`coalesce(
  (select value from term where name = ${name} and user_id = 0 and since <= ${day} order by since desc limit 1),
  ${raw(fallback)}
)`;
const termsSelect = (day: Sql): Sql =>
  sql`select ${settingOn('referral_percent', day, 10)} as rate, ${settingOn('referral_months', day, 12)}::int as months`;

/** Percent of the pool fee that a referrer gets, and for how many months after the activation. */
export type ReferralTerms = { ratePercent: number; months: number };

/** The operator's terms (`REFERRAL_PERCENT`, `REFERRAL_MONTHS`) on a day. */
export async function referralTerms(db: Querier, day: string): Promise<ReferralTerms> {
  const { rate, months } = await oneRow<{ rate: number; months: number }>(db)`${termsSelect(sql`${day}::date`)}`;
  return { ratePercent: rate, months };
}

// Without 0, O, 1, I and L: codes are read aloud and typed.
const CODE_LETTERS = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
const CODE_LENGTH = 10;
const newCode = (): string =>
  Array.from({ length: CODE_LENGTH }, () => CODE_LETTERS[randomInt(CODE_LETTERS.length)]).join('');

export const codeOf = async (db: Querier, userId: number): Promise<string | null> =>
  (await valueOf<string>(db)`select code from referral_code where user_id = ${userId}`) ?? null;

/** Returns the user's code; creates it first if the user has none. */
export async function makeCode(db: Querier, userId: number): Promise<string> {
  for (;;) {
    await db.query(sql`
      insert into referral_code (code, user_id) values (${newCode()}, ${userId}) on conflict do nothing`);
    const code = await codeOf(db, userId);
    if (code) return code;
  }
}

type ActivationError =
  | 'referral_unknown'
  | 'referral_own'
  | 'referral_already_active'
  | 'referral_loop'
  | 'referral_expired';

/** Binds a user to the owner of a code, permanently; refuses loops, also under concurrency. Null: done. */
export function activate(
  pool: Pool,
  userId: number,
  code: string,
  ip: string | null = null,
): Promise<ActivationError | null> {
  return transaction(pool, async (client) => {
    await lock(client, 'referral');
    const owner = await firstRow<{ id: number; disabled: boolean }>(client)`
      select u.id, u.disabled from referral_code c join app_user u on u.id = c.user_id
      where c.code = ${code.trim().toUpperCase()}`;
    if (!owner) return 'referral_unknown';
    if (owner.id === userId) return 'referral_own';
    if (owner.disabled) return 'referral_expired';
    if (await hasRow(client)`select from referral where user_id = ${userId}`) return 'referral_already_active';
    const isLoop = await hasRow(client)`
      with recursive above(id) as (
        select ${owner.id}::int
        union
        select r.referrer_id from referral r join above on r.user_id = above.id
      )
      select from above where id = ${userId}`;
    if (isLoop) return 'referral_loop';
    const { name, now } = await oneRow<{ name: string; now: number }>(client)`
      insert into referral (user_id, referrer_id) values (${userId}, ${owner.id})
      returning (select user_name from app_user where id = user_id) as name,
        extract(epoch from now())::float8 as now`;
    await writeAudit(client, { actorId: userId, ip }, 'referral.activate', null, { after: { referrerId: owner.id } });
    const note = { userId: owner.id, kind: 'referral_joined', values: { name: masked(name) } };
    await writeNotes(client, [note], now);
    return null;
  });
}

export type ReferralShare = { referrerId: number; ratePercent: number };
export type ReferralRow = ReferralShare & { day: string; userId: number };

/**
 * Selects the referrers with a share of the fees that users paid on days. One who deleted the account (with its primary
 * sub-account) gets none.
 */
export const referralSelect = (userIds: readonly number[], ...days: string[]): Sql => sql`
  select d.day, r.user_id, r.referrer_id, terms.rate as rate_percent
  from (values ${join(days.map((day) => sql`(${day}::date)`))}) as d(day)
  cross join lateral (${termsSelect(raw('d.day'))}) as terms
  cross join referral r
  join app_user u on u.id = r.referrer_id
  join sub_account s on s.user_id = u.id and s.name = u.user_name and s.deleted_at is null
  where r.user_id = any(${userIds}::int[])
    and activated_at < (d.day + 1)::timestamp at time zone 'UTC'
    and activated_at + make_interval(months => terms.months) > d.day::timestamp at time zone 'UTC'`;

/** The shares on `day` from the rows of `referralSelect`, by user id. */
export const referralFrom = (rows: readonly ReferralRow[], day: string): Map<number, ReferralShare> =>
  new Map(
    rows
      .filter((row) => row.day === day)
      .map(({ userId, referrerId, ratePercent }) => [userId, { referrerId, ratePercent }]),
  );

/** The referrers with a share of the fees that these users paid on `day`, by user id. */
export const referralShares = async (
  db: Querier,
  day: string,
  userIds: number[],
): Promise<Map<number, ReferralShare>> =>
  referralFrom(await rowsOf<ReferralRow>(db)`${referralSelect(userIds, day)}`, day);

/** A user name shortened so that friends recognise it, but nobody can search for it. */
const masked = (name: string): string => `${name.slice(0, 2)}***${name.length > 6 ? name.slice(-1) : ''}`;

/** Whether the user whom the referral `r` of `referrerId` names has a worker with a share in the last day. `now`: Unix seconds. */
const mines = (referrerId: number, now: number): Sql => sql`r.user_id in (
  select s.user_id from sub_account s
  join worker_live l on l.sub_account_id = s.id
  where s.user_id in (select user_id from referral where referrer_id = ${referrerId})
    and l.last_share_at > to_timestamp(${now - 86_400}::float8))`;

export async function referralStats(db: Querier, userId: number, now: number) {
  const people = await oneRow<{ referred: number; active: number }>(db)`
    select count(*) as referred, count(*) filter (where ${mines(userId, now)}) as active
    from referral r where r.referrer_id = ${userId}`;
  const money = await oneRow<{ accruedSat: number; paidSat: number }>(db)`
    select coalesce(sum(amount_sat) filter (where status <> 'reversed'), 0) as accrued_sat,
      coalesce(sum(amount_sat) filter (where status = 'paid'), 0) as paid_sat
    from referral_accrual
    where referrer_id = ${userId}`;
  return { ...people, ...money, availableSat: await owedToReferrer(db, userId) };
}

export async function referredUsers(db: Querier, userId: number, now: number) {
  const rows = await rowsOf<{
    name: string;
    joined: Date;
    active: boolean;
    rates: Partial<Record<AlgorithmName, number>> | null;
    earned: number;
  }>(db)`
    select u.user_name as name, r.activated_at as joined,
       (
         select json_object_agg(x.algorithm, x.rate) from (${userRates(sql`s.user_id = u.id`, now)}) x
       ) as rates,
       ${mines(userId, now)} as active,
       coalesce(
         (select sum(amount_sat) from referral_accrual c
          where c.user_id = u.id and c.referrer_id = ${userId} and c.status <> 'reversed'),
         0
       ) as earned
     from referral r
     join app_user u on u.id = r.user_id
     where r.referrer_id = ${userId}
     order by r.activated_at desc
     limit ${LIST_LIMITS.referred}`;
  return rows.map(({ name, joined, active, rates, earned }) => ({
    name: masked(name),
    joinedAt: joined.toISOString(),
    active,
    hashrate24h: mainHashrate(rates),
    earnedSat: earned,
  }));
}

type AccrualRow = z.input<Contract['GET /referral/accruals']['response']>['rows'][number];

/** A referrer's accruals, newest day first. */
export async function accrualsOf(db: Querier, referrerId: number, page: { limit: number; offset: number }) {
  const select = {
    columns: sql`a.day, u.user_name as name, a.algorithm, a.base_fee_sat, a.rate_percent, a.amount_sat, a.status`,
    from: sql`from referral_accrual a join app_user u on u.id = a.user_id where a.referrer_id = ${referrerId}`,
    order: 'a.day desc, a.sub_account_id, a.algorithm desc',
  };
  const { rows, total } = await pageOf<AccrualRow>(db, select, page);
  return { total, rows: rows.map((row) => ({ ...row, name: masked(row.name) })) };
}
