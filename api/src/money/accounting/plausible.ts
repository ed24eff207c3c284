/**
 * The check before a day is closed: whether its figures are plausible. Work counts only with a proof, so these findings
 * mean a fault of the pool, an attack that nobody thought of, or a new farm; an admin tells them apart
 * (docs/adr/0019-closing-check.md).
 */
import { createHash } from 'node:crypto';
import type { DayFinding } from '@pool/shared/api/contract';
import { ALGORITHM_NAMES, MAX_EARNING_SAT, type AlgorithmName } from '@pool/shared/domain';
import { addDays } from '../../platform/days';
import { oneValue, type Querier, rowsOf, valueOf, valuesOf } from '../../platform/db/querier';
import type { DayWork } from './day-work';
import { grossOf, meanHashrateOf } from './pay-per-share';
import { isFresh, pricesOf, setOn, type Prices } from './prices';
import { upstreamDays } from './upstream-days';

/** Days that a day is compared with; only earnings as booked count: a corrected day is no example. */
const HISTORY_DAYS = 14;
/** An account is asked about above `times` its best day, when its day is worth more than both bounds. */
const ACCOUNT = { times: 20, leastSat: 1_000_000, partOfPool: 0.01 };
const POOL = { times: 3, leastSat: 5_000_000 };
/** Credited above `times` what the upstream counted, and above so many standard deviations, when that is worth more. */
const UPSTREAM = { times: 1.02, deviations: 4, leastSat: 10_000 };

type Best = { algorithm: AlgorithmName; work: number };

/** The best of the days before, by algorithm: of one account, or of all together. */
async function poolBest(db: Querier, day: string): Promise<Map<AlgorithmName, number>> {
  const rows = await rowsOf<Best>(db)`select algorithm, max(work) as work
    from (
      select algorithm, sum(work) as work from earning
      where day >= ${addDays(day, -HISTORY_DAYS)}::date and day < ${day}::date and status = 'final'
      group by day, algorithm
    ) days
    group by 1`;
  return new Map(rows.map(({ algorithm, work }) => [algorithm, work]));
}

const accountBest = (db: Querier, day: string, { subAccountId, algorithm }: DayWork): Promise<number | null> =>
  oneValue<number | null>(db)`
    select max(work) from earning
    where sub_account_id = ${subAccountId} and algorithm = ${algorithm}
      and day >= ${addDays(day, -HISTORY_DAYS)}::date and day < ${day}::date and status = 'final'`;

const nameOf = async (db: Querier, { subAccountId }: DayWork): Promise<string> =>
  (await valueOf<string>(db)`select name from sub_account where id = ${subAccountId}`) ?? String(subAccountId);

/** Gross of work at the day's price; bounded, because an answer has no larger integers. */
const worth = (prices: Prices, algorithm: AlgorithmName, work: number): number =>
  Math.min(Number.MAX_SAFE_INTEGER, grossOf(algorithm, meanHashrateOf(algorithm, work), prices[algorithm].priceBtc));

type Seen = Pick<DayFinding, 'kind' | 'algorithm' | 'name' | 'usual' | 'asCounted' | 'grossSat'> & { work: number };
/** A finding with mean hashrates in place of work. */
const findingOf = ({ work, usual, ...rest }: Seen): DayFinding => ({
  ...rest,
  hashrate: meanHashrateOf(rest.algorithm, work),
  usual: usual === null ? null : meanHashrateOf(rest.algorithm, usual),
  payable: rest.kind !== 'account' || rest.grossSat <= MAX_EARNING_SAT,
});

/**
 * What keeps a day from being closed without an admin's word; empty when nothing would be booked. `work`: of the day,
 * with what is booked. `needsPrices`: a price that is not set, or old, is a finding.
 */
