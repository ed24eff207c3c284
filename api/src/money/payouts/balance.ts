/** Earnings, balance and next payout of sub-accounts. Money in satoshis. */
import type { Pool } from 'pg';
import type { z } from 'zod';
import type { Absence, Contract, Earning } from '@pool/shared/api/contract';
import { ALGORITHM_NAMES, DEFAULT_ALGORITHM, isAlgorithm, type AlgorithmName } from '@pool/shared/domain';
import type { SubAccountRow } from '../../accounts/accounts';
import { CLOSED_THROUGH_SELECT } from '../accounting/earnings';
import { DAY_S, grossOf, meanHashrateOf, partsOf } from '../accounting/pay-per-share';
import { balanceFromRows, balanceSelects, type BalanceRows } from './payments';
import { addDays, dayOf, startOfDay } from '../../platform/days';
import { safe } from '../../platform/db/database';
import { sql, type Querier, type Sql } from '../../platform/db/querier';
import { sharedRead } from '../../platform/db/shared-read';
import { together, type Selects } from '../../platform/db/together';
import {
  absencesSelect,
  miningSelect,
  startsFrom,
  windowSeconds,
  windowStart,
  type MiningRow,
} from '../../accounts/mined-time/mined-time';
import { pricesFrom, pricesSelect, type PriceOnDay } from '../accounting/prices';
import { referralFrom, referralSelect, type ReferralRow } from '../referral/referral';
import { newcomerUse, termsFrom, termSelects, type TermRows } from '../accounting/terms';
import { payableAddress } from '../wallets/wallet-rules';

export type Account = Pick<
  SubAccountRow,
  'id' | 'name' | 'userId' | 'thresholdSat' | 'btcAddress' | 'addressHoldUntil' | 'payoutPaused'
> & { feePercent: number };
export type Summary = z.input<Contract['GET /payment/']['response']>;

/** Payouts are expected this long after midnight UTC, when the day before is closed. */
const PAYOUT_AFTER_S = 1800;
const LAST_DAYS = 14;
const PACE_DAYS = 7;
const WEEK_DAYS = 7;
/** Bounds of a threshold, in satoshis (money-schemas.ts). */
export const THRESHOLD = { leastSat: 10_000, mostSat: 10_000_000_000 };

const earnedOf = (these: Sql): Sql =>
  sql`from earning where sub_account_id ${these} and algorithm = any(${ALGORITHM_NAMES}::text[])`;
const startOf = (day: string): Sql => sql`(${day}::date::timestamp at time zone 'UTC')`;

/** What the days that are not closed are estimated from. `today`, `yesterday`, `hour`: accepted work. */
type OpenRows = {
  closed: { value: string };
  work: { id: number; algorithm: string; today: number; yesterday: number; hour: number };
  prices: PriceOnDay;
  shares: ReferralRow;
  mining: MiningRow;
  absences: Absence;
  /** Yesterday, once it is closed: that may be before an earlier day is. */
  earned: { day: string };
} & TermRows;

/** `these`: the ids of the accounts, as they stand after `sub_account_id`. */
function openDays(accounts: readonly Account[], these: Sql, now: number): Selects<OpenRows> {
  const users = [...new Set(accounts.map(({ userId }) => userId))];
  const today = dayOf(now);
  const yesterday = addDays(today, -1);
  return {
    closed: CLOSED_THROUGH_SELECT,
    work: sql`
      select sub_account_id as id, algorithm,
        coalesce(sum(accepted) filter (where at >= ${startOf(today)}), 0) as today,
        coalesce(sum(accepted) filter (where at < ${startOf(today)}), 0) as yesterday,
        coalesce(sum(accepted) filter (where at >= to_timestamp(${windowStart('h1', now)}::float8)), 0) as hour
      from account_10m
      where sub_account_id ${these} and at >= ${startOf(yesterday)} and at < ${startOf(today)} + interval '1 day'
      group by 1, 2
      order by 1, 2 desc`,
    prices: pricesSelect(today, yesterday),
    shares: referralSelect(users, today, yesterday),
    mining: miningSelect(these, now),
    absences: absencesSelect(now),
    earned: sql`select day ${earnedOf(these)} and day = ${yesterday}::date limit 1`,
    ...termSelects(users),
  };
}

/** Earnings of the days that are not closed, newest first: of today, and of yesterday until it is closed. */
export async function estimateOpenDays(db: Querier, accounts: readonly Account[], now: number): Promise<Earning[]> {
  const selects = openDays(accounts, sql`= any(${accounts.map(({ id }) => id)}::int[])`, now);
  return estimates(await together<OpenRows>(db, 'open-days', selects), accounts, now);
}

