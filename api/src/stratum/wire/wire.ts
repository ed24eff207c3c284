/** A socket that speaks lines: with a longest line, and a most that may wait to be sent. */
import type { Socket } from 'node:net';

export type WireOptions = {
  /** Bytes of the longest line taken; a longer one ends the connection. */
  maxLine: number;
  /** Bytes that may wait to be sent; a peer that reads slower is let go. */
  maxBuffered: number;
  onLine(line: string): void;
  /** Once, whoever ended it; `overLimit`: the peer broke one of the limits. */
  onClose(why: string, overLimit: boolean): void;
};

const NEWLINE = 10;

export class Wire {
  /** `performance.now()` of the last whole line. */
  lastLineAt = performance.now();
  private rest: Buffer | null = null;
  private why = 'closed by the peer';
  private done = false;
  private overLimit = false;

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
      this.rest = null;
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
    this.rest = null;
    if (this.socket.writableLength > 0 && this.socket.writableLength <= this.options.maxBuffered)
      this.socket.destroySoon();
    else this.socket.destroy();
  }

  private refuse(why: string): void {
    this.overLimit = true;
    this.close(why);
  }

  private feed(chunk: Buffer): void {
    if (this.done) return;
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
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
    // A copy: a view would keep the whole chunk alive.
    this.rest = Buffer.concat(this.rest ? [this.rest, chunk.subarray(start)] : [chunk.subarray(start)]);
  }
}
