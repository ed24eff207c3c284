/**
 * Counting shares. A share is appended to the journal before its miner hears of it; every few seconds the finished
 * segments are added up and written in one transaction each, keyed by (proxyId, sequence), so that a segment counts
 * once however often it is tried. While the database is away segments wait on disk, not in memory. What cannot be
 * counted is set aside, told by a metric, and holds up nothing but the closing of its day.
 */
import type { Pool, PoolClient } from 'pg';
import type { Logger } from 'pino';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Bus } from '../bus';
import { transaction } from '../db/transaction';
import { Announcer } from './announce';
import { failureOf } from './failure';
import { GroupSync, SYNC_MS } from './group-sync';
import { Journal, linesOf, refusedIn, type Segment } from './journal';
import { PresenceBook } from './presence';
import { addBuckets, type Bucket, minuteBuckets, workerKey } from './rollup';
import { decodeShare, encodeShare } from './share-line';
import type { Share, ShareSink, WorkerPresence } from '../stratum/ports';
import { uncountedIn, type Uncounted, type Uncounting } from './uncounted';
import { noteLastShares, workerIds, writeLive } from './worker-rows';

export const FLUSH_MS = 5000;
/** A segment that grows beyond this while the database is away is finished: each must fit in memory when its turn comes. */
const SEGMENT_BYTES = 8 * 1024 * 1024;

export type IngestOptions = {
  pool: Pool;
  /** Folder of the journal, this process's own. */
  folder: string;
  log: Logger;
  bus?: Bus;
  metrics?: Registry;
  flushMs?: number;
  /** See GroupSync. */
  syncMs?: number;
};

const MOST_ROWS = 10_000;
const LEAST_ROWS = 100;
/** A segment that fails by itself so often is set aside. */
const TRIES = 3;
/** Less than a statement may take: who waits for a lock comes back later, and is not taken for slow. */
const LOCK_WAIT = "set local lock_timeout to '2s'";

/**
 * Adds one batch, once: false when this key was counted before. Runs inside the caller's transaction. `rows`: most rows
 * of one statement.
 */
export async function countBatch(
  client: PoolClient,
  key: { proxyId: string; sequence: number },
  buckets: readonly Bucket[],
  rows = MOST_ROWS,
): Promise<{ made: Set<string> } | false> {
  const {
    rows: [batch],
  } = await client.query<{ now: number }>(
    `insert into ingest_batch (proxy_id, sequence, oldest) values ($1, $2, to_timestamp($3::float8)) on conflict do nothing
     returning extract(epoch from now())::float8 as now`,
    [key.proxyId, key.sequence, buckets.reduce<number | null>((oldest, { at }) => Math.min(oldest ?? at, at), null)],
  );
  if (!batch) return false;
  const { ids, made } = await workerIds(client, buckets, rows);
  // An account that was deleted takes its last shares with it.
  const known = buckets.filter((bucket) => ids.has(workerKey(bucket)));
  await addBuckets(client, known, ids, { now: batch.now, rows });
  await noteLastShares(client, known, ids, rows);
  return { made };
}

export class ShareIngest implements ShareSink, Uncounting {
  private readonly journal: Journal;
  private readonly presences = new PresenceBook();
  private readonly announcer: Announcer;
  private readonly sync: GroupSync;
  private readonly counted?: Counter<'outcome'>;
  private flushing: Promise<void> | null = null;
  private timer: NodeJS.Timeout | null = null;
  private failing = false;
  /** The last flush found the database away. */
  private away = false;
  /** Segments counted in this life. */
  private segments = 0;
  /** Segments that failed by themselves: how often, and how many others had been counted by the first time. */
  private readonly failed = new Map<Segment, { tries: number; before: number }>();
  /** Rows of one statement; fewer after one that took too long. */
  private rows = MOST_ROWS;

  private constructor(private readonly options: IngestOptions) {
    this.journal = new Journal(options.folder);
    this.announcer = new Announcer(options.pool, options.bus);
    this.sync = new GroupSync(
      () => this.journal.sync(),
      options.syncMs ?? SYNC_MS,
      (error) => this.onSyncError(error),
    );
    const { metrics } = options;
    if (!metrics) return;
    const { journal } = this;
    this.counted = new Counter({
      name: 'ingest_shares_total',
      help: 'Shares written down',
      labelNames: ['outcome'],
      registers: [metrics],
    });
    new Gauge({
      name: 'ingest_waiting_segments',
      help: 'Finished journal segments the database does not have yet',
      registers: [metrics],
      collect() {
        this.set(journal.segments.length);
      },
    });
    new Gauge({
      name: 'ingest_refused_files',
      help: 'Files of shares that could not be counted: somebody has to look at them (docs/operations.md)',
      registers: [metrics],
      collect() {
        this.set(refusedIn(options.folder).length);
      },
    });
  }

  /** Ready for shares at once; what an earlier life left is counted behind them, and every `flushMs` what came. */
  static async open(options: IngestOptions): Promise<ShareIngest> {
    const ingest = new ShareIngest(options);
    const left = ingest.journal.segments.length;
    if (left) options.log.info({ segments: left }, 'counting shares an earlier run left behind');
    await ingest.journal.syncLeft().catch((error: unknown) => ingest.onSyncError(error));
    // Nobody is connected to a proxy that only starts.
    await options.pool
      .query(
        'update worker_live set disconnected_at = now(), difficulty = null where disconnected_at is null and connected_at is not null',
      )
      .catch((error: unknown) => options.log.warn({ err: error }, 'connections of an earlier run are still shown'));
    void ingest.flush();
    // The listeners keep the server alive, not this timer: a test may abandon an ingest as a crash would.
    ingest.timer = setInterval(() => {
      if (!ingest.flushing) void ingest.flush();
    }, options.flushMs ?? FLUSH_MS).unref();
    return ingest;
  }

