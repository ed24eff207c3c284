/** Round robin of the sockets that have lines to read, a bounded number of lines in one turn of the event loop. */
import { oncePerTurn } from '../../platform/next-turn';

/** About two milliseconds of work. */
export const LINES_AT_ONCE = 64;
/** Lines of one socket in a row; then the other sockets that wait are read. */
export const LINES_IN_A_ROW = 8;

class LineRoundRobin {
  private left = LINES_AT_ONCE;
  private readonly plan = oncePerTurn(() => this.next());
  private readonly waiting: (() => void)[] = [];

  /** Whether one more line may be read in this iteration. */
  take(): boolean {
    if (this.left === 0) return false;
    this.left -= 1;
    this.plan();
    return true;
  }

  /** Calls `work` in a later iteration, after those that wait already: the reading or writing of some lines. */
  later(work: () => void): void {
    this.waiting.push(work);
    this.plan();
  }

  private next(): void {
    this.left = LINES_AT_ONCE;
    for (const work of this.waiting.splice(0, LINES_AT_ONCE / LINES_IN_A_ROW)) work();
    if (this.waiting.length) this.plan();
  }
}

/** Shared by all sockets of this process. */
export const roundRobin = new LineRoundRobin();
