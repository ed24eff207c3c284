/**
 * Counts shares. A share is appended to the journal before its miner gets the response. Every few seconds each finished
 * segment is summed and written in one transaction, keyed by (proxyId, sequence), so that retries count it once. While
 * the database fails, segments wait on disk, not in memory. A segment that cannot be counted is set aside and reported
 * by a metric; it blocks only the closing of its day.
 */
import type { Pool, PoolClient } from 'pg';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Bus } from '../bus';
import { FOLDER_OWNER, type Owner } from '../db/server-lock';
import { transaction } from '../db/transaction';
import { Announcer } from './announce';
import { type CountingNode, MARGIN_MS } from './counting-node';
import { type Failure, failureOf } from './failure';
import { type IngestMetrics, ingestMetrics } from './ingest-metrics';
import { GroupSync, SYNC_MS } from './journal/group-sync';
import { inTurns } from './journal/in-parts';
import { Journal } from './journal/journal';
import { refusedIn, type Segment } from './journal/journal-folder';
import { KeptSegments } from './journal/kept-segments';
import { PresenceBook } from './presence';
import { addBuckets, type Bucket, minuteBuckets, workerKey } from './rollup';
import { decodeShare, encodeShare } from './journal/share-line';
import { SharesToCount, traced } from '../traces/traces';
import type { Share, ShareSink, WorkerPresence } from '../stratum/ports';
import { type Uncounted, UncountedFiles, type Uncounting } from './uncounted';
import { addUpstreamDays } from './upstream-days';
import { endAllPresences, endPresences, updateLastShares, workerIds, writeLive } from './worker-rows';

const FLUSH_MS = 5000;
/** Counting one of the largest segments takes a few seconds. */
const STANDS_STILL_S = 60;

export type IngestOptions = {
  pool: Pool;
  /** Folder of the journal; no other process may use it. */
  folder: string;
  log: Logger;
  /** Nothing is counted while this process does not own the database. */
  owner?: Owner;
  /** Left out: the only one that counts. */
  node?: CountingNode;
  bus?: Bus;
  metrics?: Registry;
  flushMs?: number;
  /** After so long without a counted segment the server is not ready: 60 s. */
  standsStillS?: number;
  /** See GroupSync. */
  syncMs?: number;
  /** Keep counted segments for two hours, for a database that may lose its last commits. */
  keepCounted?: boolean;
};

const MAX_ROWS = 10_000;
const MIN_ROWS = 100;
/** A segment is set aside after this many failures of its own. */
const MAX_TRIES = 3;
/** Shorter than the statement timeout, so that waiting for a lock is not treated as a slow statement. */
const LOCK_WAIT = "set local lock_timeout to '2s'";

/**
 * Adds one batch in the caller's transaction. Returns false when the key was counted before. `rows`: maximum rows of
 * one statement.
 */
export async function countBatch(
  client: PoolClient,
  key: { proxyId: string; sequence: number },
  buckets: readonly Bucket[],
  rows = MAX_ROWS,
): Promise<{ made: Set<string> } | false> {
  const {
    rows: [batch],
  } = await client.query<{ now: number }>(
    `insert into ingest_batch (proxy_id, sequence, oldest)
     values ($1, $2, to_timestamp($3::float8))
     on conflict do nothing
     returning extract(epoch from now())::float8 as now`,
    [key.proxyId, key.sequence, buckets.reduce<number | null>((oldest, { at }) => Math.min(oldest ?? at, at), null)],
  );
  if (!batch) return false;
  const { ids, made } = await workerIds(client, buckets, rows);
  // Drop shares of deleted accounts.
  const known = buckets.filter((bucket) => ids.has(workerKey(bucket)));
  await addBuckets(client, known, ids, { now: batch.now, rows });
  await updateLastShares(client, known, ids, rows);
  await addUpstreamDays(client, buckets, new Set(known));
  return { made };
}

/** `journal`: shares cannot be recorded; `counting`: they are recorded and not counted. */
export type Trouble = 'journal' | 'counting';

