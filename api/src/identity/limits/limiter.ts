/**
 * Limits attempts per key in a fixed window, in memory: with several processes each allows as many.
 */
const MAX_KEYS = 50_000;

export class Limiter {
  private readonly windows = new Map<string, { count: number; until: number }>();

  constructor(
    private readonly max: number,
    private readonly windowMs = 60_000,
    private readonly now = (): number => performance.now(),
  ) {}

  /** Counts one attempt. Returns 0 when it is allowed, else the seconds to wait. */
  take(key: string): number {
    const now = this.now();
    let window = this.windows.get(key);
    if (!window || window.until <= now) {
      this.makeRoom(now);
      window = { count: 0, until: now + this.windowMs };
      this.windows.delete(key);
      this.windows.set(key, window);
    }
    if (window.count >= this.max) return Math.ceil((window.until - now) / 1000);
    window.count += 1;
    return 0;
  }

  /** Takes back an attempt that did not fail. */
  give(key: string): void {
    const window = this.windows.get(key);
    if (window && window.count > 0) window.count -= 1;
  }

  private makeRoom(now: number): void {
    if (this.windows.size < MAX_KEYS) return;
    for (const [key, { until }] of this.windows) if (until <= now) this.windows.delete(key);
    // Still full: the oldest are dropped (a Map keeps the order of insertion).
    for (const key of this.windows.keys()) {
      if (this.windows.size < MAX_KEYS) break;
      this.windows.delete(key);
    }
  }
}
