/**
 * Bounds the lines that all sockets together read in one turn of the event loop, so that requests and timers are served
 * between the lines of a flood.
 */
import { oncePerTurn } from '../../next-turn';

/** About two milliseconds of work. */
export const LINES_A_TURN = 64;
/** Lines of one socket in a row; then the other sockets that wait are read. */
export const LINES_IN_A_ROW = 8;

export class Turn {
  private left = LINES_A_TURN;
  private readonly plan = oncePerTurn(() => this.next());
  private readonly waiting: (() => void)[] = [];

  /** Whether one more line may be read in this turn. */
  take(): boolean {
    if (this.left === 0) return false;
    this.left -= 1;
    this.plan();
    return true;
  }

  /** Calls `read` in a later turn, after those that wait already. */
  later(read: () => void): void {
    this.waiting.push(read);
    this.plan();
  }

  private next(): void {
    this.left = LINES_A_TURN;
    for (const read of this.waiting.splice(0, LINES_A_TURN / LINES_IN_A_ROW)) read();
    if (this.waiting.length) this.plan();
  }
}
