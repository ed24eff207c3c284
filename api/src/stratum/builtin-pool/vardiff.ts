/**
 * Variable difficulty of one connection: aims at a share about every ten seconds, unless the miner suggested a
 * difficulty. The miner's hashrate is estimated from its shares and the time each took at the difficulty of its own
 * job, because a miner that finishes a scan before it takes new work continues at the former difficulty for a while.
 */
export type VardiffSettings = {
  start: number;
  min: number;
  max: number;
  /** Seconds from share to share. */
  targetSeconds: number;
};
export const VARDIFF: VardiffSettings = { start: 256, min: 1e-7, max: 1e15, targetSeconds: 10 };

/** Without any share yet: the difficulty is divided by SEARCH_STEP after each SEARCH_PART of the target time. */
const SEARCH_STEP = 32;
const SEARCH_PART = 0.2;
/**
 * Shares after which the estimate is trusted. When the pace is more than FAR_OFF times too high, fewer shares are
 * enough to raise the difficulty, but only by FAR_OFF_PART of the estimate.
 */
const MIN_SHARES = 8;
const MIN_SHARES_FAR_OFF = 3;
const FAR_OFF = 6;
const FAR_OFF_PART = 1 / 5;
const MAX_STEP_UP = 64;
/** The difficulty is changed when it is wrong by more than this factor. */
const TOLERANCE = 1.5;
/** Number of shares in the estimate, about: more are steadier, fewer follow a change sooner. */
const WINDOW_SHARES = 48;

export class Vardiff {
  difficulty: number;
  /** The miner suggested the difficulty: it stays. */
  suggested = false;
  /**
   * Shares, and the sum of seconds / difficulty each took: their ratio is the work a second.
   */
  private shares = 0;
  private effort = 0;
  /** Time of the last share, or of the last search step while there is no share. */
  private since = performance.now();

  constructor(private readonly settings: VardiffSettings) {
    this.difficulty = settings.start;
  }

  /** Takes the difficulty a miner suggests; returns whether the difficulty changed. */
  suggest(difficulty: number): boolean {
    this.suggested = true;
    return this.set(difficulty);
  }

  /** Counts an accepted share of a job of this difficulty; returns whether the difficulty changed. */
  share(difficulty: number, now = performance.now()): boolean {
    if (this.suggested) return false;
    this.effort += this.seconds(now) / difficulty;
    this.shares += 1;
    this.since = now;
    if (this.shares > WINDOW_SHARES) {
      this.shares /= 2;
      this.effort /= 2;
    }
    const ratio = this.ratio(this.effort);
    if (this.shares >= MIN_SHARES) return this.isOff(ratio) && this.set(this.difficulty * ratio);
    return (
      this.shares >= MIN_SHARES_FAR_OFF &&
      ratio > FAR_OFF &&
      this.set(this.difficulty * Math.min(MAX_STEP_UP, ratio * FAR_OFF_PART))
    );
  }

  /** Called at intervals: lowers the difficulty of a miner too slow for it. Returns whether the difficulty changed. */
  tick(now = performance.now()): boolean {
    if (this.suggested) return false;
    const seconds = this.seconds(now);
    if (this.shares === 0) {
      if (seconds < this.settings.targetSeconds * SEARCH_PART) return false;
      this.since = now;
      return this.set(this.difficulty / SEARCH_STEP);
    }
    const ratio = this.ratio(this.effort + seconds / this.difficulty);
    return ratio < 1 / TOLERANCE && this.set(this.difficulty * ratio);
  }

  private seconds(now: number): number {
    return Math.max(0, now - this.since) / 1000;
  }

  /** The right difficulty divided by the current one. */
  private ratio(effort: number): number {
    return (this.shares / Math.max(effort, 1e-300)) * (this.settings.targetSeconds / this.difficulty);
  }

  private isOff(ratio: number): boolean {
    return ratio > TOLERANCE || ratio < 1 / TOLERANCE;
  }

  private set(difficulty: number): boolean {
    const bounded = Math.min(this.settings.max, Math.max(this.settings.min, difficulty));
    // Three digits are enough, and the number prints the same in every client.
    const next = this.suggested ? bounded : Number(bounded.toPrecision(3));
    if (next === this.difficulty) return false;
    this.difficulty = next;
    return true;
  }
}
