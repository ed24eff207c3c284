/** What the list says of a worker. */
import type { Absence, Worker } from '@pool/shared/api/contract';
import {
  hashrateError,
  hashrateOfWork,
  minedSeconds,
  STEADY,
  workerState,
  type AlgorithmName,
} from '@pool/shared/domain';
import { MIN_HOUR_S, presentSeconds, windowMean } from '../../accounts/mined-time/mined-time';
import { rounded } from '../../platform/rounded';
import type { Day } from '../shares/sparks';
import { STEP_S, WHOLE_STEPS, type Row } from './list-rows';

/** Digits of hashrates: more than any number of shares can measure. */
const DIGITS = 6;
/** Parts are multiples of a thousandth of a percent. */
const STEPS = 100_000;
const partOf = (all: number, some: number): number => (all > 0 ? Math.round((some / all) * STEPS) / STEPS : 0);

/** Steps up to the last one of the mask. */
const stepAfter = (mask: number): number => 32 - Math.clz32(mask);

/**
 * Unix seconds. `since5`, `since60`: starts of the means of five minutes and of an hour; `daySince`: of the day.
 * `mined`: since when the account has mined, and when the server was away.
 */
type Times = Record<'now' | 'since5' | 'since60' | 'daySince', number> & {
  algorithm: AlgorithmName;
  mined: { since: number | null; absences: readonly Absence[] };
};
type Facts = Omit<Worker, 'account' | 'address' | 'spark'>;

export function factsOf(
  { connected, ...row }: Row,
  { accepted, stale, rejected, shares }: Day,
  { algorithm, now, since5, since60, daySince, mined }: Times,
): Facts {
  const { absences } = mined;
  const all = accepted + stale + rejected;
  const start = row.miningSince;
  const h1 = windowMean(algorithm, row.h1, 'h1', mined, now);
  const h24 = windowMean(algorithm, accepted, 'h24', mined, now);
  const isNew = start !== null && start > daySince;
  const connectedAt = connected ? row.connectedAt : null;
  const liveSeconds = minedSeconds({ since: since5, connectedAt, firstAt: row.firstAt }, now);
  const lastShareAt = row.lastShareAt === null ? null : Math.floor(row.lastShareAt);
  const silent = ~row.steps & WHOLE_STEPS;
  const mayCompare = !isNew && presentSeconds(since60, now, absences) >= MIN_HOUR_S && shares >= STEADY.shares;
  // Silence of the server is not the worker's.
  const at = lastShareAt === null ? now : lastShareAt + presentSeconds(lastShareAt, now, absences);
  const compared = workerState(
    { lastShareAt, h1, h24: mayCompare ? h24 : 0, alertLimit: row.alertLimit, offlineAfter: row.offlineAfter },
    at,
  );
  const isBack = compared === 'low' && silent > 0;
  return {
    id: row.id,
    name: row.name,
    group: row.group,
    muted: row.muted,
    ...(row.mutedUntil === null ? {} : { mutedUntil: Number.isFinite(row.mutedUntil) ? row.mutedUntil : null }),
    ...(row.strange ? { strange: true } : {}),
    alertLimit: row.alertLimit,
    state: isBack ? ('online' as const) : compared,
    m5: rounded(hashrateOfWork(algorithm, row.m5, liveSeconds), DIGITS),
    ...(liveSeconds < now - since5 ? { measuring: hashrateError(row.shares5) ?? 1 } : {}),
    h1: rounded(h1, DIGITS),
    h24: rounded(h24, DIGITS),
    ...(isBack ? { backSince: Math.floor(Math.max(since60 + stepAfter(silent) * STEP_S, connectedAt ?? 0)) } : {}),
    ...(isNew ? { minedSince: start } : {}),
    ...(row.disconnectedAt !== null && (compared === 'online' || compared === 'low')
      ? { disconnectedAt: Math.floor(row.disconnectedAt) }
      : {}),
    rejectRate: partOf(all, rejected),
    staleRate: partOf(all, stale),
    difficulty: connected ? row.difficulty : null,
    lastShareAt,
    connectedAt: connectedAt === null ? null : Math.floor(connectedAt),
    software: row.software,
    ...(row.port === null ? {} : { port: row.port }),
    ...(row.tls ? { tls: true } : {}),
    shares24h: shares,
  };
}
