/** Checks an upstream with connections of its own, so that its state is known while no miner is connected to it. */
import { backoff, type Limits } from '../wire/limits';
import { UpstreamConnection } from './upstream-connection';
import type { Outbound } from './upstream-socket';
import type { Names } from './upstream-target';
import type { UpstreamState } from './upstream-state';

export type ProbeTimes = { everyMs: number; downMaxMs: number };
const PROBE: ProbeTimes = { everyMs: 30_000, downMaxMs: 5000 };

/** Timeout of a check requested by `checkNow`: it must know sooner than a miner's own connection would. */
const CHECK_NOW_MS = 3000;

/** Factor on the retry delays after a refused login: pools ban clients that retry too often. */
const AUTH_FAILED_FACTOR = 6;

export type ProbeOptions = {
  limits: Limits;
  outbound?: Outbound;
  names?: Names;
  times?: ProbeTimes;
  /** Milliseconds to stay connected after a success: miners return to what keeps a connection. */
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
    this.check();
  }

  /** Checks at once, whatever the miners' connections say. */
  checkNow(): void {
    if (this.connection || this.stopped) return;
    this.check(Math.min(CHECK_NOW_MS, this.options.limits.upstreamWorkMs));
  }

  /** Starts the retries after the upstream was lost. */
  lost(): void {
    if (!this.connection) this.retry();
  }

  stop(): void {
    this.stopped = true;
    if (this.timer) clearTimeout(this.timer);
    this.connection?.close();
  }

  private retry(): void {
    const {
      limits: { backoffMs },
      times: { downMaxMs } = PROBE,
    } = this.options;
    const factor = this.state.state === 'auth_failed' ? AUTH_FAILED_FACTOR : 1;
    this.checkIn(backoff(this.failures++, { backoffMs: backoffMs * factor, backoffMaxMs: downMaxMs * factor }));
  }

  private checkIn(ms: number): void {
    if (this.timer) clearTimeout(this.timer);
    if (!this.stopped) this.timer = setTimeout(() => this.check(), ms);
  }

  private check(timeoutMs?: number): void {
    const {
      state,
      options: { limits, outbound, names, times = PROBE, holdMs },
    } = this;
    // Connected miners report the state; no probe is needed.
    if (timeoutMs === undefined && state.usable && state.connections > 0) return this.checkIn(times.everyMs);
    if (this.timer) clearTimeout(this.timer);
    let worked = false;
    const connection: UpstreamConnection = new UpstreamConnection(
      state.target,
      {
        limits: { ...limits, upstreamWorkMs: timeoutMs ?? limits.upstreamWorkMs },
        outbound,
        names,
        spared: state.spared,
      },
      {
        onReady: (latencyMs) => {
          worked = true;
          state.works(connection, latencyMs);
          state.startDifficulty = connection.difficulty;
          const stay = holdMs();
          if (stay > 0) this.hold = setTimeout(() => connection.close(), stay);
          else connection.close();
        },
        onStray: () => {
          state.strays += 1;
        },
        onClosed: (failure) => {
          this.connection = null;
          if (this.hold) clearTimeout(this.hold);
          if (this.stopped) return;
          if (worked && failure.word === 'closed') {
            this.failures = 0;
            // It may have failed again while this connection was closing; then the retries start here.
            return state.usable ? this.checkIn(times.everyMs) : this.retry();
          }
          state.failed(failure, 0, true);
          this.retry();
        },
      },
    );
    this.connection = connection;
  }
}
