/** Variable difficulty of one connection, from its shares and the time each took (docs/adr/0018-vardiff.md). */
import { type Machine, type Search, SLOW } from './machines';

export type VardiffSettings = {
  max: number;
  /** Seconds from share to share in the long run. */
  targetSeconds: number;
  /** The same where the upstream's difficulty is so low that the miner would flood it. */
  fastestSeconds: number;
};
export const VARDIFF: VardiffSettings = { max: 1e15, targetSeconds: 6, fastestSeconds: 1 / 10 };

/** The first shares of a connection come faster, so that its hashrate is known soon. */
const EARLY_SHARES = 64;
const EARLY_PART = 1 / 4;
/** Shares after which the estimate is trusted. */
const MIN_SHARES = 8;
/** So few shares prove with 95 % that no more than this were to be expected in their time: a slow start is not luck. */
const atMost = (shares: number): number => shares + 2 * Math.sqrt(shares) + 3;
/** So many shares prove with 95 % that at least this were to be expected in their time: a fast start is not luck. */
const atLeast = (shares: number): number => shares - 2 * Math.sqrt(shares);
/** Number of shares in the estimate, about: more are steadier, fewer follow a change sooner. */
const WINDOW_SHARES = 48;
/** The difficulty is changed when it is wrong by more than this factor. */
const DEAD_BAND = 2;
/** Largest step, except when the shares come far too fast: then the estimate counts whole. */
const MAX_STEP = 4;
/** Factor from which on shares that come too fast are a flood. */
export const FAR_TOO_FAST = 8;
/** No share in SILENCE target times proves with 95 % that the right difficulty is at most 3 / SILENCE of the current. */
const SILENCE = 10;
/** A difficulty the miner asked for stays unless its shares come faster than this, in seconds, or not at all. */
const ASKED_FASTEST = 1 / 50;
const ASKED_FIRST = 60;
const ASKED_SILENCE = 300;

export class Vardiff {
  difficulty: number;
  /** What would suit the miner if nothing limited it. */
  wanted: number;
  /** Never adjusted. */
  fixed = false;
  /** A change would cost the miner now (docs/adr/0018): only a flood is worth it. */
  held = false;
  private asked = false;
  private most = Infinity;
  /** Shares in the estimate, and the sum of seconds / difficulty each took: their ratio is the work a second. */
  private shares = 0;
  private effort = 0;
  private total = 0;
  /** Time of the last share, or of the last step while there is no share. */
  private since = performance.now();

  constructor(
    private readonly settings: VardiffSettings,
    private machine: Machine,
  ) {
    this.difficulty = this.wanted = machine.start;
    this.set(machine.start);
  }

  /** Starts anew with another machine; nothing was sent yet. */
  setMachine(machine: Machine): void {
    this.machine = machine;
    if (!this.asked) this.set(machine.start);
  }

  /** Takes the difficulty that a miner asks for before its first share; returns whether the difficulty changed. */
  ask(difficulty: number): boolean {
    if (this.total > 0) return false;
    this.asked = true;
    this.since = performance.now();
    return this.set(difficulty);
  }

  /** Limits it to what the upstream counts: above, its work would be worth less than it is. */
  limit(most: number): void {
    this.most = most;
    this.set(this.wanted);
  }

  /** It begins to work now. */
  rest(now = performance.now()): void {
    this.since = now;
  }

  /** Counts an accepted share of a job of this difficulty; returns whether the difficulty changed. */
  share(difficulty: number, now = performance.now()): boolean {
    this.total += 1;
    if (this.fixed) return false;
    if (difficulty !== this.difficulty) {
      // The miner was still busy with an older job: its share says nothing of the pace at the current difficulty. But
      // while nothing else is known, a harder one says that the search went too far.
      this.since = now;
      return this.shares === 0 && difficulty > this.difficulty && this.set(difficulty);
    }
    this.effort += this.seconds(now) / difficulty;
    this.shares += 1;
    this.since = now;
    return this.judge();
  }

  /** A change costs the miner nothing now: makes the one that was held. */
  release(now = performance.now()): void {
    if (!this.held) return;
    this.held = false;
    if (!this.fixed && !this.judge()) this.tick(now);
  }

  private judge(): boolean {
    if (this.shares < MIN_SHARES) return false;
    if (this.asked && this.difficulty * this.effort >= atLeast(this.shares) * ASKED_FASTEST) return false;
    this.asked = false;
    const ratio = this.ratio(this.effort);
    if (this.shares > WINDOW_SHARES) {
      this.shares /= 2;
      this.effort /= 2;
    }
    return this.adjust(ratio);
  }

  /** Called at intervals: lowers the difficulty of a miner too slow for it. Returns whether the difficulty changed. */
  tick(now = performance.now()): boolean {
    // While there is no share the right one is searched.
    if (this.fixed || (this.held && this.shares > 0)) return false;
    const seconds = this.seconds(now);
    const { targetSeconds } = this.settings;
    if (this.shares === 0) {
      const { seconds: patience, factor } = this.search;
      if (seconds < patience) return false;
      this.asked = false;
      this.since = now;
      return this.set(this.difficulty * factor);
    }
    if (seconds > (this.asked ? ASKED_SILENCE : SILENCE * targetSeconds)) {
      this.asked = false;
      this.shares = 0;
      this.effort = 0;
      this.since = now;
      return this.set((this.difficulty * 3) / SILENCE);
    }
    if (this.asked) return false;
    const isFew = this.shares < MIN_SHARES;
    const ratio = this.ratio(this.effort + seconds / this.difficulty, isFew ? atMost(this.shares) : this.shares);
    return ratio < (isFew ? 1 / MAX_STEP : 1) && this.adjust(ratio);
  }

  /** Whether `wanted` is more than a guess: by its software, its wish or its shares. */
  get isKnown(): boolean {
    return this.machine.isKnown || this.asked || this.total >= MIN_SHARES;
  }

  private get search(): Search {
    if (this.asked) return { seconds: ASKED_FIRST, factor: SLOW.factor };
    return this.total > 0 ? SLOW : this.machine.search;
  }

  private adjust(ratio: number): boolean {
    if (ratio < DEAD_BAND && ratio > 1 / DEAD_BAND) return false;
    if (this.held && ratio < FAR_TOO_FAST) return false;
    const step = ratio >= FAR_TOO_FAST ? ratio : Math.min(MAX_STEP, Math.max(1 / MAX_STEP, ratio));
    return this.set(this.difficulty * step);
  }

  private seconds(now: number): number {
    return Math.max(0, now - this.since) / 1000;
  }

  /** The right difficulty divided by the current one. */
  private ratio(effort: number, shares = this.shares): number {
    const target = this.settings.targetSeconds * (this.total < EARLY_SHARES ? EARLY_PART : 1);
    return (shares / Math.max(effort, 1e-300)) * (target / this.difficulty);
  }

  /** Whole numbers above 1, three digits below: some firmware reads no others. */
  private set(difficulty: number): boolean {
    const { max, targetSeconds, fastestSeconds } = this.settings;
    this.wanted = Math.min(max, Math.max(this.machine.floor, difficulty));
    const slowest = (this.wanted * fastestSeconds) / targetSeconds;
    const isFlood = slowest > this.most;
    if (isFlood && this.difficulty / slowest < DEAD_BAND && slowest / this.difficulty < DEAD_BAND) return false;
    const bounded = Math.min(this.wanted, Math.max(this.most, slowest));
    const next = bounded >= 1 ? Math.round(bounded) : Number(bounded.toPrecision(3));
    if (next === this.difficulty) return false;
    this.difficulty = next;
    return true;
  }
}
