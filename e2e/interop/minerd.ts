/** A miner that nobody here wrote: pooler's cpuminer, run as a program of its own. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = path.resolve(__dirname, '../..');
/** Its source as published stands beside the checkout, never in it. */
const SOURCE = path.resolve(ROOT, '../shared/interop/cpuminer.tar.gz');
const BUILT = path.join(ROOT, '.cache/interop');

async function build(): Promise<string> {
  const program = path.join(BUILT, 'cpuminer/minerd');
  if (existsSync(program)) return program;
  const folder = `${BUILT}.${process.pid}`;
  await mkdir(folder, { recursive: true });
  await run('tar', ['xzf', SOURCE, '-C', folder]);
  await run('sh', ['-c', './autogen.sh && ./configure CFLAGS=-O2 --disable-assembly && make -j2'], {
    cwd: path.join(folder, 'cpuminer'),
    maxBuffer: 1 << 24,
  });
  await rm(BUILT, { recursive: true, force: true });
  await rename(folder, BUILT);
  return program;
}

/** Path of the program: `MINERD`, or built from the source beside the checkout; null where there is neither. */
export function minerd(): Promise<string> | null {
  if (process.env.MINERD) return Promise.resolve(process.env.MINERD);
  return existsSync(SOURCE) || existsSync(BUILT) ? build() : null;
}

export type Mined = {
  /** Seconds from the start to the first accepted share; null without one. */
  firstShare: number | null;
  accepted: number;
  refused: number;
  /** Why, in the pool's words. */
  reasons: string[];
  /** Hashes that it says it did, and the seconds they took. */
  hashes: number;
  seconds: number;
  disconnects: number;
};

export class Minerd {
  private readonly child: ChildProcess;
  private readonly startedAt = performance.now();
  private readonly mined: Mined = {
    firstShare: null,
    accepted: 0,
    refused: 0,
    reasons: [],
    hashes: 0,
    seconds: 0,
    disconnects: 0,
  };
  /** The last lines it printed. */
  readonly output: string[] = [];

  constructor(program: string, algorithm: 'sha256' | 'scrypt', port: number, user: string) {
    this.child = spawn(
      program,
      [
        '-a',
        algorithm === 'sha256' ? 'sha256d' : 'scrypt',
        '-t',
        '1',
        // It tells why a share was refused only so.
        '-D',
        '-o',
        `stratum+tcp://127.0.0.1:${port}`,
        '-O',
        `${user}:x`,
      ],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    );
    for (const stream of [this.child.stdout, this.child.stderr])
      if (stream) createInterface({ input: stream }).on('line', (line) => this.onLine(line));
  }

  /** What it has done so far. */
  get done(): Mined {
    return { ...this.mined };
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = new Promise((resolve) => {
      this.child.once('exit', resolve);
    });
    this.child.kill();
    await ended;
  }

  private onLine(line: string): void {
    this.output.push(line);
    if (this.output.length > 200) this.output.shift();
    const seconds = (performance.now() - this.startedAt) / 1000;
    const hashes = /thread \d+: (\d+) hashes/.exec(line);
    if (hashes) Object.assign(this.mined, { hashes: this.mined.hashes + Number(hashes[1]), seconds });
    const verdict = /accepted: (\d+)\/(\d+)/.exec(line);
    if (verdict) {
      const [accepted, all] = [Number(verdict[1]), Number(verdict[2])];
      if (accepted > 0) this.mined.firstShare ??= seconds;
      Object.assign(this.mined, { accepted, refused: all - accepted });
    }
    const reason = /reject reason: (.*)/.exec(line)?.[1];
    if (reason) this.mined.reasons.push(reason);
    if (/Stratum connection (interrupted|failed|timed out)/i.test(line)) this.mined.disconnects += 1;
  }
}
