/** Round robin of the sockets that have lines to read, a bounded number of lines in one turn of the event loop. */
import { oncePerTurn } from '../../platform/next-turn';

/** About two milliseconds of work. */
export const LINES_AT_ONCE = 64;
/** Lines of one socket in a row; then the other sockets that wait are read. */
export const LINES_IN_A_ROW = 8;

export class LineRoundRobin {
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

  /** Calls `read` in a later iteration, after those that wait already. */
  later(read: () => void): void {
    this.waiting.push(read);
    this.plan();
  }

  private next(): void {
    this.left = LINES_AT_ONCE;
    for (const read of this.waiting.splice(0, LINES_AT_ONCE / LINES_IN_A_ROW)) read();
    if (this.waiting.length) this.plan();
  }
}
