/** Counts shares by segments of the journal; while the database fails they wait on disk. A bad one blocks its day. */
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Bus } from '../../platform/bus';
import { FOLDER_OWNER, type Owner } from '../../platform/db/server-lock';
import { sharedRead } from '../../platform/db/shared-read';
import { transaction } from '../../platform/db/transaction';
import { keepTrying } from '../../platform/keep-trying';
import { Announcer } from './announce';
import { type CountingNode, MARGIN_MS } from './counting-node';
import { type IngestMetrics, ingestMetrics } from './ingest-metrics';
import { GroupSync } from './journal/group-sync';
import { SYNC_MS } from '../../platform/settings/mining';
import { Journal } from './journal/journal';
import { refusedIn } from './journal/journal-folder';
import { KeptSegments } from './journal/kept-segments';
import { PresenceBook } from './presence';
import { workerKey } from './rollup';
import { SegmentCounter } from './segment-counter';
import { encodeShare } from './journal/share-line';
import { traced } from '../../platform/traces/traces';
import type { Share, ShareSink, WorkerPresence } from '../../stratum/ports';
import { type Uncounted, UncountedFiles, type Uncounting } from './uncounted';
import { endAllPresences, endPresences, writeLive } from './worker-rows';

const FLUSH_MS = 5000;
/** Seconds without a counted segment after which the server is not ready: one of the largest takes a few. */
const STANDS_STILL_S = 60;
/** How long a node tries to count all before it stops: the days of what it leaves uncounted wait for its next start. */
const LEAVE_MS = 5000;

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
  syncMs?: number;
  /** Keep counted segments for two hours, for a database that may lose its last commits. */
  keepCounted?: boolean;
};

/** `journal`: shares cannot be recorded; `counting`: they are recorded and not counted. */
export type Trouble = 'journal' | 'counting';

export class ShareIngest implements ShareSink, Uncounting {
  private readonly journal: Journal;
  private readonly uncountedFiles: UncountedFiles;
  private readonly presences = new PresenceBook();
  private readonly announcer: Announcer;
  private readonly sync: GroupSync;
  private readonly counter: SegmentCounter;
  private readonly owner: Owner;
  private readonly kept: KeptSegments | null;
  private readonly metrics?: IngestMetrics;
  private timer: NodeJS.Timeout | undefined;
  /** The last share could not be written. */
  private failing = false;
  private earlierEnded = false;
  /** Why the last flush counted nothing. */
  private stopped: 'away' | 'unclear' | null = null;
  /** Flushes that the open segment has grown for since the database fails. */
  private grown = 0;

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
        secondsSinceCounted: () => this.counter.secondsSinceCounted,
        refused: () => refusedIn(options.folder).length,
      });
    const { journal, owner, kept, announcer, metrics } = this;
    this.counter = new SegmentCounter({ ...options, journal, owner, kept, announcer, metrics });
  }

  /** Accepts shares at once; counts those of an earlier process, and new ones every `flushMs`. */
  static async open(options: IngestOptions): Promise<ShareIngest> {
    const ingest = new ShareIngest(options);
    const left = ingest.journal.segments.length;
    if (left) options.log.info({ segments: left }, 'counting shares of an earlier process');
    await ingest.journal.syncLeft().catch((error: unknown) => ingest.onNotSafe(error));
    void ingest.flush();
    // The listeners keep the server alive, not this timer: a test may abandon an ingest as a crash would.
    ingest.timer = setInterval(() => void ingest.flush(), options.flushMs ?? FLUSH_MS).unref();
    return ingest;
  }

  share(share: Share): Promise<boolean> {
    const attributes = { 'pool.algorithm': share.algorithm, 'pool.outcome': share.outcome };
    return traced('share', { attributes }, async (span) => {
      const recorded = await this.record(share);
      if (recorded) this.counter.toCount.add(span);
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

  /** Why this server is not ready: it cannot write its journal, or has counted nothing for a minute. */
  async troubles(): Promise<Trouble[]> {
    const canRecord = !this.sync.hasFailed && (await this.journal.isWritable());
    return [
      ...(canRecord ? [] : (['journal'] as const)),
      ...(this.counter.secondsSinceCounted > STANDS_STILL_S ? (['counting'] as const) : []),
    ];
  }

  presence(presence: WorkerPresence): void {
    this.presences.note(presence);
  }

  /** Counts all shares so far. Never throws; failed segments are retried later. */
  flush(): Promise<void> {
    return sharedRead(this, 'flush', () => this.flushNow());
  }

  /** Counts what it can, and returns the work by day that is not in the database. Does not throw when that fails. */
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
    clearInterval(this.timer);
    await keepTrying(this.options.node ? LEAVE_MS : 0, async () => {
      await this.flush();
      return this.journal.isEmpty;
    });
    await this.sync.stop();
    await this.journal.close();
  }

  private async flushNow(): Promise<void> {
    // Before another segment begins, those that wait have to show that the database works again.
    if (this.shouldGrow() && !(await this.countFinished())) return;
    const finishedAt = await this.finishSegment();
    if (!(await this.countFinished())) return;
    if (finishedAt !== null) await this.tellCounted(finishedAt);
    await this.writePresences().catch((error: unknown) =>
      this.options.log.warn({ err: error }, 'cannot write connections yet'),
    );
  }

  /** Begins another segment; returns the time from before which all shares are in finished ones, with several nodes. */
  private async finishSegment(): Promise<number | null> {
    const finishedAt = this.options.node?.now() ?? null;
    await this.journal.rotate();
    return finishedAt;
  }

  /** Counts finished segments, and those that the database has lost. Returns whether it could. */
  private async countFinished(again = true): Promise<boolean> {
    await this.offerLost();
    this.stopped = await this.counter.countAll();
    // What was counted may have shown that earlier segments are lost: they are counted before a day is closed.
    if (again && !this.stopped && this.kept?.hasNoticed) return this.countFinished(false);
    return !this.stopped;
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

  /** While the database fails, one segment grows; where a waiting one may be at fault, new ones come ever later. */
  private shouldGrow(): boolean {
    const waiting = this.journal.segments.length;
    this.grown = this.stopped && waiting >= 2 ? this.grown + 1 : 0;
    if (this.stopped === 'unclear' && this.grown >= 2 ** waiting) this.grown = 0;
    return this.grown > 0;
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
    const lives = this.presences.dirty().filter(({ subAccountId }) => !this.counter.isAway(subAccountId));
    if (lives.length === 0) return;
    const written = await transaction(this.options.pool, async (client) => {
      await this.owner.check(client);
      return writeLive(client, lives, this.options.node?.id);
    });
    this.presences.settled(lives, written);
    await this.announcer.connections(lives.filter((live) => written.has(workerKey(live))));
  }
}
