/**
 * Difficulty of one connection: a share about every ten seconds, or what the miner asked for. What the miner can do is
 * estimated from its shares and the time each took at the difficulty of its own job: a miner that finishes a scan before
 * it takes new work goes on at the former difficulty for a while.
 */
export type VardiffSettings = {
  start: number;
  least: number;
  most: number;
  /** Seconds from share to share. */
  targetSeconds: number;
};
export const VARDIFF: VardiffSettings = { start: 256, least: 1e-7, most: 1e15, targetSeconds: 10 };

/** A miner without any share yet: so much easier, after this part of the target time each. */
const SEARCH_STEP = 32;
const SEARCH_PART = 0.2;
/** Shares after which the estimate is trusted. When the pace is far too high fewer serve to come nearer, not all the way. */
const SHARES = 8;
const FEW_SHARES = 3;
const FAR_OFF = 6;
const PART_OF_THE_WAY = 1 / 5;
const MOST_UP = 64;
/** A difficulty this far from the right one is changed. */
const OFF = 1.5;
/** Shares the estimate remembers, about: more are steadier, fewer follow a change sooner. */
const MEMORY = 48;

export class Vardiff {
  difficulty: number;
  /** Asked for by the miner: stays. */
  suggested = false;
  /** Shares, and the seconds they took, each over the difficulty they were made at: their ratio is the miner's work a second. */
  private shares = 0;
  private effort = 0;
  /** Of the last share, or of the last step while there is none. */
  private since = performance.now();

  constructor(private readonly settings: VardiffSettings) {
    this.difficulty = settings.start;
  }

  /** Takes a miner's wish; answers whether the difficulty changed. */
  suggest(difficulty: number): boolean {
    this.suggested = true;
    return this.set(difficulty);
  }

  /** After an accepted share of a job of this difficulty; answers whether the difficulty changed. */
  share(difficulty: number, now = performance.now()): boolean {
    if (this.suggested) return false;
    this.effort += this.seconds(now) / difficulty;
    this.shares += 1;
    this.since = now;
    if (this.shares > MEMORY) {
      this.shares /= 2;
      this.effort /= 2;
    }
    const ratio = this.ratio(this.effort);
    if (this.shares >= SHARES) return this.isOff(ratio) && this.set(this.difficulty * ratio);
    return (
      this.shares >= FEW_SHARES &&
      ratio > FAR_OFF &&
      this.set(this.difficulty * Math.min(MOST_UP, ratio * PART_OF_THE_WAY))
    );
  }

  /** Every moment: a miner too slow for its difficulty is helped down. Answers whether the difficulty changed. */
  tick(now = performance.now()): boolean {
    if (this.suggested) return false;
    const seconds = this.seconds(now);
    if (this.shares === 0) {
      if (seconds < this.settings.targetSeconds * SEARCH_PART) return false;
      this.since = now;
      return this.set(this.difficulty / SEARCH_STEP);
    }
    const ratio = this.ratio(this.effort + seconds / this.difficulty);
    return ratio < 1 / OFF && this.set(this.difficulty * ratio);
  }

  private seconds(now: number): number {
    return Math.max(0, now - this.since) / 1000;
  }

  /** The difficulty that fits, over the present one. */
  private ratio(effort: number): number {
    return (this.shares / Math.max(effort, 1e-300)) * (this.settings.targetSeconds / this.difficulty);
  }

  private isOff(ratio: number): boolean {
    return ratio > OFF || ratio < 1 / OFF;
  }

  private set(difficulty: number): boolean {
    const bounded = Math.min(this.settings.most, Math.max(this.settings.least, difficulty));
    // Three digits are enough, and a miner's target then prints the same everywhere.
    const next = this.suggested ? bounded : Number(bounded.toPrecision(3));
    if (next === this.difficulty) return false;
    this.difficulty = next;
    return true;
  }
}
