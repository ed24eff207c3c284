/** Keeps one miner supplied with work: a planned switch opens the new connection before it ends the old one. */
import { backoff, type Limits } from '../wire/limits';
import type { WorkRoute } from './route';
import type { Reconnect } from '../upstream/reconnect';
import { UpstreamConnection } from '../upstream/upstream-connection';
import type { UpstreamJob } from '../upstream/upstream-job';
import type { Outbound, Place } from '../upstream/upstream-socket';
import type { Names, UpstreamTarget } from '../upstream/upstream-target';
import type { UpstreamState } from '../upstream/upstream-state';

export type FeedEvents = {
  /** A new upstream connection; its difficulty and mask apply from its first job on, which follows. */
  onConnected(connection: UpstreamConnection): void;
  onJob(job: UpstreamJob, connection: UpstreamConnection): void;
  onVersionMask(mask: number): void;
  /** An answer on any of its connections: shares of a former one may still wait for theirs. */
  onDifficulty(difficulty: number, connection: UpstreamConnection): void;
  /** Difficulty to suggest to the next upstream connection. */
  suggested(target: UpstreamTarget): number | null;
};

export type FeedOptions = {
  route: WorkRoute;
  subAccountId: number;
  names: Names;
  limits: Limits;
  outbound?: Outbound;
  software: string | null;
};

/** Miners of one list switch upstream spread over this time, not all at once. */
const SPREAD_MS = 1500;
/** Average retry delay when too many handshakes are open. */
const HANDSHAKE_RETRY_MS = 200;

/** `job`: the last one. */
type Held = { connection: UpstreamConnection; state: UpstreamState; job?: UpstreamJob };

export class WorkFeed {
  private held: Held | null = null;
  private next: Held | null = null;
  private readonly retiring = new Set<UpstreamConnection>();
  private failures = 0;
  /** Where the next connection goes, if not to the configured address. */
  private place: Place | undefined;
  private timer: NodeJS.Timeout | null = null;
  private stopped = false;
  private readonly unsubscribe: () => void;

  constructor(
    private readonly options: FeedOptions,
    private events: FeedEvents,
  ) {
    this.unsubscribe = options.route.subscribe(() => this.follow());
    this.connect();
  }

  /** The ready connection; null while none is. */
  get connection(): UpstreamConnection | null {
    return this.held?.connection ?? null;
  }

  /** Works for another connection of its miner from now on, which gets the last job at once. */
  passTo(events: FeedEvents): void {
    this.events = events;
    if (!this.held) return;
    const { connection, job } = this.held;
    events.onConnected(connection);
    if (job) events.onJob(job, connection);
  }

  suggestDifficulty(difficulty: number): void {
    this.held?.connection.suggestDifficulty(difficulty);
    this.next?.connection.suggestDifficulty(difficulty);
  }

  /** Connects anew to the same upstream; shares go to the old connection until the new one is ready. */
  renew(): void {
    if (this.held && !this.timer) this.connect();
  }

  /** Opens no more connections; pending shares are still answered. */
  drain(): void {
    this.stopped = true;
    this.unsubscribe();
    this.cancel();
  }

  /** Opens no more connections, and closes this one once its pending shares are answered. */
  retire(): void {
    this.drain();
    this.retireHeld();
  }

  stop(): void {
    this.drain();
    this.held?.connection.close();
    for (const connection of this.retiring) connection.close();
  }

  /** The route's upstream changed or works again. */
  private follow(): void {
    const { current } = this.options.route;
    if (this.stopped || (current && this.next?.state === current)) return;
    this.cancel();
    if (!current || current.state === 'unreadable') return this.retireHeld();
    if (this.held?.state !== current)
      this.connectIn(Math.random() * Math.min(SPREAD_MS, this.options.limits.backoffMaxMs));
  }

  private cancel(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    const { next } = this;
    this.next = null;
    next?.connection.close();
  }

  private connectIn(ms: number): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = setTimeout(() => this.connect(), ms);
  }

  /** The present connection stays until the new one has work, and then answers its last shares. */
  private reconnect({ waitMs, ...place }: Reconnect, livedMs: number): void {
    const { limits } = this.options;
    if (livedMs >= limits.settledMs) this.failures = 0;
    this.place = place;
    this.connectIn(Math.max(waitMs, backoff(this.failures++, limits)));
  }

  private connect(): void {
    this.timer = null;
    const { route, limits, outbound, subAccountId, names, software } = this.options;
    const state = route.current;
    // Only the probe retries an upstream that is down, and the route reports its recovery: retries of thousands of
    // miners would be an attack.
    if (this.stopped || this.next || !state?.usable) return;
    if (state.opening >= limits.upstreamHandshakes) return this.connectIn(HANDSHAKE_RETRY_MS * (0.5 + Math.random()));
    state.opening += 1;
    let readyAt = 0;
    /** It has asked for another connection, so that it ends this one is no failure. */
    let isAsked = false;
    const { place } = this;
    this.place = undefined;
    const connection: UpstreamConnection = new UpstreamConnection(
      state.target,
      { limits, outbound, place, names, software, suggested: this.events.suggested(state.target) },
      {
        onReady: (latencyMs) => {
          readyAt = performance.now();
          state.opening -= 1;
          this.next = null;
          this.retireHeld();
          this.held = { connection, state };
          state.count(subAccountId, 1);
          this.events.onConnected(connection);
          state.works({ versionMask: connection.versionMask, latencyMs });
        },
        onVersionMask: (mask) => {
          if (this.connection === connection) this.events.onVersionMask(mask);
        },
        onJob: (job) => {
          if (this.held?.connection !== connection) return;
          this.held.job = job;
          this.events.onJob(job, connection);
        },
        onDifficulty: (difficulty) => this.events.onDifficulty(difficulty, connection),
        onVerdict: (ms, accepted) => state.verdict(ms, accepted),
        onStray: () => {
          state.strays += 1;
        },
        onReconnect: (to) => {
          if (this.connection !== connection || this.next) return;
          isAsked = true;
          this.reconnect(to, performance.now() - readyAt);
        },
        onClosed: (failure) => {
          if (readyAt) state.count(subAccountId, -1);
          else state.opening -= 1;
          if (this.retiring.delete(connection)) return;
          const livedMs = readyAt ? performance.now() - readyAt : 0;
          const isOurs = this.held?.connection === connection || this.next?.connection === connection;
          if (this.held?.connection === connection) this.held = null;
          if (this.next?.connection === connection) this.next = null;
          if (this.stopped || !isOurs) return;
          if (livedMs >= limits.settledMs) this.failures = 0;
          if (!this.next && !this.timer) this.connectIn(backoff(this.failures++, limits));
          // The connection to an upstream removed from the list waits for the first attempt of its successor, not for
          // ever.
          if (this.held && !route.states.includes(this.held.state)) this.retireHeld();
          if (failure.word !== 'closed' && !isAsked) state.failed(failure, livedMs);
        },
      },
    );
    this.next = { connection, state };
  }

  /** Closes the current connection once its pending shares are answered. */
  private retireHeld(): void {
    const { held } = this;
    this.held = null;
    if (!held) return;
    this.retiring.add(held.connection);
    held.connection.retire();
  }
}
