/** Keeps one miner supplied with work: connects to the best upstream of its list, and to the next or again when that fails. */
import { backoff, type Limits } from './limits';
import { UpstreamConnection } from './upstream-connection';
import type { UpstreamJob } from './upstream-job';
import type { UpstreamState } from './upstream-state';

export type FeedEvents = {
  /** A new upstream connection; its difficulty and mask hold from its first job on, which follows. */
  onConnected(connection: UpstreamConnection): void;
  onJob(job: UpstreamJob, connection: UpstreamConnection): void;
  onDifficulty(difficulty: number): void;
  onVersionMask(mask: number): void;
};

export type FeedOptions = { list: readonly UpstreamState[]; subAccountId: number; limits: Limits };

/** An upstream that stays this long is trusted again: until then waits grow, so that a flapping one is not hammered. */
const STABLE_MS = 30_000;
/** Tries of one upstream that looks alive before the next of the list gets its turn. */
const TRIES = 3;
/** When an upstream is back, its miners come within this time, not all at once. */
const RETURN_SPREAD_MS = 2000;

export class WorkFeed {
  /** The ready connection; null while there is none. */
  connection: UpstreamConnection | null = null;
  private current: UpstreamConnection | null = null;
  private failures = 0;
  private timer: NodeJS.Timeout | null = null;
  private unwait: (() => void)[] = [];
  private suggested: number | null = null;
  private stopped = false;

  constructor(private readonly options: FeedOptions, private readonly events: FeedEvents) {
    this.connect();
  }

  suggestDifficulty(difficulty: number): void {
    this.suggested = difficulty;
    this.connection?.suggestDifficulty(difficulty);
  }

  /** Looks for no more work; shares under way are still answered. */
  drain(): void {
    this.stopped = true;
    this.stopWaiting();
  }

  stop(): void {
    this.drain();
    this.current?.close();
  }

  private pick(): UpstreamState | undefined {
    const { list } = this.options;
    const alive = list.filter((state) => state.state === 'active' || state.state === 'standby');
    const from = alive.length ? alive : list;
    return from[Math.floor(this.failures / TRIES) % from.length];
  }

  private connect(): void {
    this.stopWaiting();
    const state = this.pick();
    if (this.stopped || !state) return;
    const { limits, subAccountId } = this.options;
    let readyAt = 0;
    const connection: UpstreamConnection = new UpstreamConnection(state.target, limits, {
      onReady: (latencyMs) => {
        readyAt = Date.now();
        this.connection = connection;
        state.connected(subAccountId);
        state.works({ extranonceSize: connection.extranonce?.size ?? 0, versionMask: connection.versionMask, latencyMs });
        if (this.suggested !== null) connection.suggestDifficulty(this.suggested);
        this.events.onConnected(connection);
      },
      onDifficulty: (difficulty) => this.events.onDifficulty(difficulty),
      onVersionMask: (mask) => this.events.onVersionMask(mask),
      onJob: (job) => this.events.onJob(job, connection),
      onLatency: (ms) => state.latency(ms),
      onClosed: (failure) => {
        this.connection = null;
        this.current = null;
        if (readyAt) state.disconnected(subAccountId);
        if (this.stopped) return;
        state.failed(failure);
        if (readyAt && Date.now() - readyAt > STABLE_MS) this.failures = 0;
        this.wait();
      },
    });
    this.current = connection;
  }

  private wait(): void {
    const { list, limits } = this.options;
    const delay = (ms: number): void => {
      if (this.timer) clearTimeout(this.timer);
      this.timer = setTimeout(() => this.connect(), ms);
    };
    this.unwait = list.map((state) => state.whenBack(() => delay(Math.random() * Math.min(RETURN_SPREAD_MS, limits.backoffMaxMs))));
    delay(backoff(this.failures++, limits));
  }

  private stopWaiting(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    for (const unwait of this.unwait) unwait();
    this.unwait = [];
  }
}
