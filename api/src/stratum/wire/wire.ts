/**
 * A socket that sends and receives lines, with limits on line length, unsent bytes and lines a second. Lines above the
 * rate are left unread, so that a flood waits in the network and costs others nothing.
 */
import type { Socket } from 'node:net';
import type { Throttle } from './limits';

export type WireOptions = {
  /** Bytes of the longest line; a longer one ends the connection. */
  maxLine: number;
  /** Bytes that may wait to be sent; a slower reader is disconnected. */
  maxBuffered: number;
  /** Each line takes one token from each. */
  rates?: readonly Throttle[];
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
    if (this.socket.writableLength > this.options.maxBuffered) this.refuse('reads too slowly');
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

  private cleanUp(): void {
    this.rest = null;
    if (this.pause) clearTimeout(this.pause);
  }

  private refuse(why: string): void {
    this.overLimit = true;
    this.close(why);
  }

  private feed(chunk: Buffer): void {
    if (this.done) return;
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      const wait = this.takeLine();
      if (wait > 0) {
        this.keep(chunk.subarray(start));
        return this.pauseFor(wait);
      }
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
    this.keep(chunk.subarray(start));
  }

  private keep(chunk: Buffer): void {
    // Copied: a view would keep the whole chunk in memory.
    this.rest = Buffer.concat(this.rest ? [this.rest, chunk] : [chunk]);
  }

  /** Takes a token from each rate; returns the milliseconds to wait when one has none. */
  private takeLine(): number {
    const { rates = [] } = this.options;
    const wait = Math.max(0, ...rates.map((rate) => rate.wait()));
    if (wait === 0) for (const rate of rates) rate.take();
    return wait;
  }

  private pauseFor(ms: number): void {
    this.socket.pause();
    this.pause = setTimeout(
      () => {
        this.pause = null;
        const waiting = this.rest ?? Buffer.alloc(0);
        this.rest = null;
        this.feed(waiting);
        if (!this.pause) this.socket.resume();
      },
      Math.max(PAUSE_MS, ms),
    );
  }
}
