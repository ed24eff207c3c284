/** Why a day earned less or more than others: one line per cause, in whole satoshis that add up to the difference. */
import { CHANGE_CAUSES, type ChangeCause, type EarningChanges } from '@pool/shared/api/contract';
import { ALGORITHMS, SATS_PER_BTC, type AlgorithmName } from '@pool/shared/domain';
import { addDays } from '../../platform/days';
import { type Querier, rowsOf } from '../../platform/db/querier';

/** A day of one account and algorithm. `corrected`: the part of `net` that an admin's correction made. */
export type ComparedDay = {
  algorithm: AlgorithmName;
  net: number;
  corrected: number;
  meanHashrate: number;
  price: number;
  feePercent: number;
  /** Part of the day in which it mined here, and the accepted part of its work; 1 where that is no longer known. */
  uptime: number;
  accepted: number;
};
type Lines = Record<ChangeCause, number>;

const worth = (d: ComparedDay, hashrate: number, { uptime, accepted, price, feePercent } = d): number =>
  ((hashrate * uptime * accepted) / ALGORITHMS[d.algorithm].priceUnitHs) *
  price *
  SATS_PER_BTC *
  (1 - feePercent / 100);
const hashrateOf = ({ meanHashrate, uptime, accepted }: ComparedDay): number => meanHashrate / (uptime * accepted);

/** The step of each cause, changed one after the other, in fractions of a satoshi. Null: a day without work. */
function changeOf(before: ComparedDay | null, after: ComparedDay | null): Lines {
  const known = before ?? after;
  if (!known) throw new Error('two days without work');
  const from = before ?? { ...known, uptime: 0, net: 0, corrected: 0 };
  const to = after ?? { ...known, uptime: 0, net: 0, corrected: 0 };
  const [least, most] = [hashrateOf(before ?? known), hashrateOf(after ?? known)];
  const steps = [
    worth(from, least),
    worth(from, most),
    worth({ ...from, uptime: to.uptime }, most),
    worth({ ...to, price: from.price, feePercent: from.feePercent }, most),
    worth({ ...to, feePercent: from.feePercent }, most),
    worth(to, most),
  ];
  const step = (i: number) => (steps[i + 1] ?? 0) - (steps[i] ?? 0);
  return {
    hashrate: step(0),
    uptime: step(1),
    rejects: step(2),
    price: step(3),
    fee: step(4),
    correction: to.corrected - from.corrected,
  };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const netOf = (day: ReadonlyMap<string, ComparedDay>): number => sum([...day.values()].map(({ net }) => net));

/** `day` against the mean of the days `before` it; each has its earnings by account and algorithm. */
export function compareDays(
  day: ReadonlyMap<string, ComparedDay>,
  before: readonly ReadonlyMap<string, ComparedDay>[],
): EarningChanges['against'][number] {
  const changes = before.flatMap((other) =>
    [...new Set([...other.keys(), ...day.keys()])].map((key) => changeOf(other.get(key) ?? null, day.get(key) ?? null)),
  );
  const lines = CHANGE_CAUSES.map((cause) => ({
    cause,
    sats: Math.round(sum(changes.map((change) => change[cause])) / before.length),
  }));
  const beforeSat = Math.round(sum(before.map(netOf)) / before.length);
  // Rounding leaves a few satoshis, which are the largest line's.
  const largest = lines.reduce((most, line) => (Math.abs(line.sats) > Math.abs(most.sats) ? line : most));
  largest.sats += netOf(day) - beforeSat - sum(lines.map(({ sats }) => sats));
  return { days: before.length, beforeSat, lines: lines.filter(({ sats }) => sats !== 0) };
}

type Row = Omit<ComparedDay, 'uptime' | 'accepted'> & {
  userId: number;
  account: number;
  day: string;
  steps: number | null;
  accepted: number;
  lost: number;
};

/** Ten-minute steps of a day. */
const STEPS = 144;
const WEEK = 7;

/** The closed `day` of each user with an earning against the day before and the mean of the week before. */
export async function changesOn(
  db: Querier,
  accounts: readonly number[],
  day: string,
  algorithm?: AlgorithmName,
): Promise<Map<number, EarningChanges>> {
  const rows = await rowsOf<Row>(db)`
    select s.user_id, s.id as account, e.algorithm, e.day::text as day, e.net_sat as net,
      case when a.gross_sat_before is null then 0
        else e.net_sat - a.gross_sat_before * (1 - e.fee_percent / 100) end as corrected,
      e.mean_hashrate, e.price_btc as price, e.fee_percent,
      w.steps, w.accepted, w.lost
    from earning e
    join sub_account s on s.id = e.sub_account_id
    left join lateral (
      select gross_sat_before from earning_adjustment a
      where a.sub_account_id = e.sub_account_id and a.algorithm = e.algorithm and a.day = e.day
      order by id limit 1
    ) a on true
    left join lateral (
      select nullif(count(*) filter (where accepted > 0), 0)::int as steps,
        sum(accepted) as accepted, sum(stale + rejected) as lost
      from account_10m w
      where w.sub_account_id = e.sub_account_id and w.algorithm = e.algorithm
        and w.at >= e.day::timestamp at time zone 'UTC' and w.at < (e.day + 1)::timestamp at time zone 'UTC'
    ) w on true
    where e.sub_account_id = any(${accounts}) and e.day between ${addDays(day, -WEEK)}::date and ${day}::date
      and (${algorithm ?? null}::text is null or e.algorithm = ${algorithm ?? null})
    order by e.day desc`;
  const users = new Map<number, Map<string, Map<string, ComparedDay>>>();
  for (const row of rows) {
    const days = users.get(row.userId) ?? new Map<string, Map<string, ComparedDay>>();
    const parts = days.get(row.day) ?? new Map<string, ComparedDay>();
    parts.set(`${row.account}/${row.algorithm}`, comparedDay(row));
    users.set(row.userId, days.set(row.day, parts));
  }
  const span = Array.from({ length: WEEK + 1 }, (_, i) => addDays(day, -i));
  return new Map(
    [...users].map(([user, days]) => {
      const begun = [...days.keys()].at(-1) ?? day;
      const [that = new Map(), ...before] = span.filter((on) => on >= begun).map((on) => days.get(on) ?? new Map());
      const ranges = [before.slice(0, 1), before].slice(0, before.length);
      return [user, { day, netSat: netOf(that), against: ranges.map((range) => compareDays(that, range)) }];
    }),
  );
}

const comparedDay = ({ steps, accepted, lost, ...row }: Row): ComparedDay => ({
  ...row,
  uptime: (steps ?? STEPS) / STEPS,
  accepted: steps === null ? 1 : accepted / (accepted + lost),
});
