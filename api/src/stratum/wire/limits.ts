export const LIMITS = {
  /** Bytes of a miner's line, and of an upstream's. */
  minerLine: 4096,
  upstreamLine: 64 * 1024,
  /** Lines an upstream may send in a second, on average, without the answers to shares. */
  upstreamLinesPerSecond: 200,
  /** Bytes that may wait to be sent to a slow reader. */
  buffered: 64 * 1024,
  /** Milliseconds a miner has from connecting to being authorised. */
  handshakeMs: 10_000,
  /** Milliseconds an upstream has until its first job; the rest of ten seconds is left for the next one. */
  upstreamWorkMs: 8000,
  /** Milliseconds an upstream may send no new job; pools send one at least every minute or two. */
  jobSilenceMs: 180_000,
  /** Milliseconds a miner may send no line. */
  idleMs: 10 * 60_000,
  /** Lines read a second for each worker of a connection, and from all miners of one address; more wait. */
  linesPerSecond: 100,
  addressLinesPerSecond: 5000,
  /** Milliseconds an upstream has to answer a submit. */
  submitMs: 5000,
  /** Unanswered submits of one miner; its further lines wait in the network. */
  pendingSubmits: 100,
  /** Connections of all miners (by default the limit of open files) and of an address: then an idle one gives way. */
  connections: Infinity,
  connectionsPerAddress: 4096,
  workersPerAccount: 4000,
  /** A miner is banned for `banMs` when this part of its last `banWindow` shares was bad. */
  banWindow: 100,
  banPart: 0.5,
  banMs: 5 * 60_000,
  /** Malformed lines allowed on one connection. */
  malformedLines: 5,
  /** Milliseconds until a connection that sends no Stratum is ended: who comes back at once then comes seldom. */
  refusedMs: 500,
  /** First and longest delay before reconnecting to an upstream, in milliseconds. */
  backoffMs: 500,
  backoffMaxMs: 30_000,
  /** Milliseconds between looks at an upstream that no miner is connected to, and the longest between those at one that is down. */
  lookMs: 30_000,
  downMaxMs: 5000,
  /** Miners on one upstream connection. */
  minersPerConnection: 256,
  /** Milliseconds that an upstream connection is kept after its last miner. */
  emptyMs: 60_000,
  /** Milliseconds after which an upstream connection counts as settled: losing a younger one is flapping. */
  settledMs: 30_000,
  /** Milliseconds without a failure before miners return to a better upstream. */
  stableMs: 5 * 60_000,
  /** Switches of one list in an hour (docs/adr/0007-failover.md). */
  switchesAnHour: 6,
  /** At that limit: milliseconds a failed upstream has to come back before its miners move on anyway. */
  graceMs: 7000,
  /** Milliseconds between checks for accounts that another process closed, and until a port that is taken is tried again. */
  closedMs: 5000,
  portRetryMs: 15_000,
  /** Milliseconds a sub-account's route is kept after its last miner left. */
  routeKeptMs: 60_000,
};
export type Limits = typeof LIMITS;

/** Milliseconds before attempt `failures` + 1: doubling, capped, half of it random to spread thousands. */
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
  take(now?: number): unknown;
}

/** Token bucket: `perSecond` on average, and as many in one burst. Times are `performance.now()`. */
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