/** Earnings of the open days, if what is left of today has the hashrate of the last hour. */
function estimates(
  rows: { [K in keyof OpenRows]: OpenRows[K][] },
  accounts: readonly Account[],
  now: number,
): Earning[] {
  const today = dayOf(now);
  const yesterday = addDays(today, -1);
  const closed = [...rows.closed.map(({ value }) => value), ...rows.earned.map(({ day }) => day)];
  const estimate = (day: string, workOf: (row: OpenRows['work']) => number): Earning[] => {
    const prices = pricesFrom(rows.prices, day);
    const shares = referralFrom(rows.shares, day);
    const terms = termsFrom(rows, day, accounts[0]?.feePercent ?? 0);
    return rows.work.flatMap((row) => {
      const { id, algorithm } = row;
      const account = accounts.find((a) => a.id === id);
      const work = workOf(row);
      if (!account || !isAlgorithm(algorithm) || work === 0) return [];
      const rules = terms.get(account.userId) ?? { feePercent: account.feePercent, newcomer: null };
      const { use, priceBtc } = newcomerUse(rules.newcomer, algorithm, prices[algorithm].priceBtc);
      const meanHashrate = meanHashrateOf(algorithm, work, use?.adjustPercent);
      const parts = partsOf(
        grossOf(algorithm, meanHashrate, priceBtc),
        rules.feePercent,
        shares.get(account.userId)?.ratePercent ?? 0,
      );
      return [
        {
          day,
          account: account.name,
          algorithm,
          meanHashrate,
          priceBtc,
          btcPriceUsd: prices[algorithm].btcPriceUsd,
          ...parts,
          status: 'estimated' as const,
        },
      ];
    });
  };
  const minesSince = startsFrom(rows.mining);
  const rest = startOfDay(today) + DAY_S - now;
  return [
    ...estimate(
      today,
      (row) =>
        row.today +
        (row.hour / windowSeconds('h1', { since: minesSince(row.id, row.algorithm), absences: rows.absences }, now)) *
          rest,
    ),
    ...(closed.some((day) => day >= yesterday) ? [] : estimate(yesterday, (row) => row.yesterday)),
  ];
}

/** What an H/s of a whole day earns the accounts, satoshis, as today is estimated; undefined without work today. */
export async function satsPerHs(
  db: Querier,
  accounts: readonly Account[],
  algorithm: AlgorithmName,
  now: number,
): Promise<number | undefined> {
  const days = await estimateOpenDays(db, accounts, now);
  const today = days.filter((day) => day.algorithm === algorithm && day.day === dayOf(now));
  const sum = (of: 'netSat' | 'meanHashrate'): number => today.reduce((total, day) => total + day[of], 0);
  return sum('meanHashrate') > 0 ? sum('netSat') / sum('meanHashrate') : undefined;
}

type Pace = { unpaidSat: number; paceSat: number };
/** Infinite where nothing is earned. */
const daysTo = (thresholdSat: number, { unpaidSat, paceSat }: Pace): number =>
  thresholdSat <= unpaidSat ? 1 : Math.ceil((thresholdSat - unpaidSat) / paceSat);

/**
 * The largest round amount, or the least threshold, that the balance reaches in a week, where that is a week before
 * `days` are over; null: none.
 */
function soonerThan(days: number, pace: Pace): { thresholdSat: number; days: number } | null {
  const reachedSat = pace.unpaidSat + pace.paceSat * WEEK_DAYS;
  if (reachedSat < THRESHOLD.leastSat) return null;
  const power = 10 ** Math.floor(Math.log10(reachedSat));
  const roundSat = [5, 2, 1].map((digit) => digit * power).find((sats) => sats <= reachedSat) ?? 0;
  const thresholdSat = Math.max(THRESHOLD.leastSat, roundSat);
  const lowerDays = daysTo(thresholdSat, pace);
  return days - lowerDays >= WEEK_DAYS ? { thresholdSat, days: lowerDays } : null;
}

/**
 * When the balance will be paid, or the reason why not (the contract lists the reasons). `openDays`: finished days that
 * are not closed.
 */