export async function findingsOf(
  db: Querier,
  day: string,
  work: readonly DayWork[],
  needsPrices: boolean,
): Promise<DayFinding[]> {
  const booked = await valuesOf<string>(db)`
    select sub_account_id || ' ' || algorithm from earning where day = ${day}::date`;
  const isBooked = new Set(booked);
  const fresh = work.filter((row) => !isBooked.has(`${row.subAccountId} ${row.algorithm}`));
  if (fresh.length === 0) return [];
  const prices = await pricesOf(db, day);
  const best = await poolBest(db, day);
  const seen: Seen[] = [];

  for (const row of fresh) {
    const { algorithm } = row;
    const grossSat = worth(prices, algorithm, row.work);
    const ofPool = ACCOUNT.partOfPool * worth(prices, algorithm, best.get(algorithm) ?? 0);
    if (grossSat <= Math.max(ACCOUNT.leastSat, ofPool)) continue;
    const usual = await accountBest(db, day, row);
    if (row.work <= (usual ?? 0) * ACCOUNT.times) continue;
    seen.push({ kind: 'account', algorithm, name: await nameOf(db, row), work: row.work, usual, grossSat });
  }
  for (const algorithm of ALGORITHM_NAMES) {
    const sum = work.filter((row) => row.algorithm === algorithm).reduce((total, row) => total + row.work, 0);
    const grossSat = worth(prices, algorithm, sum);
    const usual = best.get(algorithm) ?? null;
    const price = prices[algorithm];
    if (needsPrices && !isFresh(price, day) && fresh.some((row) => row.algorithm === algorithm))
      seen.push({ kind: 'price', algorithm, name: setOn(price), work: sum, usual: null, grossSat });
    if (grossSat > POOL.leastSat && sum > (usual ?? 0) * POOL.times)
      seen.push({ kind: 'pool', algorithm, name: null, work: sum, usual, grossSat });
  }
  for (const { algorithm, upstream: name, accepted, acceptedShares, credited, counted } of await upstreamDays(
    db,
    day,
    day,
  )) {
    const usual = counted ?? accepted;
    const grossSat = worth(prices, algorithm, credited - usual);
    // The upstream counts few and hard shares, of work that is credited in many and easy ones.
    const chance = UPSTREAM.deviations / Math.sqrt(Math.max(1, acceptedShares));
    if (credited > usual * (UPSTREAM.times + chance) && grossSat > UPSTREAM.leastSat)
      seen.push({ kind: 'upstream', algorithm, name, work: credited, usual, asCounted: counted !== null, grossSat });
  }
  return seen.map(findingOf);
}

/** Names findings, so that a decision is about those that were seen. */
export const tagOf = (day: string, findings: readonly DayFinding[]): string =>
  createHash('sha256')
    .update(JSON.stringify([day, findings]))
    .digest('base64url')
    .slice(0, 22);

const PERCENT = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
const HASHRATE = new Intl.NumberFormat('en', { notation: 'scientific', maximumFractionDigits: 2 });

/** Text for the log and the command line. */
export function describeFinding({
  kind,
  algorithm,
  name,
  hashrate,
  usual,
  asCounted,
  grossSat,
  payable,
}: DayFinding): string {
  const sat = `${grossSat} satoshis`;
  if (kind === 'upstream') {
    const percent = usual ? `${PERCENT.format((hashrate / usual - 1) * 100)} %` : 'without anything counted';
    const counted = asCounted ? 'says that it counted' : 'counted by our estimate';
    return `miners were credited more than ${name} ${counted} (${algorithm}): ${percent}, ${sat}`;
  }
  if (kind === 'price')
    return name === null
      ? `no price of ${algorithm} was ever set: at the default the day is worth ${sat}`
      : `the last price of ${algorithm} is of ${name}: at that the day is worth ${sat}`;
  const before = usual === null ? `nothing in ${HISTORY_DAYS} days` : `at most ${HASHRATE.format(usual)} H/s`;
  const who = kind === 'account' ? `sub-account ${name}` : 'the pool';
  const bound = payable ? '' : ', more than can be earned: it can only be withheld, on the page';
  return `${who} has ${HASHRATE.format(hashrate)} H/s of ${algorithm} (before: ${before}), ${sat}${bound}`;
}
