/** Counts lines per turn of the event loop: no clock is involved. */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { setImmediate as turnOver } from 'node:timers/promises';
import { LINES_AT_ONCE, LINES_IN_A_ROW } from './round-robin';
import { Wire } from './wire';

/** A socket whose data are given, and whose writes are counted. */
class GivenSocket extends Duplex {
  constructor() {
    super({ allowHalfOpen: false });
  }
  readonly written: string[] = [];
  override _read(): void {}
  override _writev(chunks: { chunk: Buffer }[], done: () => void): void {
    this.written.push(chunks.map(({ chunk }) => chunk.toString()).join(''));
    done();
  }
  setNoDelay(): void {}
  setKeepAlive(): void {}
}

const wires: Wire[] = [];
const open = (onLine: (line: string, wire: Wire) => void): { socket: GivenSocket; wire: Wire } => {
  const socket = new GivenSocket();
  const wire: Wire = new Wire(socket as unknown as Socket, {
    maxLine: 100,
    maxBuffered: 10_000,
    onLine: (line) => onLine(line, wire),
    onClose: () => undefined,
  });
  wires.push(wire);
  return { socket, wire };
};
afterEach(() => {
  for (const wire of wires.splice(0)) wire.close('over');
});

it('of a flood a turn of the event loop reads a bounded number of lines, and who sends one line is soon read', async () => {
  const FLOODERS = 20;
  const LINES = 100;
  const read: string[][] = Array.from({ length: FLOODERS }, () => []);
  let count = 0;
  const flooders = read.map((lines) =>
    open((line) => {
      count += 1;
      lines.push(line);
    }),
  );
  let honestAfter = NaN;
  const honest = open(() => {
    honestAfter = count;
  });
  const sent = Array.from({ length: LINES }, (_, i) => `line ${i}`);
  for (const { socket } of flooders) socket.push(Buffer.from(`${sent.join('\n')}\n`));
  honest.socket.push(Buffer.from('hello\n'));
  const turns: number[] = [];
  for (let before = 0; count < FLOODERS * LINES && turns.length < FLOODERS * LINES; before = count) {
    await turnOver();
    turns.push(count - before);
  }
  expect(Math.max(...turns)).toBe(LINES_AT_ONCE);
  expect(honestAfter).toBeLessThanOrEqual(FLOODERS * 2 * LINES_IN_A_ROW);
  expect(read.every((lines) => lines.join() === sent.join())).toBe(true);
});

it('lines that were sent before the end of the stream are all read', async () => {
  let count = 0;
  const { socket } = open(() => (count += 1));
  const closed = once(socket, 'close');
  socket.push(Buffer.from('line\n'.repeat(100)));
  socket.push(null);
  await closed;
  expect(count).toBe(100);
});

it('the answers to lines that came together are one write', async () => {
  const { socket } = open((line, wire) => wire.send(`answer to ${line}`));
  socket.push(Buffer.from('1\n2\n3\n'));
  await turnOver();
  expect(socket.written).toEqual(['answer to 1\nanswer to 2\nanswer to 3\n']);
});
