import { once } from 'node:events';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { setImmediate as turnOver } from 'node:timers/promises';
import { LINES_AT_ONCE, LINES_IN_A_ROW } from './round-robin';
import { Wire } from './wire';
import { decimal, ERROR, isHex, isHexUpTo, parseLine, readError } from './protocol';

/** Counts lines per turn of the event loop: no clock is involved. */
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

describe('parseLine', () => {
  it.each([
    [
      '{"id":1,"method":"mining.subscribe","params":[]}',
      { kind: 'request', id: 1, method: 'mining.subscribe', params: [] },
    ],
    [
      '{"method":"mining.notify","params":["a"]}',
      { kind: 'request', id: null, method: 'mining.notify', params: ['a'] },
    ],
    ['{"id":"x","method":"mining.submit"}', { kind: 'request', id: 'x', method: 'mining.submit', params: [] }],
    ['{"id":2,"result":true,"error":null}', { kind: 'answer', id: 2, result: true, error: null }],
    ['{"id":2,"error":[21,"Stale",null]}', { kind: 'answer', id: 2, result: undefined, error: [21, 'Stale', null] }],
    ['{"id":2,"result":null}\0', { kind: 'answer', id: 2, result: null, error: null }],
  ])('reads %s', (line, message) => expect(parseLine(line)).toEqual(message));

  it.each([
    '',
    '{',
    '[]',
    '{}',
    '{"id":{},"method":"a"}',
    '{"id":1,"method":"a","params":{}}',
    '{"id":1,"method":5,"result":true}',
    '{"id":true,"result":1}',
  ])('refuses %s', (line) => expect(parseLine(line)).toBeNull());

  it('ignores __proto__ in a line', () => {
    expect(parseLine('{"__proto__":{"method":"mining.submit"},"id":1}')).toBeNull();
  });
});

it.each([
  [1e-7, '0.0000001'],
  [1.5e-5, '0.000015'],
  [0.25, '0.25'],
  [1e12, '1000000000000'],
])('writes a difficulty of %d without an exponent', (difficulty, text) => expect(decimal(difficulty)).toBe(text));

describe('readError', () => {
  it.each([
    [[21, 'Job not found', null], { code: ERROR.stale, message: 'Job not found' }],
    [
      { code: 22, message: 'dup' },
      { code: ERROR.duplicate, message: 'dup' },
    ],
    [[-2, 'odd'], { code: ERROR.other, message: 'odd' }],
    [null, { code: ERROR.other, message: 'Rejected' }],
    // ckpool, and pools that send words in place of codes.
    ['Above target', { code: ERROR.lowDifficulty, message: 'Above target' }],
    ['Stale', { code: ERROR.stale, message: 'Stale' }],
    ['Duplicate', { code: ERROR.duplicate, message: 'Duplicate' }],
    [[-3, 'Job not found'], { code: ERROR.stale, message: 'Job not found' }],
    [[20, 'Low difficulty share', null], { code: ERROR.other, message: 'Low difficulty share' }],
  ])('reads %j', (error, expected) => expect(readError(error)).toEqual(expected));
});

describe('hexadecimal', () => {
  it('counts bytes', () => {
    expect(['00ff', '00FF'].every((text) => isHex(text, 2))).toBe(true);
    expect(['00f', '00fg', 2, null, '0x00'].some((text) => isHex(text, 2))).toBe(false);
  });
  it('limits the length', () => {
    expect(['', '0011'].every((text) => isHexUpTo(text, 4))).toBe(true);
    expect(['001', '0011223344'].some((text) => isHexUpTo(text, 4))).toBe(false);
  });
});