export class ShareIngest implements ShareSink, Uncounting {
  private readonly journal: Journal;
  private readonly uncountedFiles: UncountedFiles;
  private readonly presences = new PresenceBook();
  private readonly announcer: Announcer;
  private readonly sync: GroupSync;
  private readonly toCount = new SharesToCount();
  private readonly owner: Owner;
  private readonly kept: KeptSegments | null;
  private readonly metrics?: IngestMetrics;
  private flushing: Promise<void> | null = null;
  private timer: NodeJS.Timeout | null = null;
  private failing = false;
  /** The connections of an earlier process are ended in the database. */
  private earlierEnded = false;
  /** Why the last flush counted nothing. */
  private stopped: 'away' | 'unclear' | null = null;
  /** Flushes that the open segment has grown for since the database fails. */
  private grown = 0;
  /** Number of segments counted by this process. */
  private segments = 0;
  /** When a segment was counted, or none waited (`performance.now()`). */
  private countedAt = performance.now();
  /** Failures of single segments: number of tries, and `segments` at the first failure. */
  private readonly failed = new WeakMap<Segment, { tries: number; before: number }>();
  /** Maximum rows of one statement; lowered after a statement timeout. */
  private rows = MAX_ROWS;

  private constructor(private readonly options: IngestOptions) {
    this.journal = new Journal(options.folder, (error) => this.onSyncFailure(error));
    this.uncountedFiles = new UncountedFiles(options.folder);
    this.owner = options.owner ?? FOLDER_OWNER;
    this.kept = options.keepCounted ? new KeptSegments(options.folder) : null;
    this.announcer = new Announcer(options.pool, options.bus);
    this.sync = new GroupSync(
      () => this.journal.sync(),
      options.syncMs ?? SYNC_MS,
      (error) => this.onNotSafe(error),
    );
    if (options.metrics)
      this.metrics = ingestMetrics(options.metrics, {
        waiting: () => this.journal.segments.length,
        secondsSinceCounted: () => this.secondsSinceCounted(),
        refused: () => refusedIn(options.folder).length,
      });
  }

  /**
   * Accepts shares at once. Counts segments of an earlier process in the background, and new shares every `flushMs`.
   */
  static async open(options: IngestOptions): Promise<ShareIngest> {
    const ingest = new ShareIngest(options);
    const left = ingest.journal.segments.length;
    if (left) options.log.info({ segments: left }, 'counting shares of an earlier process');
    await ingest.journal.syncLeft().catch((error: unknown) => ingest.onNotSafe(error));
    await ingest
      .endEarlier()
      .catch((error: unknown) =>
        options.log.warn({ err: error }, 'cannot end the connections of an earlier process yet'),
      );
    void ingest.flush();
    // The listeners keep the server alive, not this timer: a test may abandon an ingest as a crash would.
    ingest.timer = setInterval(() => {
      if (!ingest.flushing) void ingest.flush();
    }, options.flushMs ?? FLUSH_MS).unref();
    return ingest;
  }

  share(share: Share): Promise<boolean> {
    const attributes = { 'pool.algorithm': share.algorithm, 'pool.outcome': share.outcome };
    return traced('share', { attributes }, async (span) => {
      const recorded = await this.record(share);
      if (recorded) this.toCount.add(span);
      return recorded;
    });
  }

  private async record(share: Share): Promise<boolean> {
    try {
      await this.journal.append(encodeShare(share));
    } catch (error) {
      if (!this.failing)
        this.options.log.error({ err: error }, 'cannot write the journal; shares are not acknowledged');
      this.failing = true;
      return false;
    }
    this.failing = false;
    const recorded = await this.sync.wrote();
    if (recorded) this.metrics?.counted.inc({ outcome: share.outcome });
    return recorded;
  }

  get busy(): boolean {
    return this.journal.busy;
  }

  /**
   * Why this server is not ready for miners: its journal cannot be written, or its shares have not been counted for a
   * minute.
   */
  async troubles(): Promise<Trouble[]> {
    const canRecord = !this.sync.hasFailed && (await this.journal.isWritable());
    return [
      ...(canRecord ? [] : (['journal'] as const)),
      ...(this.secondsSinceCounted() > (this.options.standsStillS ?? STANDS_STILL_S) ? (['counting'] as const) : []),
    ];
  }

  presence(presence: WorkerPresence): void {
    this.presences.note(presence);
  }