  share(share: Share): boolean | Promise<boolean> {
    try {
      this.journal.append(encodeShare(share));
    } catch (error) {
      if (!this.failing)
        this.options.log.error({ err: error }, 'the journal cannot be written: shares are not acknowledged');
      this.failing = true;
      return false;
    }
    this.failing = false;
    this.counted?.inc({ outcome: share.outcome });
    if (this.journal.bytes > SEGMENT_BYTES) this.journal.rotate();
    return this.sync.wrote();
  }

  presence(presence: WorkerPresence): void {
    this.presences.note(presence);
  }

  /** Writes everything counted so far. Never throws: what fails is tried again. */
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
   * What is not in the database by day, having tried: a day must not be closed without its work. Shares of this moment
   * are always among it, as of today. Never throws for a database that is away: then much waits.
   */
  async uncounted(): Promise<Uncounted[]> {
    await this.flush();
    return uncountedIn(this.options.folder);
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
    this.journal.close();
  }

  private async flushNow(): Promise<void> {
    // While the database is away the open segment just grows: one every five seconds would be thousands.
    const grows = this.away && this.journal.segments.length >= 2;
    if (!grows) this.journal.rotate();
    this.away = !(await this.countAll());
    if (this.away) return;
    if (grows) {
      this.journal.rotate();
      await this.countAll();
    }
    await this.writePresences().catch((error: unknown) =>
      this.options.log.warn({ err: error }, 'connections not written yet'),
    );
  }

  /** Tries each finished segment; false when the database is away. */
  private async countAll(): Promise<boolean> {
    for (const segment of [...this.journal.segments]) {
      if (!(await this.attempt(segment))) return false;
    }
    return true;
  }

  private onSyncError(error: unknown): void {
    this.options.log.error({ err: error }, 'the journal cannot be brought onto the disk');
  }

  /** False when nothing can be counted now. */
  private async attempt(segment: Segment): Promise<boolean> {
    try {
      await this.count(segment);
      this.segments += 1;
      this.rows = Math.min(MOST_ROWS, this.rows * 2);
    } catch (error) {
      const failure = failureOf(error);
      if (failure === 'slow' && this.rows > LEAST_ROWS) {
        this.rows = Math.max(LEAST_ROWS, this.rows / 10);
        return this.attempt(segment);
      }
      this.options.log.error({ err: error, segment: segment.path }, 'shares not counted yet');
      if (failure === 'away') return false;
      if (failure === 'busy') return true;
      if (failure === 'gone') this.journal.forget(segment);
      else if (!this.isHopeless(segment, failure)) return true;
      else await this.refuse(segment);
    }
    this.failed.delete(segment);
    return true;
  }

  /** Notes that a segment failed. That it is the segment's own fault, and not a slow database's, another one must have shown. */
  private isHopeless(segment: Segment, failure: 'segment' | 'slow'): boolean {
    const failed = this.failed.get(segment) ?? { tries: 0, before: this.segments };
    failed.tries += 1;
    this.failed.set(segment, failed);
    return failed.tries >= TRIES && (failure === 'segment' || this.segments > failed.before);
  }

  private async refuse(segment: Segment): Promise<void> {
    const { log } = this.options;
    try {
      log.error({ refused: await this.journal.refuse(segment) }, 'a segment is refused: somebody has to look at it');
    } catch (error) {
      // It stays where it is, and is tried again.
      log.error({ err: error, segment: segment.path }, 'a segment can neither be counted nor set aside');
    }
  }

  private async count(segment: Segment): Promise<void> {
    const shares: Share[] = [];
    const unreadable: Buffer[] = [];
    for (const line of await linesOf(segment.path)) {
      const share = decodeShare(line.toString());
      if (share) shares.push(share);
      else unreadable.push(line);
    }
    const buckets = minuteBuckets(shares);
    const result = await transaction(this.options.pool, async (client) => {
      await client.query(LOCK_WAIT);
      const counted = await countBatch(client, segment, buckets, this.rows);
      // Not of a segment that was counted before: what is set aside is to be counted some day.
      if (counted && unreadable.length) await this.setAside(segment, shares[0], unreadable);
      return counted;
    });
    this.journal.remove(segment);
    if (result) await this.announcer.counted(buckets, result.made);
  }

  private async setAside(segment: Segment, first: Share | undefined, lines: Buffer[]): Promise<void> {
    const refused = await this.journal.setAside(segment, first?.at, lines);
    this.options.log.error({ refused, lines: lines.length }, 'lines of the journal that nobody can read');
  }

  private async writePresences(): Promise<void> {
    const lives = this.presences.dirty();
    if (lives.length === 0) return;
    const written = await transaction(this.options.pool, (client) => writeLive(client, lives));
    this.presences.settled(lives, written);
    await this.announcer.connections(lives.filter((live) => written.has(workerKey(live))));
  }
}
