/** Limits of one socket, one address and one account. */
export type Limits = {
  /** Bytes of a miner's line, and of an upstream's. */
  minerLine: number;
  upstreamLine: number;
  /** Lines an upstream may send in a second, on average, without the answers to shares. */
  upstreamLinesPerSecond: number;
  /** Bytes that may wait to be sent to a slow reader. */
  buffered: number;
  /** Milliseconds a miner has from connecting to being authorised. */
  handshakeMs: number;
  /**
   * Milliseconds an upstream has from connecting to its first job; the rest of ten seconds is left for the next one.
   */
  upstreamWorkMs: number;
  /** Milliseconds an upstream may send no new job; pools send one at least every minute or two. */
  jobSilenceMs: number;
  /** Milliseconds a miner may send no line. */
  idleMs: number;
  /**
   * Lines read a second, valid or not: from one connection, for each of its workers, and from all miners of one
   * address. More wait in the network.
   */
  linesPerSecond: number;
  addressLinesPerSecond: number;
  /** Milliseconds an upstream has to answer a submit. */
  submitMs: number;
  /** Milliseconds without an accepted share after which a difficulty that nobody asked for is given up. */
  trialMs: number;
  /** Unanswered submits of one miner; its further lines wait in the network. */
  pendingSubmits: number;
  /**
   * Connections of all miners together, by default what the limit of open files allows (api/src/platform/open-files.ts), and of an
   * address. At a limit one without an accepted share gives way.
   */
  connections: number;
  connectionsPerAddress: number;
  /** Upstream connections of an address, and of an account, before one of its miners had a share accepted. */
  unprovenPerAddress: number;
  unprovenPerAccount: number;
  /** Milliseconds such a miner keeps its connection while others wait. */
  unprovenMs: number;
  workersPerAccount: number;
  /** A miner is banned for `banMs` when this part of its last `banWindow` shares was bad. */
  banWindow: number;
  banPart: number;
  banMs: number;
  /** Malformed lines allowed on one connection. */
  malformedLines: number;
  /** Milliseconds until a connection that sends no Stratum is ended: who comes back at once then comes seldom. */
  refusedMs: number;
  /** First and longest delay before reconnecting to an upstream, in milliseconds. */
  backoffMs: number;
  backoffMaxMs: number;
  /**
   * Miners' connections to one upstream that may be in their handshake at once: after an outage thousands reconnect.
   */
  upstreamHandshakes: number;
  /** Milliseconds after which an upstream connection counts as settled: losing a younger one is flapping. */
  settledMs: number;
  /** Milliseconds without a failure before miners return to a better upstream. */
  stableMs: number;
  /** Switches of one list in an hour (docs/adr/0007-failover.md). */
  switchesAnHour: number;
  /** At that limit: milliseconds a failed upstream has to come back before its miners move on anyway. */
  graceMs: number;
  /** Milliseconds a sub-account's route is kept after its last miner left. */
  routeKeptMs: number;
};

export const LIMITS: Limits = {
  minerLine: 4096,
  upstreamLine: 64 * 1024,
  upstreamLinesPerSecond: 200,
  buffered: 64 * 1024,
  handshakeMs: 10_000,
  upstreamWorkMs: 8000,
  jobSilenceMs: 180_000,
  idleMs: 10 * 60_000,
  linesPerSecond: 100,
  addressLinesPerSecond: 5000,
  submitMs: 5000,
  trialMs: 5 * 60_000,
  pendingSubmits: 100,
  connections: Infinity,
  connectionsPerAddress: 4096,
  unprovenPerAddress: 8,
  unprovenPerAccount: 32,
  unprovenMs: 60_000,
  workersPerAccount: 4000,
  banWindow: 100,
  banPart: 0.5,
  banMs: 5 * 60_000,
  malformedLines: 5,
  refusedMs: 500,
  backoffMs: 500,
  backoffMaxMs: 30_000,
  upstreamHandshakes: 256,
  settledMs: 30_000,
  stableMs: 5 * 60_000,
  switchesAnHour: 6,
  graceMs: 7000,
  routeKeptMs: 60_000,
};

/**
 * Milliseconds to wait before attempt `failures` + 1: doubling, capped, and half of it random so that thousands of
 * clients do not return at once.
 */
export function backoff(
  failures: number,
  { backoffMs, backoffMaxMs }: Pick<Limits, 'backoffMs' | 'backoffMaxMs'>,
  random = Math.random,
): number {
  const full = Math.min(backoffMaxMs, backoffMs * 2 ** Math.min(failures, 20));
  return full / 2 + (random() * full) / 2;
}

/** Decides when the next line is read. Times are `performance.now()`. */
export interface Throttle {
  /** Milliseconds to wait; 0: read now. */
  wait(now?: number): number;
  /** A line is read. */
  take(now?: number): unknown;
}

/**
 * Token bucket: `perSecond` on average, and as many in one burst. Times are `performance.now()`, so setting the clock
 * has no effect.
 */
export class Rate implements Throttle {
  private tokens: number;
  private at = performance.now();
  /** `perSecond` may be changed later. */
  constructor(public perSecond: number) {
    this.tokens = perSecond;
  }
  take(now = performance.now()): boolean {
    if (this.wait(now) > 0) return false;
    this.tokens -= 1;
    return true;
  }

  /** Milliseconds until the next token; 0: available now. */
  wait(now = performance.now()): number {
    this.tokens = Math.min(this.perSecond, this.tokens + ((now - this.at) / 1000) * this.perSecond);
    this.at = now;
    return this.tokens >= 1 ? 0 : ((1 - this.tokens) / this.perSecond) * 1000;
  }
}

/** Sliding-window limit: at most `max` in any `withinMs` milliseconds. */
export class SlidingWindow {
  private times: number[] = [];
  constructor(
    private readonly max: number,
    private readonly withinMs: number,
  ) {}
  take(now = performance.now()): boolean {
    this.times = this.times.filter((at) => at > now - this.withinMs);
    const free = this.times.length < this.max;
    if (free) this.times.push(now);
    return free;
  }
}
