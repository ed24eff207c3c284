/** What one socket, one address and one account may do. */
export type Limits = {
  /** Bytes of a miner's line, and of an upstream's. */
  minerLine: number;
  upstreamLine: number;
  /** Lines an upstream may send in a second, on average. */
  upstreamLinesPerSecond: number;
  /** Bytes waiting for a slow reader. */
  buffered: number;
  /** Milliseconds from connecting to being authorised, for miners. */
  handshakeMs: number;
  /** Milliseconds an upstream has from connecting to its first job, all in between; what remains of ten seconds is for the next of the list. */
  upstreamWorkMs: number;
  /** Milliseconds an upstream may go without a new job; pools send one at least every minute or two. */
  jobSilenceMs: number;
  /** Milliseconds without a line from a miner. */
  idleMs: number;
  /** Lines read a second, whatever they say: of one miner, and of all miners at one address. More wait in the network. */
  linesPerSecond: number;
  addressLinesPerSecond: number;
  submitsPerSecond: number;
  /** Shares a second all workers of a sub-account may send together. */
  accountSharesPerSecond: number;
  /** Milliseconds an upstream may take for a submit. */
  submitMs: number;
  /** Submits of one miner the upstream has not answered yet. */
  pendingSubmits: number;
  connectionsPerAddress: number;
  /** Miners of an address, and of an account, with an upstream connection before one of them had a share accepted. */
  unprovenPerAddress: number;
  unprovenPerAccount: number;
  /** Milliseconds one of them has for it while others wait. */
  unprovenMs: number;
  workersPerAccount: number;
  /** Of the last `banWindow` shares, this part bad: banned for `banMs`. */
  banWindow: number;
  banPart: number;
  banMs: number;
  /** Lines that are not Stratum, on one connection. */
  malformedLines: number;
  /** Reconnecting to an upstream: the first wait, and the longest, in milliseconds. */
  backoffMs: number;
  backoffMaxMs: number;
  /** Connections of miners to one upstream that may be in their handshake at once: when it comes back, thousands come in turn. */
  upstreamHandshakes: number;
  /** Milliseconds after which an upstream connection is no longer a new one: losing it is bad luck, losing a younger one is flapping. */
  settledMs: number;
  /** Milliseconds without a fault after which miners go back to a better upstream. */
  stableMs: number;
  /** Switches of one list in an hour (docs/adr/0007-failover.md). */
  switchesAnHour: number;
  /** At that limit: milliseconds a dead upstream is given to come back before its miners move on all the same. */
  patienceMs: number;
  /** Milliseconds a sub-account's list is looked after when its last miner has gone. */
  lingerMs: number;
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
  submitsPerSecond: 50,
  accountSharesPerSecond: 2000,
  submitMs: 5000,
  pendingSubmits: 100,
  connectionsPerAddress: 4096,
  unprovenPerAddress: 8,
  unprovenPerAccount: 32,
  unprovenMs: 60_000,
  workersPerAccount: 1000,
  banWindow: 100,
  banPart: 0.5,
  banMs: 5 * 60_000,
  malformedLines: 5,
  backoffMs: 500,
  backoffMaxMs: 30_000,
  upstreamHandshakes: 256,
  settledMs: 30_000,
  stableMs: 5 * 60_000,
  switchesAnHour: 6,
  patienceMs: 7000,
  lingerMs: 60_000,
};

/** Milliseconds to wait before attempt `failures` + 1: doubling, capped, and a random half so that thousands do not return at once. */
export function backoff(
  failures: number,
  { backoffMs, backoffMaxMs }: Pick<Limits, 'backoffMs' | 'backoffMaxMs'>,
  random = Math.random,
): number {
  const full = Math.min(backoffMaxMs, backoffMs * 2 ** Math.min(failures, 20));
  return full / 2 + (random() * full) / 2;
}

/** So many a second on average, and as many in one go. Times are `performance.now()`: setting the clock changes nothing. */
export class Rate {
  private tokens: number;
  private at = performance.now();
  constructor(private readonly perSecond: number) {
    this.tokens = perSecond;
  }
  take(now = performance.now()): boolean {
    if (this.wait(now) > 0) return false;
    this.tokens -= 1;
    return true;
  }

  /** Milliseconds until the next one is allowed; 0: now. */
  wait(now = performance.now()): number {
    this.tokens = Math.min(this.perSecond, this.tokens + ((now - this.at) / 1000) * this.perSecond);
    this.at = now;
    return this.tokens >= 1 ? 0 : ((1 - this.tokens) / this.perSecond) * 1000;
  }
}

/** So many in any stretch of time, and no more. */
export class Seldom {
  private times: number[] = [];
  constructor(
    private readonly most: number,
    private readonly withinMs: number,
  ) {}
  take(now = performance.now()): boolean {
    this.times = this.times.filter((at) => at > now - this.withinMs);
    const free = this.times.length < this.most;
    if (free) this.times.push(now);
    return free;
  }
}

/** How many of each key are open now. */
export class Counter {
  private readonly counts = new Map<string, number>();
  add(key: string): number {
    const count = (this.counts.get(key) ?? 0) + 1;
    this.counts.set(key, count);
    return count;
  }
  remove(key: string): void {
    const count = (this.counts.get(key) ?? 0) - 1;
    if (count > 0) this.counts.set(key, count);
    else this.counts.delete(key);
  }
  get(key: string): number {
    return this.counts.get(key) ?? 0;
  }
}
