/** The filtered list as CSV: hashrates in whole H/s, rates as fractions, UTC times. */
import { ALL_ACCOUNTS, type Worker } from '@pool/shared';
import { shortRate, wholeHs, type CsvColumns } from '@pool/shared/ui/core';

const time = (seconds: number | null) => (seconds === null ? null : new Date(seconds * 1000));

const COLUMNS: CsvColumns<Worker> = {
  worker: ({ name }) => name,
  state: ({ state }) => state,
  group: ({ group }) => group,
  hashrate_5m_hs: ({ m5 }) => wholeHs(m5),
  hashrate_1h_hs: ({ h1 }) => wholeHs(h1),
  hashrate_24h_hs: ({ h24 }) => wholeHs(h24),
  reject_rate_24h: ({ rejectRate }) => shortRate(rejectRate),
  stale_rate_24h: ({ staleRate }) => shortRate(staleRate),
  shares_24h: ({ shares24h }) => shares24h,
  difficulty: ({ difficulty }) => difficulty,
  last_share_utc: ({ lastShareAt }) => time(lastShareAt),
  connected_since_utc: ({ connectedAt }) => time(connectedAt),
  software: ({ software }) => software,
  address: ({ address }) => address,
  alert_limit: ({ alertLimit }) => alertLimit,
  muted: ({ muted }) => muted,
  port: ({ port }) => port,
  tls: ({ port, tls }) => (port === undefined ? null : tls === true),
};

/** Workers of all sub-accounts with the name of each one's. */
export const csvOf = (account: string): CsvColumns<Worker> =>
  account === ALL_ACCOUNTS ? { sub_account: (worker) => worker.account ?? null, ...COLUMNS } : COLUMNS;

/** `workers-northfield-SCRYPT-2026-11-20.csv`. */
export const csvName = (account: string, algorithm: string, now: Date) =>
  `workers-${account}-${algorithm}-${now.toISOString().slice(0, 10)}.csv`;