  /** Counts all shares so far. Never throws; failed segments are retried later. */
  flush(): Promise<void> {
    const before = this.flushing ?? Promise.resolve();
    const run = before
      .then(() => this.flushNow())
      .finally(() => {
        if (this.flushing === run) this.flushing = null;
      });
    this.flushing = run;
    return run;
  }

  /**
   * Counts what it can, and returns the work that is not in the database, by day: a day must not be closed without its
   * work. The newest shares are always included, as of today. Does not throw when the database fails.
   */
  async uncounted(): Promise<Uncounted[]> {
    await this.flush();
    return this.uncountedFiles.byDay();
  }

  async retryRefused(): Promise<number> {
    const files = await this.journal.takeBack();
    await this.flush();
    return files;
  }

  async stop(): Promise<void> {
    if (this.timer) clearInterval(this.timer);
    await this.flush();
    await this.sync.stop();
    await this.journal.close();
  }

  private secondsSinceCounted(): number {
    return (performance.now() - this.countedAt) / 1000;
  }

  private async flushNow(): Promise<void> {
    const grows = this.shouldGrow();
    let finishedAt = this.options.node?.now() ?? null;
    if (!grows) await this.journal.rotate();
    await this.offerLost();
    this.stopped = await this.countAll();
    if (this.stopped) return;
    // What was counted may have shown that earlier segments are lost: they are counted before a day is closed.
    if (this.kept?.hasNoticed) {
      await this.offerLost();
      await this.countAll();
    }
    if (grows) {
      finishedAt = this.options.node?.now() ?? null;
      await this.journal.rotate();
      if (await this.countAll()) finishedAt = null;
    }
    if (finishedAt !== null) await this.tellCounted(finishedAt);
    await this.writePresences().catch((error: unknown) =>
      this.options.log.warn({ err: error }, 'cannot write connections yet'),
    );
  }

  /** Tells the other nodes how far this one has counted. Shares from before `finishedAt` are in finished segments. */
  private async tellCounted(finishedAt: number): Promise<void> {
    const { node, pool, log, folder } = this.options;
    try {
      const isAll = this.journal.segments.length === 0 && refusedIn(folder).length === 0;
      const left = isAll ? [] : await this.uncountedFiles.byDay();
      await transaction(pool, async (client) => {
        await this.owner.check(client);
        await this.kept?.look(client);
        // This database has lost what was counted a moment ago.
        if (!this.kept?.hasNoticed) await node?.counted(client, finishedAt - MARGIN_MS, left);
      });
    } catch (error) {
      log.warn({ err: error }, 'the other nodes cannot be told yet what is counted');
    }
  }

  /**
   * While the database fails, one segment grows instead of a new one every five seconds. When only the segments that
   * wait may be at fault, a new one is finished after 4, 8, 16... flushes, and tried with them.
   */
  private shouldGrow(): boolean {
    const waiting = this.journal.segments.length;
    this.grown = this.stopped && waiting >= 2 ? this.grown + 1 : 0;
    if (this.stopped === 'unclear' && this.grown >= 2 ** waiting) this.grown = 0;
    return this.grown > 0;
  }

  /**
   * Tries each finished segment. Returns why the database seems to fail: by its error, or because two segments failed
   * for an unclear reason and none was counted.
   */
  private async countAll(): Promise<'away' | 'unclear' | null> {
    if (this.journal.segments.length === 0) this.countedAt = performance.now();
    const before = this.segments;
    let unclear = 0;
    for (const segment of [...this.journal.segments]) {
      const failure = await this.attempt(segment);
      if (failure === 'away') return 'away';
      if (failure === 'unclear') unclear += 1;
    }
    return unclear >= 2 && this.segments === before ? 'unclear' : null;
  }

  /** Adds segments that the database has lost since they were counted, in a failover or a restored copy. */
  private async offerLost(): Promise<void> {
    const { log, pool } = this.options;
    try {
      const lost = (await this.kept?.takeBack(pool)) ?? [];
      this.journal.add(lost);
      this.metrics?.lost.inc(lost.length);
      if (lost.length)
        log.error({ segments: lost.length }, 'the database has lost counted shares: they are counted again');
    } catch (error) {
      log.warn({ err: error }, 'cannot ask the database yet whether it has lost counted shares');
    }
  }

  private onSyncFailure(error: unknown): void {
    this.metrics?.syncFailures.inc();
    this.options.log.error({ err: error }, 'a sync of the journal failed; what it covered is written again');
  }

