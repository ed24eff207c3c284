/** Earnings as a ledger: one line per day, which opens into its parts (algorithms, sub-accounts). */
import { ALGORITHM_NAMES, usdOf, type Earning } from '@pool/shared';

type Sums = Pick<Earning, 'grossSat' | 'feeSat' | 'referralSat' | 'netSat'>;
export type Day = Sums &
  Pick<Earning, 'day' | 'btcPriceUsd' | 'status'> & {
    parts: readonly Earning[];
    /** A sum of the parts of each algorithm. */
    sums: readonly Earning[];
  };
export type Line = { day: Day; part: Earning | null };

export const total = <Name extends string>(rows: readonly Readonly<Record<Name, number>>[], name: Name): number =>
  rows.reduce((sum, row) => sum + row[name], 0);

export const sumOf = (rows: readonly Sums[]): Sums => ({
  grossSat: total(rows, 'grossSat'),
  feeSat: total(rows, 'feeSat'),
  referralSat: total(rows, 'referralSat'),
  netSat: total(rows, 'netSat'),
});

/** What is booked: days that are not closed are estimates, which no sum has. */
export const closedOf = (rows: readonly Earning[]): Earning[] => rows.filter(({ status }) => status !== 'estimated');

/** Sums of the closed days, as the server has them of a range. `netUsd`: each day at its price. */
export function closedSums(all: readonly Earning[]): Sums & { days: number; netUsd: number } {
  const rows = closedOf(all);
  return {
    ...sumOf(rows),
    days: new Set(rows.map(({ day }) => day)).size,
    netUsd: rows.reduce((sum, { netSat, btcPriceUsd }) => sum + usdOf(netSat, btcPriceUsd), 0),
  };
}

/** What is to be said about a day: something of it is estimated, or was adjusted. */
const statusOf = (parts: readonly Earning[]): Earning['status'] =>
  (['estimated', 'adjusted'] as const).find((status) => parts.some((part) => part.status === status)) ?? 'final';

/** Rows by what `keyOf` says of each, in the order of the first ones. */
export function groupedBy<Row>(rows: readonly Row[], keyOf: (row: Row) => string): [string, [Row, ...Row[]]][] {
  const groups = new Map<string, [Row, ...Row[]]>();
  for (const row of rows) {
    const key = keyOf(row);
    if (!groups.get(key)?.push(row)) groups.set(key, [row]);
  }
  return [...groups];
}

/** `rows` newest first. Without `complete` the last day may have more rows, and is left out. */
export function daysOf(rows: readonly Earning[], complete: boolean): Day[] {
  const all = groupedBy(rows, ({ day }) => day).map(([day, parts]): Day => ({
    day,
    parts: parts.sort((a, b) => ALGORITHM_NAMES.indexOf(a.algorithm) - ALGORITHM_NAMES.indexOf(b.algorithm)),
    sums: groupedBy(parts, ({ algorithm }) => algorithm).map(([, own]) => ({
      ...own[0],
      meanHashrate: total(own, 'meanHashrate'),
    })),
    btcPriceUsd: parts[0].btcPriceUsd,
    status: statusOf(parts),
    ...sumOf(parts),
  }));
  return complete ? all : all.slice(0, -1);
}

/** The sub-account of all that a day has; undefined: it is of several. */
export const accountOf = ({ parts: [first, ...others] }: Day): string | undefined =>
  others.every(({ account }) => account === first?.account) ? first?.account : undefined;

/** The only part of a day, which is then shown in the day's own line. */
export const onlyPart = ({ parts }: Day): Earning | undefined => (parts.length === 1 ? parts[0] : undefined);

export const linesOf = (days: readonly Day[], opened: ReadonlySet<string>): Line[] =>
  days.flatMap((day) => [
    { day, part: onlyPart(day) ?? null },
    ...(opened.has(day.day) && !onlyPart(day) ? day.parts.map((part): Line => ({ day, part })) : []),
  ]);
