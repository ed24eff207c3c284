/** A disk that loses what a failed sync covered, and one that does not answer for a while. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import fs, { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import pino from 'pino';
import { Registry } from 'prom-client';
import { insertUsers, databaseOfFile } from '../../../platform/db/testing/test-database';
import type { Share } from '../../../stratum/ports';
import { eventually } from '../../../testing/eventually';
import { ShareIngest } from '../ingest';
import { ForgetfulDisk } from '../testing/forgetful-disk';

const log = pino({ level: 'silent' });
/** More shares than may wait for a disk. */
const MAX_WAITING = 100_000;
const database = databaseOfFile();
let folder: string;
let worker = 0;
beforeAll(async () => {
  await insertUsers(database, 'alice');
});
beforeEach(async () => {
  worker = 0;
  folder = mkdtempSync(join(tmpdir(), 'failing-disk-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const share = (): Share => ({
  subAccountId: 1,
  algorithm: 'SCRYPT',
  worker: `rig-${(worker += 1)}`,
  difficulty: 1,
  outcome: 'accepted',
  at: Date.now(),
});
const open = (options: { syncMs: number; metrics?: Registry }): Promise<ShareIngest> =>
  ShareIngest.open({ pool: database.pool, folder, log, flushMs: 3_600_000, ...options });
const onDisk = (one: Share): boolean =>
  readdirSync(folder).some((file) => readFileSync(join(folder, file), 'utf8').includes(`"${one.worker}"`));

describe('after a failed sync', () => {
  let disk: ForgetfulDisk;
  beforeEach(() => {
    disk = new ForgetfulDisk([folder]);
  });
  afterEach(() => disk.restore());

  it('a share that it covered, also one written meanwhile, is acknowledged only when it is written again', async () => {
    const ingest = await open({ syncMs: 0 });
    const [before, during, after] = [share(), share(), share()];
    let fail: (() => void) | undefined;
    disk.failure = new Promise<void>((resolve) => {
      fail = resolve;
    });
    disk.failingSyncs = 1;
    const answers = [ingest.share(before)];
    await eventually(() => disk.failingSyncs === 0, 'the sync');
    answers.push(ingest.share(during));
    await eventually(() => onDisk(during), 'the write');
    fail?.();
    await Promise.all(answers);
    answers.push(ingest.share(after));
    const acknowledged = await Promise.all(answers);
    disk.end();
    disk.cut(() => 0);
    expect([before, during, after].map(onDisk)).toEqual(acknowledged);
    expect(acknowledged).toEqual([true, true, true]);
  });

  it('shares are refused, and none is counted as recorded, until the disk takes what was not safe', async () => {
    const metrics = new Registry();
    const ingest = await open({ syncMs: 200, metrics });
    disk.failingSyncs = Infinity;
    // Nobody knows yet.
    expect(await ingest.share(share())).toBe(true);
    await eventually(async () => /ingest_sync_failures_total [1-9]/.test(await metrics.metrics()), 'the failure');
    expect(await Promise.all([ingest.share(share()), ingest.share(share())])).toEqual([false, false]);
    expect(await metrics.metrics()).toContain('ingest_shares_total{outcome="accepted"} 1');
    disk.failingSyncs = 0;
    const after = share();
    expect(await ingest.share(after)).toBe(true);
    expect(await metrics.metrics()).toContain('ingest_shares_total{outcome="accepted"} 2');

    // A full disk takes half a line: the share is refused, and it is not ready for miners, with shares or without.
    expect(await ingest.troubles()).toEqual([]);
    disk.isFull = true;
    expect(await ingest.share(share())).toBe(false);
    expect(await ingest.troubles()).toEqual(['journal']);
    disk.isFull = false;
    expect(await ingest.troubles()).toEqual([]);
    expect(await ingest.share(share())).toBe(true);
    disk.end();
    disk.cut(() => 0);
    expect(onDisk(after)).toBe(true);
  });
});

it('a disk that does not answer: the loop goes on, answers wait, at most 16 MB; then every share counts once', async () => {
  // A pipe takes 64 KB; then a write to it waits for a reader, as one to a hanging disk waits for the disk.
  const pipe = join(folder, 'pipe');
  expect(spawnSync('mkfifo', [pipe]).status).toBe(0);
  const ingest = await open({ syncMs: 1000 });
  const real = fs.open;
  let opened = 0;
  // The journals of the tests before still open files of their own.
  const spy = jest.spyOn(fs, 'open').mockImplementation(((path: string, flags: string, done: never) => {
    const isFirst = path.startsWith(folder) && path.endsWith('.jsonl') && (opened += 1) === 1;
    real(isFirst ? pipe : path, isFirst ? 'r+' : flags, done);
  }) as never);
  let reader: ChildProcess | undefined;
  try {
    const recorded: boolean[] = [];
    let sent = 0;
    // Long lines: a test worker has no memory for the answers of 300,000 short ones.
    const one = { ...share(), worker: 'rig'.padEnd(1000, '1') };
    const send = (): void => {
      sent += 1;
      void ingest.share(one).then((answer) => recorded.push(answer));
    };
    send();
    await eventually(() => recorded.length === 1, 'the first');
    while (recorded.at(-1) !== false) {
      send();
      if (sent % 1000 === 0) await nextTurn();
      if (sent > MAX_WAITING) throw new Error(`no refusal after ${sent} shares`);
      if (sent === 50) expect(ingest.busy).toBe(false);
    }
    expect(ingest.busy).toBe(true);
    const waiting = recorded.filter(Boolean).length;
    reader = spawn('cat', [pipe], { stdio: 'ignore' });
    await eventually(() => recorded.length === sent, 'all answers');
    const all = recorded.filter(Boolean).length;
    expect(all).toBeGreaterThan(waiting + 10_000);
    await ingest.stop();
    expect(ingest.busy).toBe(false);
    const { rows } = await database.pool.query('select sum(shares)::int as shares from account_1d');
    expect(rows).toEqual([{ shares: all }]);
  } finally {
    spy.mockRestore();
    reader?.kill();
  }
});