  private onNotSafe(error: unknown): void {
    this.options.log.error({ err: error }, 'cannot bring the journal onto the disk; shares are not acknowledged');
  }

  /** Counts one segment, or returns why it cannot be counted now. */
  private async attempt(segment: Segment): Promise<Failure | null> {
    try {
      await this.count(segment);
    } catch (error) {
      const failure = failureOf(error);
      if (failure === 'slow' && this.rows > MIN_ROWS) {
        this.rows = Math.max(MIN_ROWS, this.rows / 10);
        return this.attempt(segment);
      }
      this.options.log.error({ err: error, segment: segment.path }, 'cannot count shares yet');
      if (failure === 'gone') this.journal.forget(segment);
      else if (failure !== 'away' && failure !== 'busy' && this.shouldSetAside(segment, failure))
        await this.refuse(segment);
      return failure;
    }
    this.segments += 1;
    this.countedAt = performance.now();
    this.rows = Math.min(MAX_ROWS, this.rows * 2);
    return null;
  }

  /**
   * Records a failure, and returns whether to set the segment aside. Unless the segment is known to be invalid, only
   * after another one was counted, because the cause may be the database.
   */
  private shouldSetAside(segment: Segment, failure: 'segment' | 'slow' | 'unclear'): boolean {
    const failed = this.failed.get(segment) ?? { tries: 0, before: this.segments };
    failed.tries += 1;
    this.failed.set(segment, failed);
    return failed.tries >= MAX_TRIES && (failure === 'segment' || this.segments > failed.before);
  }

  private async refuse(segment: Segment): Promise<void> {
    const { log } = this.options;
    try {
      log.error({ refused: await this.journal.refuse(segment) }, 'a segment is refused and needs an operator');
    } catch (error) {
      // The segment stays in place and is retried.
      log.error({ err: error, segment: segment.path }, 'a segment can neither be counted nor set aside');
    }
  }

  private async count(segment: Segment): Promise<void> {
    const shares: Share[] = [];
    const damaged: Buffer[] = [];
    for await (const lines of inTurns(await this.journal.lines(segment))) {
      for (const line of lines) {
        const share = decodeShare(line.toString());
        if (share) shares.push(share);
        else damaged.push(line);
      }
    }
    await this.toCount.counted({ 'pool.shares': shares.length }, () => this.add(segment, shares, damaged));
  }

  private async add(segment: Segment, shares: readonly Share[], damaged: readonly Buffer[]): Promise<void> {
    const buckets = minuteBuckets(shares);
    const result = await transaction(this.options.pool, async (client) => {
      await this.owner.check(client);
      await client.query(LOCK_WAIT);
      const counted = await countBatch(client, segment, buckets, this.rows);
      // Not when the segment was counted before: its damaged lines are set aside already.
      if (counted && damaged.length) await this.setAside(segment, shares[0], damaged);
      if (counted) await this.kept?.look(client);
      return counted;
    });
    await this.journal.remove(segment, (counted) => this.kept?.keep(counted));
    if (result) await this.announcer.counted(buckets, result.made);
  }

  private async setAside(segment: Segment, first: Share | undefined, lines: readonly Buffer[]): Promise<void> {
    const refused = await this.journal.setAside(segment, first?.at, lines);
    this.metrics?.damaged.inc(lines.length);
    this.options.log.error(
      { refused, lines: lines.length },
      'damaged lines of the journal were set aside, the others count',
    );
  }

  /** No worker is connected to a proxy that has just started. */
  private async endEarlier(): Promise<void> {
    const { pool, node } = this.options;
    if (node) await transaction(pool, (client) => endPresences(client, node.id));
    else await endAllPresences(pool);
    this.earlierEnded = true;
  }

  private async writePresences(): Promise<void> {
    if (!this.earlierEnded) await this.endEarlier();
    if (this.options.node?.wasShownGone()) this.presences.allDirty();
    const lives = this.presences.dirty();
    if (lives.length === 0) return;
    const written = await transaction(this.options.pool, async (client) => {
      await this.owner.check(client);
      return writeLive(client, lives, this.options.node?.id);
    });
    this.presences.settled(lives, written);
    await this.announcer.connections(lives.filter((live) => written.has(workerKey(live))));
  }
}
