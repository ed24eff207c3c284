/** How long a machine may be silent: a silence less likely than one in 1,000, by its work so far, is no chance. */
const ODDS = 1000;
/** Seconds from which on a machine is offline whatever its pace. */
const MOST_S = 6 * 3600;

export class Pace {
  /** Sum of the difficulty of its shares. */
  private work = 0;
  private readonly since: number;
  private until: number;

  /** `expected`: difficulty a second that is expected of it before its first share; null: nothing is known. */
  constructor(
    readonly expected: number | null,
    now = performance.now(),
  ) {
    this.since = this.until = now;
  }

  note(difficulty: number, now = performance.now()): void {
    this.work += difficulty;
    this.until = now;
  }

  /** Difficulty a second; null: unknown. */
  get rate(): number | null {
    return this.work > 0 ? this.work / this.seconds : this.expected;
  }

  private get seconds(): number {
    return Math.max(1, this.until - this.since) / 1000;
  }

  /** Seconds of silence at this difficulty that chance explains; null: unknown. */
  silence(difficulty: number | null): number | null {
    if (difficulty === null) return null;
    if (this.work > 0) return Math.min(MOST_S, this.seconds * (ODDS ** (difficulty / this.work) - 1));
    return this.expected && Math.min(MOST_S, (Math.log(ODDS) * difficulty) / this.expected);
  }
}
