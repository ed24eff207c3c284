import {
  bigint,
  date,
  doublePrecision,
  index,
  integer,
  pgTable,
  primaryKey,
  real,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { ofWorker } from './accounts';
import { now, time } from './columns';

// Shares: sums of difficulty per worker and time step

/** The latest state of each worker, one row each: the live list reads only this. */
export const workerLive = pgTable(
  'worker_live',
  {
    workerId: integer('worker_id').notNull(),
    lastShareAt: time('last_share_at'),
    /** Since when it mines without a break of a day: the minute of its first share. */
    miningSince: time('mining_since'),
    connectedAt: time('connected_at'),
    disconnectedAt: time('disconnected_at'),
    difficulty: doublePrecision('difficulty'),
    software: text('software'),
    remote: text('remote'),
    /** Seconds without a share that chance explains, while it is connected; null: unknown. */
    silence: real('silence'),
    subAccountId: integer('sub_account_id').notNull(),
  },
  (t) => [primaryKey({ columns: [t.subAccountId, t.workerId] }), ofWorker(t)],
);

/** Batches that were counted: a retry of (proxy, sequence) is a no-op. */
export const ingestBatch = pgTable(
  'ingest_batch',
  {
    proxyId: text('proxy_id').notNull(),
    sequence: bigint('sequence', { mode: 'number' }).notNull(),
    at: now('at'),
    /** Its oldest share; null: no shares, or counted before this column existed. */
    oldest: time('oldest'),
  },
  (t) => [primaryKey({ columns: [t.proxyId, t.sequence] }), index('ingest_batch_at').on(t.at)],
);

const bucketColumns = () => ({
  workerId: integer('worker_id').notNull(),
  at: time('at').notNull(),
  /** Sums of share difficulty, and the number of accepted shares. */
  accepted: doublePrecision('accepted').notNull().default(0),
  stale: doublePrecision('stale').notNull().default(0),
  rejected: doublePrecision('rejected').notNull().default(0),
  shares: integer('shares').notNull().default(0),
  /** 0: of a worker that was deleted before this column was there. */
  subAccountId: integer('sub_account_id').notNull(),
});
// Partitioned by range of `at` (see the migration); kept 3 days, 40 days, a year, for ever.
export const share1m = pgTable('share_1m', bucketColumns(), (t) => [
  uniqueIndex('share_1m_key').on(t.subAccountId, t.workerId, t.at),
  index('share_1m_newest').using('brin', t.at),
]);
export const share10m = pgTable('share_10m', bucketColumns(), (t) => [
  uniqueIndex('share_10m_key').on(t.subAccountId, t.workerId, t.at),
  index('share_10m_newest').using('brin', t.at),
]);
export const share1h = pgTable('share_1h', bucketColumns(), (t) => [
  uniqueIndex('share_1h_key').on(t.subAccountId, t.workerId, t.at),
  index('share_1h_newest').using('brin', t.at),
]);
export const share1d = pgTable('share_1d', bucketColumns(), (t) => [
  uniqueIndex('share_1d_key').on(t.subAccountId, t.workerId, t.at),
]);

const accountBucketColumns = () => ({
  subAccountId: integer('sub_account_id').notNull(),
  algorithm: text('algorithm').notNull(),
  at: time('at').notNull(),
  accepted: doublePrecision('accepted').notNull().default(0),
  stale: doublePrecision('stale').notNull().default(0),
  rejected: doublePrecision('rejected').notNull().default(0),
  shares: integer('shares').notNull().default(0),
  /** Work sent to the sub-account's own pools, not included above: shown, never paid for. */
  ownAccepted: doublePrecision('own_accepted').notNull().default(0),
  ownShares: integer('own_shares').notNull().default(0),
});
// The same sums per sub-account, so that a chart never adds up workers.
export const account1m = pgTable('account_1m', accountBucketColumns(), (t) => [
  primaryKey({ columns: [t.subAccountId, t.algorithm, t.at] }),
  index('account_1m_at').on(t.at),
]);
export const account10m = pgTable('account_10m', accountBucketColumns(), (t) => [
  primaryKey({ columns: [t.subAccountId, t.algorithm, t.at] }),
  index('account_10m_at').on(t.at),
]);
export const account1h = pgTable('account_1h', accountBucketColumns(), (t) => [
  primaryKey({ columns: [t.subAccountId, t.algorithm, t.at] }),
  index('account_1h_at_idx').on(t.at),
]);
export const account1d = pgTable('account_1d', accountBucketColumns(), (t) => [
  primaryKey({ columns: [t.subAccountId, t.algorithm, t.at] }),
  index('account_1d_at').on(t.at),
]);

/** What each of the pool's own upstreams accepted in a UTC day and what was credited for it: sums of difficulty. */
export const upstreamDay = pgTable(
  'upstream_day',
  {
    day: date('day').notNull(),
    algorithm: text('algorithm').notNull(),
    upstream: text('upstream').notNull(),
    accepted: doublePrecision('accepted').notNull().default(0),
    credited: doublePrecision('credited').notNull().default(0),
    acceptedShares: bigint('accepted_shares', { mode: 'number' }).notNull().default(0),
    creditedShares: bigint('credited_shares', { mode: 'number' }).notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.day, t.algorithm, t.upstream] })],
);
