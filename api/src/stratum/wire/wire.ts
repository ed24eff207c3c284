/** A socket of lines with limits. Lines above the rate are left unread: a flood waits in the network. */
import type { Socket } from 'node:net';
import type { Throttle } from './limits';
import { answerLine, type ErrorCode, type Id } from './protocol';
import { LINES_IN_A_ROW, roundRobin } from './round-robin';

export type WireOptions = {
  /** Bytes of the longest line; a longer one ends the connection. */
  maxLine: number;
  /** Bytes that may wait to be sent; a slower reader is disconnected. */
  maxBuffered: number;
  /** Each line takes one token from each. */
  rates?: readonly Throttle[];
  /** Milliseconds until a refused peer is disconnected, 0 by default: who comes back at once then comes seldom. */
  refusedMs?: number;
  onLine(line: string): void;
  /** Called once, whichever side closed; `overLimit`: the peer exceeded a limit. */
  onClose(why: string, overLimit: boolean): void;
};

const NEWLINE = 10;
/** Shortest pause of reading after the rate was exceeded, so that several lines are read at a time. */
const PAUSE_MS = 50;

export class Wire {
  /** `performance.now()` of the last whole line. */
  lastLineAt = performance.now();
  private rest: Buffer | null = null;
  private why = 'closed by the peer';
  private done = false;
  private overLimit = false;
  private pause: NodeJS.Timeout | null = null;

  constructor(
    private readonly socket: Socket,
    private readonly options: WireOptions,
  ) {
    socket.setNoDelay(true);
    socket.setKeepAlive(true, 60_000);
    socket.on('data', (chunk) => this.feed(chunk as Buffer));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (!this.done) this.why = error.code ?? error.message;
    });
    socket.on('close', () => {
      this.done = true;
      this.cleanUp();
      options.onClose(this.why, this.overLimit);
    });
  }

  get open(): boolean {
    return !this.done;
  }

  /** `message`: an object, or a line of JSON without its end. */
  send(message: object | string): void {
    if (this.done) return;
    this.socket.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
    if (this.socket.writableLength > this.options.maxBuffered) {
      this.overLimit = true;
      this.close('reads too slowly');
    }
  }

  answer(id: Id, result: unknown): void {
    this.send(answerLine(id, result));
  }
  error(id: Id, code: ErrorCode, message: string): void {
    this.send(answerLine(id, null, [code, message, null]));
  }
  notify(method: string, params: unknown[]): void {
    this.send({ id: null, method, params });
  }

  /** Ends the connection at once; data already buffered is still sent if the peer reads it. */
  close(why: string): void {
    if (this.done) return;
    this.done = true;
    this.why = why;
    this.cleanUp();
    if (this.socket.writableLength > 0 && this.socket.writableLength <= this.options.maxBuffered)
      this.socket.destroySoon();
    else this.socket.destroy();
  }

  /** Reads no more, and ends the connection after `refusedMs`. */
  refuse(why: string): void {
    const { refusedMs = 0 } = this.options;
    if (this.done) return;
    this.overLimit = true;
    if (refusedMs === 0) return this.close(why);
    this.done = true;
    this.why = why;
    this.cleanUp();
    this.socket.pause();
    this.pause = setTimeout(() => this.socket.destroy(), refusedMs);
  }

  private cleanUp(): void {
    this.rest = null;
    if (this.pause) clearTimeout(this.pause);
  }

  private feed(chunk: Buffer): void {
    if (this.done) return;
    // The answers to all lines of the chunk are one write.
    this.socket.cork();
    this.read(chunk);
    this.socket.uncork();
  }

  private read(chunk: Buffer): void {
    let start = 0;
    let lines = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      if (lines === LINES_IN_A_ROW || !roundRobin.take()) {
        this.stop(chunk.subarray(start));
        return roundRobin.later(() => this.goOn());
      }
      const wait = this.takeLine();
      if (wait > 0) {
        this.stop(chunk.subarray(start));
        this.pause = setTimeout(() => this.goOn(), Math.max(PAUSE_MS, wait));
        return;
      }
      lines += 1;
      const head = this.rest;
      this.rest = null;
      if ((head?.length ?? 0) + end - start > this.options.maxLine) return this.refuse('line too long');
      const line = head
        ? Buffer.concat([head, chunk.subarray(start, end)]).toString('utf8')
        : chunk.toString('utf8', start, end);
      start = end + 1;
      this.lastLineAt = performance.now();
      if (line.trim()) this.options.onLine(line);
      if (this.done) return;
    }
    if (start === chunk.length) return;
    if ((this.rest?.length ?? 0) + chunk.length - start > this.options.maxLine) return this.refuse('line too long');
    // Copied: a view would keep the whole chunk in memory.
    this.rest = Buffer.concat([this.rest ?? Buffer.alloc(0), chunk.subarray(start)]);
  }

  /** Takes a token from each rate; returns the milliseconds to wait when one has none. */
  private takeLine(): number {
    const { rates = [] } = this.options;
    const wait = Math.max(0, ...rates.map((rate) => rate.wait()));
    if (wait === 0) for (const rate of rates) rate.take();
    return wait;
  }

  /** Gives back what was not read: the stream does not end before it is. */
  private stop(unread: Buffer): void {
    this.socket.pause();
    this.socket.unshift(unread);
  }

  private goOn(): void {
    this.pause = null;
    if (!this.done) this.socket.resume();
  }
}
