/**
 * Counting shares. A share is appended to the journal before its miner hears of it; every few seconds the finished
 * segments are added up and written in one transaction each, keyed by (proxyId, sequence), so that a segment counts
 * once however often it is tried. While the database is away segments wait on disk, not in memory.
 */
import type { Pool, PoolClient } from 'pg';
import type { Logger } from 'pino';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Bus } from '../bus';
import { transaction } from '../db/transaction';
import { Announcer } from './announce';
import { Journal, type Segment } from './journal';
import { PresenceBook } from './presence';
import { addBuckets, type Bucket, minuteBuckets, workerKey } from './rollup';
import { decodeShare, encodeShare } from './share-line';
import type { Share, ShareSink, WorkerPresence } from '../stratum/ports';
import { uncountedIn, type Uncounted } from './uncounted';
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
};

/** Adds one batch, once: false when this key was counted before. Runs inside the caller's transaction. */
export async function countBatch(
  client: PoolClient,
  key: { proxyId: string; sequence: number },
  buckets: readonly Bucket[],
): Promise<{ made: Set<string> } | false> {
  const { rowCount } = await client.query(
    'insert into ingest_batch (proxy_id, sequence) values ($1, $2) on conflict do nothing',
    [key.proxyId, key.sequence],
  );
  if (!rowCount) return false;
  const { ids, made } = await workerIds(client, buckets);
  // An account that was deleted takes its last shares with it.
  const known = buckets.filter((bucket) => ids.has(workerKey(bucket)));
  await addBuckets(client, known, ids);
  await noteLastShares(client, known, ids);
  return { made };
}

/** Whether the database refused this batch, rather than being away: then the others may still go. */
const isDataError = (error: unknown): boolean => {
  const code = (error as { code?: unknown }).code;
  return typeof code === 'string' && /^(22|23|42)/.test(code) && code.length === 5;
};

export class ShareIngest implements ShareSink {
  private readonly journal: Journal;
  private readonly presences = new PresenceBook();
  private readonly announcer: Announcer;
  private readonly counted?: Counter<'outcome'>;
  private flushing: Promise<void> | null = null;
  private timer: NodeJS.Timeout | null = null;
  private failing = false;
  /** Segments the database will not have: somebody has to look at them. */
  private readonly refused = new Set<string>();

  private constructor(private readonly options: IngestOptions) {
    this.journal = new Journal(options.folder);
    this.announcer = new Announcer(options.pool, options.bus);
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
  }

  /** Counts what an earlier life left in the journal, then goes on every `flushMs`. A database that is away is waited for in the background. */
  static async open(options: IngestOptions): Promise<ShareIngest> {
    const ingest = new ShareIngest(options);
    const left = ingest.journal.segments.length;
    if (left) options.log.info({ segments: left }, 'counting shares an earlier run left behind');
    // Nobody is connected to a proxy that only starts.
    await options.pool
      .query(
        'update worker_live set disconnected_at = now(), difficulty = null where disconnected_at is null and connected_at is not null',
      )
      .catch((error: unknown) => options.log.warn({ err: error }, 'connections of an earlier run are still shown'));
    await ingest.flush();
    ingest.timer = setInterval(() => {
      if (!ingest.flushing) void ingest.flush();
    }, options.flushMs ?? FLUSH_MS);
    return ingest;
  }

  share(share: Share): boolean {
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
    return true;
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
    if (this.journal.bytes > 0) await this.flush();
    return uncountedIn(this.options.folder);
  }

  async stop(): Promise<void> {
    if (this.timer) clearInterval(this.timer);
    await this.flush();
    // While others waited for the database the open segment just grew: now it has its turn.
    if (this.journal.bytes > 0) await this.flush();
    this.journal.close();
  }

  private async flushNow(): Promise<void> {
    // While segments wait for the database the open one just grows: one every five seconds would be thousands.
    if (this.journal.segments.length < 2) this.journal.rotate();
    for (const segment of [...this.journal.segments]) {
      try {
        await this.count(segment);
      } catch (error) {
        this.options.log.error({ err: error, segment: segment.path }, 'shares not counted yet');
        if (!isDataError(error)) return;
        this.refused.add(segment.path);
      }
    }
    await this.writePresences().catch((error: unknown) =>
      this.options.log.warn({ err: error }, 'connections not written yet'),
    );
  }

  private async count(segment: Segment): Promise<void> {
    const lines = await this.journal.read(segment);
    const shares = lines.flatMap((line) => decodeShare(line) ?? []);
    if (shares.length < lines.length)
      this.options.log.error(
        { segment: segment.path, lines: lines.length - shares.length },
        'unreadable lines in the journal',
      );
    const buckets = minuteBuckets(shares);
    const result = await transaction(this.options.pool, (client) => countBatch(client, segment, buckets));
    this.journal.remove(segment);
    if (result) await this.announcer.counted(buckets, result.made);
  }

  private async writePresences(): Promise<void> {
    const lives = this.presences.dirty();
    if (lives.length === 0) return;
    const written = await transaction(this.options.pool, (client) => writeLive(client, lives));
    this.presences.settled(lives, written);
    await this.announcer.connections(lives.filter((live) => written.has(workerKey(live))));
  }
}