function nextPayout(
  account: Account,
  { unpaidSat, open }: ReturnType<typeof balanceFromRows>,
  paceSat: number,
  openDays: number,
  now: number,
): Omit<Summary['nextPayout'], 'sooner'> & Partial<Summary['nextPayout']> {
  const { thresholdSat } = account;
  const payable = payableAddress(account, now);
  /** When that many more days are closed. */
  const payoutAfter = (days: number): string =>
    new Date((startOfDay(addDays(dayOf(now), days - openDays)) + PAYOUT_AFTER_S) * 1000).toISOString();
  if (open?.status === 'queued' || open?.status === 'unknown') return { at: null, reason: null };
  // A hold is said with any balance: an owner who did not change the address has to hear of it.
  if (payable.state === 'held') return { at: payable.until.toISOString(), reason: 'address_hold' };
  // An account without an address, or a paused one, is promised no date, whatever its balance.
  if (payable.state === 'none') return { at: null, reason: 'no_address' };
  if (account.payoutPaused) return { at: null, reason: 'paused' };
  if (open) return { at: null, reason: 'review' };
  if (unpaidSat >= thresholdSat) return { at: payoutAfter(1), reason: null };
  const pace = { unpaidSat, paceSat };
  const days = daysTo(thresholdSat, pace);
  const sooner = soonerThan(days, pace);
  return {
    at: days <= 365 ? payoutAfter(days) : null,
    reason: 'below_threshold',
    sooner: sooner && { thresholdSat: sooner.thresholdSat, at: payoutAfter(sooner.days) },
  };
}

type SummaryRows = OpenRows & BalanceRows & { earned: { net: number } };
const summarySelects = (accounts: readonly Account[], these: Sql, now: number): Selects<SummaryRows> => ({
  ...openDays(accounts, these, now),
  ...balanceSelects(these),
  earned: sql`
    select day, sum(net_sat) as net ${earnedOf(these)}
      and day >= ${addDays(dayOf(now), -LAST_DAYS)}::date and day < ${dayOf(now)}::date
    group by 1`,
});

/** Several accounts together have no next payout: each is paid by itself. */
export const summaryOf = (pool: Pool, accounts: readonly Account[], now: number): Promise<Summary> =>
  sharedRead(pool, `summary ${JSON.stringify(accounts)}`, () => readSummary(pool, accounts, now));

async function readSummary(pool: Pool, accounts: readonly Account[], now: number): Promise<Summary> {
  const today = dayOf(now);
  const [account, other] = accounts;
  const one = other === undefined ? account : undefined;
  // Most often it is one account: a plan for any number of them would expect ten times as many rows.
  const these = one ? sql`= ${one.id}` : sql`= any(${accounts.map(({ id }) => id)}::int[])`;
  const rows = await together<SummaryRows>(pool, one ? 'summary' : 'summaries', summarySelects(accounts, these, now));
  const balance = balanceFromRows(rows);
  const nets = new Map(rows.earned.map(({ day, net }) => [day, safe(net)]));
  const netOf = (day: string): number | undefined => nets.get(day);
  const open = estimates(rows, accounts, now);
  const estimateOf = (day: string): number =>
    open.filter((earning) => earning.day === day).reduce((sum, { netSat }) => sum + netSat, 0);
  const yesterday = addDays(today, -1);
  const yesterdayEstimated = estimateOf(yesterday) > 0;
  const yesterdaySat = netOf(yesterday) ?? estimateOf(yesterday);
  const todayEstimateSat = estimateOf(today);
  const priceOn = (day: string): number => pricesFrom(rows.prices, day)[DEFAULT_ALGORITHM].btcPriceUsd;
  const lastDaysSat = [
    ...Array.from({ length: LAST_DAYS - 1 }, (_, i) => netOf(addDays(today, i - LAST_DAYS)) ?? 0),
    yesterdaySat,
  ];
  const pace = lastDaysSat.slice(-PACE_DAYS).filter((sats) => sats > 0);
  const paceSat = pace.length ? pace.reduce((a, b) => a + b, 0) / pace.length : todayEstimateSat;
  return {
    unpaidSat: balance.unpaidSat,
    thresholdSat: accounts.reduce((sum, { thresholdSat }) => sum + thresholdSat, 0),
    nextPayout: {
      ...{ at: null, reason: 'below_threshold', sooner: null },
      ...(one && nextPayout(one, balance, paceSat, Number(yesterdayEstimated), now)),
    },
    yesterdaySat,
    yesterdayEstimated,
    yesterdayBtcPriceUsd: priceOn(yesterday),
    todayEstimateSat,
    todayBtcPriceUsd: priceOn(today),
    paceSat: Math.round(paceSat),
    paidTotalSat: balance.paidSat,
    payouts: balance.payouts,
    lastDaysSat,
    last: balance.last,
  };
}
