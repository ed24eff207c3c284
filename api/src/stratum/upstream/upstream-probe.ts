/** Looks after an upstream on its own, so that its state is known before a miner comes and while none is there. */
import { backoff, type Limits } from '../wire/limits';
import { UpstreamConnection } from './upstream-connection';
import type { Outbound } from './upstream-socket';
import type { UpstreamState } from './upstream-state';

export type ProbeTimes = { everyMs: number; downMaxMs: number };
const PROBE: ProbeTimes = { everyMs: 30_000, downMaxMs: 5000 };

/** A look because of a doubt must know sooner than a miner's own connection would. */
const DOUBT_MS = 3000;

/** Who is refused asks more seldom, or is banned where it asks. */
const REFUSED_RESTS = 6;

export type ProbeOptions = {
  limits: Limits;
  outbound?: Outbound;
  times?: ProbeTimes;
  /** Milliseconds to stay connected: who wants miners back must show that it keeps a connection. */
  holdMs(): number;
};

export class Probe {
  private connection: UpstreamConnection | null = null;
  private timer: NodeJS.Timeout | null = null;
  private hold: NodeJS.Timeout | null = null;
  private stopped = false;
  private failures = 0;

  constructor(
    private readonly state: UpstreamState,
    private readonly options: ProbeOptions,
  ) {
    this.look();
  }

  /** Looks now, whatever miners' connections say. */
  doubt(): void {
    if (this.connection || this.stopped) return;
    this.look(Math.min(DOUBT_MS, this.options.limits.upstreamWorkMs));
  }

  /** It was lost: from now on nobody else looks after it. */
  lost(): void {
    if (!this.connection) this.rest();
  }

  stop(): void {
    this.stopped = true;
    if (this.timer) clearTimeout(this.timer);
    this.connection?.close();
  }

  private rest(): void {
    const {
      limits: { backoffMs },
      times: { downMaxMs } = PROBE,
    } = this.options;
    const rests = this.state.state === 'auth_failed' ? REFUSED_RESTS : 1;
    this.again(backoff(this.failures++, { backoffMs: backoffMs * rests, backoffMaxMs: downMaxMs * rests }));
  }

  private again(ms: number): void {
    if (this.timer) clearTimeout(this.timer);
    if (!this.stopped) this.timer = setTimeout(() => this.look(), ms);
  }

  private look(doubtMs?: number): void {
    const {
      state,
      options: { limits, outbound, times = PROBE, holdMs },
    } = this;
    // Miners at work know better.
    if (doubtMs === undefined && state.usable && state.connectionsOf() > 0) return this.again(times.everyMs);
    if (this.timer) clearTimeout(this.timer);
    let worked = false;
    const connection: UpstreamConnection = new UpstreamConnection(
      state.target,
      { limits: { ...limits, upstreamWorkMs: doubtMs ?? limits.upstreamWorkMs }, outbound },
      {
        onReady: (latencyMs) => {
          worked = true;
          state.works({
            extranonceSize: connection.extranonce?.size ?? 0,
            versionMask: connection.versionMask,
            latencyMs,
          });
          const stay = holdMs();
          if (stay > 0) this.hold = setTimeout(() => connection.close(), stay);
          else connection.close();
        },
        onDifficulty: () => undefined,
        onJob: () => undefined,
        onVersionMask: () => undefined,
        onClosed: (failure) => {
          this.connection = null;
          if (this.hold) clearTimeout(this.hold);
          if (this.stopped) return;
          if (worked && failure.word === 'closed') {
            this.failures = 0;
            // Lost again while this connection was closing: nobody else looks after it.
            return state.usable ? this.again(times.everyMs) : this.rest();
          }
          state.failed(failure, 0, true);
          this.rest();
        },
      },
    );
    this.connection = connection;
  }
}
