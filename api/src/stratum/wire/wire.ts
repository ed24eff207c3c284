/**
 * A socket that speaks lines: with a longest line, a most that may wait to be sent, and so many lines a second. Lines that
 * come faster are not read until there is time for them, so that a flood waits in the network and costs nobody else.
 */
import type { Socket } from 'node:net';
import type { Rate } from './limits';

export type WireOptions = {
  /** Bytes of the longest line taken; a longer one ends the connection. */
  maxLine: number;
  /** Bytes that may wait to be sent; a peer that reads slower is let go. */
  maxBuffered: number;
  /** Every line takes one of each. */
  rates?: readonly Rate[];
  onLine(line: string): void;
  /** Once, whoever ended it; `overLimit`: the peer broke one of the limits. */
  onClose(why: string, overLimit: boolean): void;
};

const NEWLINE = 10;
/** Who sends too fast is read again after at least so long: several lines at a time. */
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
      this.letGo();
      options.onClose(this.why, this.overLimit);
    });
  }

  get open(): boolean {
    return !this.done;
  }

  send(message: object): void {
    if (this.done) return;
    this.socket.write(`${JSON.stringify(message)}\n`);
    if (this.socket.writableLength > this.options.maxBuffered) this.refuse('reads too slowly');
  }

  /** Ends the connection at once; what was sent before still goes out if the peer takes it. */
  close(why: string): void {
    if (this.done) return;
    this.done = true;
    this.why = why;
    this.letGo();
    if (this.socket.writableLength > 0 && this.socket.writableLength <= this.options.maxBuffered)
      this.socket.destroySoon();
    else this.socket.destroy();
  }

  private letGo(): void {
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
    // A copy: a view would keep the whole chunk alive.
    this.rest = Buffer.concat(this.rest ? [this.rest, chunk] : [chunk]);
  }

  /** Takes one of each rate; answers the milliseconds to wait when one of them has none. */
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
