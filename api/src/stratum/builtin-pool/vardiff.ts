/** Difficulty of one connection: a share about every ten seconds, or what the miner asked for. */
export type VardiffSettings = { start: number; least: number; most: number; targetSeconds: number };
export const VARDIFF: VardiffSettings = { start: 256, least: 1e-7, most: 1e15, targetSeconds: 10 };

/** Shares after which the pace is judged, and how far one step goes. */
const SHARES = 8;
const STEP_UP = 16;
const STEP_DOWN = 8;

export class Vardiff {
  difficulty: number;
  /** Asked for by the miner: stays. */
  suggested = false;
  private shares = 0;
  private since = performance.now();

  constructor(private readonly settings: VardiffSettings) {
    this.difficulty = settings.start;
  }

  /** Takes a miner's wish; answers whether the difficulty changed. */
  suggest(difficulty: number): boolean {
    this.suggested = true;
    return this.set(difficulty, performance.now());
  }

  /** After an accepted share; answers whether the difficulty changed. */
  share(now = performance.now()): boolean {
    this.shares += 1;
    if (this.suggested) return false;
    const seconds = Math.max(0.01, (now - this.since) / 1000);
    const fast = this.shares / seconds > 4 / this.settings.targetSeconds && this.shares >= 3;
    if (this.shares < SHARES && !fast) return false;
    const ratio = (this.shares * this.settings.targetSeconds) / seconds;
    if (ratio > 0.6 && ratio < 1.6) {
      this.restart(now);
      return false;
    }
    return this.set(this.difficulty * Math.min(STEP_UP, Math.max(1 / STEP_DOWN, ratio)), now);
  }

  /** Every few seconds: a miner too slow for its difficulty is helped down. */
  tick(now = performance.now()): boolean {
    if (this.suggested || this.shares > 0 || now - this.since < this.settings.targetSeconds * 1000)
      return this.slow(now);
    return this.set(this.difficulty / STEP_DOWN, now);
  }

  private slow(now: number): boolean {
    const seconds = (now - this.since) / 1000;
    if (this.suggested || this.shares === 0 || seconds < this.settings.targetSeconds * 6) return false;
    const ratio = (this.shares * this.settings.targetSeconds) / seconds;
    return ratio < 0.6 ? this.set(this.difficulty * ratio, now) : false;
  }

  private restart(now: number): void {
    this.shares = 0;
    this.since = now;
  }

  private set(difficulty: number, now: number): boolean {
    const bounded = Math.min(this.settings.most, Math.max(this.settings.least, difficulty));
    // Three digits are enough, and a miner's target then prints the same everywhere.
    const next = this.suggested ? bounded : Number(bounded.toPrecision(3));
    this.restart(now);
    if (next === this.difficulty) return false;
    this.difficulty = next;
    return true;
  }
}
