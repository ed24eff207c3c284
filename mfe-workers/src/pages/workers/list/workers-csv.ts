/** The filtered list as CSV: hashrates in whole H/s, rates as fractions, UTC times. */
import type { Worker } from '@pool/shared';
import { shortRate, wholeHs, type CsvValue } from '@pool/shared/ui/core';

const HEADER = [
  'worker',
  'state',
  'group',
  'hashrate_5m_hs',
  'hashrate_1h_hs',
  'hashrate_24h_hs',
  'reject_rate_24h',
  'stale_rate_24h',
  'shares_24h',
  'difficulty',
  'last_share_utc',
  'connected_since_utc',
  'software',
  'address',
  'alert_limit',
  'muted',
] as const;

const time = (seconds: number | null) => (seconds === null ? null : new Date(seconds * 1000));

export function workersCsv(workers: readonly Worker[]): { header: readonly string[]; rows: CsvValue[][] } {
  return {
    header: HEADER,
    rows: workers.map((w) => [
      w.name,
      w.state,
      w.group,
      wholeHs(w.m5),
      wholeHs(w.h1),
      wholeHs(w.h24),
      shortRate(w.rejectRate),
      shortRate(w.staleRate),
      w.shares24h,
      w.difficulty,
      time(w.lastShareAt),
      time(w.connectedAt),
      w.software,
      w.address,
      w.alertLimit,
      w.muted,
    ]),
  };
}

/** `workers-northfield-SCRYPT-2026-11-20.csv`. */
export const csvName = (account: string, algorithm: string, now: Date) =>
  `workers-${account}-${algorithm}-${now.toISOString().slice(0, 10)}.csv`;
