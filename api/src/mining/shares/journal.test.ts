import fs, { readFileSync, rmSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Pool } from 'pg';
import pino from 'pino';
import { stream } from '../../demo/random';
import { databaseOfFile, insertUsers } from '../../platform/db/testing/test-database';
import { FolderInUse, lockFolder } from '../../platform/lock';
import { ShareIngest } from './ingest';
import { refusedIn, segmentsIn } from './journal/journal-folder';
import { ForgetfulDisk, overwrite } from './testing/forgetful-disk';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { Registry } from 'prom-client';
import type { Share } from '../../stratum/ports';
import { eventually } from '../../testing/eventually';
import { newFolder } from '../../testing/folder';

/**
 * Random scenarios of a journal, twelve or with HEAVY=1 a thousand: shares, counting, database failures, refused
 * shares, unreadable lines, a full disk, failed syncs, clock jumps, a second owner of the folder, kills and power cuts.
 * Each acknowledged share is counted once in the end, listed as refused, or was lost in a power cut within the promised
 * time.
 */
describe('random scenarios', () => {
  const SCENARIOS = Number(process.env.SCENARIOS ?? (process.env.HEAVY ? 1000 : 12));
  const FIRST = Number(process.env.FIRST_SCENARIO ?? 1);
  const STEPS = 14;
  const SYNC_MS = [0, 4, 1000];
  const JUMPS_S = [1, 60, 86_400, 400 * 86_400];
  const POISON = "alter table worker add constraint no_poison check (name !~ '^poison')";
  const log = pino({ level: 'silent' });

  type Sent = {
    worker: string;
    /** `performance.now` before the call and after the acknowledgement. */
    before: number;
    after: number;
    acknowledged: boolean;
    /** Number of the first power cut after it; infinite without one. */
    cut: number;
  };

  const database = databaseOfFile();
  beforeAll(async () => {
    await database.pool.query("insert into app_user (id, identity_id, user_name) values (1, 'x', 'alice')");
    await database.pool.query(POISON);
  });
  afterEach(() => jest.restoreAllMocks());

  class Scenario {
    readonly sent: Sent[] = [];
    cuts = 0;
    away = false;
    private readonly data = newFolder();
    readonly folder = join(this.data, 'journal');
    private readonly disk = new ForgetfulDisk([this.folder, join(this.folder, 'refused')]);
    private readonly clock = jest.spyOn(Date, 'now');
    private offset = 0;
    /** Answers to the shares of the running process. */
    private answers: Promise<unknown>[] = [];
    private ingest!: ShareIngest;
    private end = (): void => undefined;

    constructor(
      private readonly account: number,
      private readonly random: () => number,
      private readonly syncMs: number,
    ) {
      const real = performance.timeOrigin;
      this.clock.mockImplementation(() => Math.floor(real + performance.now() + this.offset));
    }

    private upTo(max: number): number {
      return 1 + Math.floor(this.random() * max);
    }

    async start(): Promise<void> {
      let dead = false;
      const lock = await lockFolder(this.data);
      // A dead process cannot query the database.
      const pool = new Proxy(database.pool, {
        get: (target, key: keyof Pool) => {
          if ((this.away || dead) && (key === 'connect' || key === 'query'))
            return () => Promise.reject(new Error('connection refused'));
          const value: unknown = target[key];
          return typeof value === 'function' ? value.bind(target) : value;
        },
      });
      this.ingest = await ShareIngest.open({ pool, folder: this.folder, log, flushMs: 3_600_000, syncMs: this.syncMs });
      this.answers = [];
      this.end = () => {
        dead = true;
        this.disk.end();
        void lock.release();
      };
    }

    async mine(): Promise<void> {
      for (let n = this.upTo(6); n > 0; n -= 1) {
        const worker = `${this.random() < 0.1 ? 'poison' : 'rig'}${this.sent.length}x`;
        const sent: Sent = { worker, before: performance.now(), after: 0, acknowledged: false, cut: Infinity };
        this.sent.push(sent);
        const kept = this.ingest.share({
          subAccountId: this.account,
          algorithm: 'SCRYPT',
          worker,
          difficulty: 1,
          outcome: 'accepted',
          at: Date.now(),
        });
        const { cuts, ingest } = this;
        const responded = (accepted: boolean): void => {
          sent.after = performance.now();
          // A dead process acknowledges nothing.
          if (accepted && ingest === this.ingest && cuts === this.cuts) sent.acknowledged = true;
        };
        const answer = kept.then(responded);
        this.answers.push(answer);
        if (this.random() < 0.5) await answer;
      }
    }

    readonly flush = (): Promise<void> => this.ingest.flush();

    toggleDatabase(): void {
      this.away = !this.away;
    }

    /** Mines with a disk that takes only half of each line. */
    async fullDisk(): Promise<void> {
      await Promise.all(this.answers);
      this.disk.isFull = true;
      const before = this.sent.length;
      await this.mine();
      await Promise.all(this.answers);
      this.disk.isFull = false;
      expect(this.sent.slice(before).some(({ acknowledged }) => acknowledged)).toBe(false);
    }

    /** Mines while syncs fail: one, which loses what it covered, or all until the next shares. */
    async failedSync(): Promise<void> {
      this.disk.failingSyncs = this.random() < 0.5 ? 1 : Infinity;
      await this.mine();
      if (this.random() < 0.5) await Promise.all(this.answers);
      this.disk.failingSyncs = 0;
    }

    jumpClock(): void {
      const max = JUMPS_S[this.upTo(JUMPS_S.length) - 1] ?? 0;
      this.offset += (this.random() - 0.5) * 2 * max * 1000;
    }

    async secondOwner(): Promise<void> {
      await expect(lockFolder(this.data)).rejects.toThrow(FolderInUse);
    }

    async kill(): Promise<void> {
      await nextTurn();
      this.end();
      // Corrupt a line of a waiting file: the worker's name stays readable, but the share does not.
      const [segment] = segmentsIn(this.folder);
      if (segment && this.random() < 0.4)
        overwrite(segment.path, (content) => Buffer.from(content.toString('latin1').replace('[', '?'), 'latin1'));
      await this.start();
    }

    async powerCut(): Promise<void> {
      await nextTurn();
      this.end();
      this.cuts += 1;
      this.disk.cut(this.random);
      for (const sent of this.sent) sent.cut = Math.min(sent.cut, this.cuts);
      await this.start();
    }

    /** Ends all failures and retries until refused segments are set aside. Returns the text of the refused lines. */
    async settle(): Promise<string> {
      this.away = false;
      for (let flush = 0; flush < 4; flush += 1) await this.ingest.flush();
      const uncounted = await this.ingest.uncounted();
      expect(uncounted.filter(({ why }) => why === 'waiting')).toEqual([]);
      const text = refusedIn(this.folder).map(({ path }) => readFileSync(path, 'latin1'));
      expect(uncounted.reduce((sum, { lines }) => sum + lines, 0)).toBe(text.join('').split('\n').length - 1);
      return text.join('');
    }

    async stop(): Promise<void> {
      await this.ingest.stop();
      this.end();
      this.disk.restore();
      this.clock.mockRestore();
      rmSync(this.data, { recursive: true, force: true });
    }
  }

  async function countedOf(account: number): Promise<Map<string, number>> {
    const { rows } = await database.pool.query<{ name: string; shares: number }>(
      `select w.name, sum(s.shares)::int as shares
       from worker w
       join share_1d s on s.sub_account_id = w.sub_account_id and s.worker_id = w.id
       where w.sub_account_id = $1
       group by 1`,
      [account],
    );
    return new Map(rows.map(({ name, shares }) => [name, shares]));
  }

  /** The shares lost in each power cut were acknowledged within `syncMs` of each other. */
  function expectWithinPromise(lost: Sent[], syncMs: number): void {
    for (const cut of new Set(lost.map((sent) => sent.cut))) {
      const times = lost.filter((sent) => sent.cut === cut);
      expect(cut).toBeLessThan(Infinity);
      expect(
        Math.max(...times.map(({ before }) => before)) - Math.min(...times.map(({ after }) => after)),
      ).toBeLessThan(syncMs);
    }
  }

  /** Acknowledged shares of all scenarios. */
  const totals = { counted: 0, refused: 0, lost: 0 };
  const seeds = Array.from({ length: SCENARIOS }, (_, i) => FIRST + i);
  it.each(seeds)('scenario %i', async (seed) => {
    const random = stream(seed);
    await database.pool.query("insert into sub_account (id, user_id, name) values ($1, 1, 'account' || $1::int)", [
      seed,
    ]);
    const syncMs = SYNC_MS[seed % SYNC_MS.length] ?? 0;
    const scenario = new Scenario(seed, random, syncMs);
    await scenario.start();
    const steps: (() => unknown)[] = [
      () => scenario.flush(),
      () => scenario.flush(),
      () => scenario.toggleDatabase(),
      () => scenario.fullDisk(),
      () => scenario.failedSync(),
      () => scenario.jumpClock(),
      () => scenario.secondOwner(),
      () => scenario.kill(),
      () => scenario.powerCut(),
    ];
    for (let step = 0; step < STEPS; step += 1) {
      await scenario.mine();
      await steps[Math.floor(random() * steps.length)]?.();
    }
    const refused = await scenario.settle();
    const counted = await countedOf(seed);
    const isRefused = (sent: Sent): boolean => refused.includes(`"${sent.worker}"`);
    const lost: Sent[] = [];
    for (const sent of scenario.sent) {
      const times = counted.get(sent.worker) ?? 0;
      expect(times + Number(isRefused(sent))).toBeLessThanOrEqual(1);
      if (!sent.acknowledged) continue;
      if (times > 0) totals.counted += 1;
      else if (isRefused(sent)) totals.refused += 1;
      else lost.push(sent);
    }
    totals.lost += lost.length;
    expectWithinPromise(lost, syncMs);
    const workers = new Set(scenario.sent.map(({ worker }) => worker));
    expect([...counted.keys()].filter((worker) => !workers.has(worker))).toEqual([]);
    await scenario.stop();
  });

  it('each outcome occurred', () => {
    if (SCENARIOS < 12) return;
    expect(totals.counted).toBeGreaterThan(SCENARIOS);
    expect(totals.refused).toBeGreaterThan(SCENARIOS);
    expect(totals.lost).toBeGreaterThan(0);
  });
});

describe('a failing disk', () => {
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
    folder = newFolder();
  });

  const share = (): Share => ({
    subAccountId: 1,
    algorithm: 'SCRYPT',
    worker: `rig-${(worker += 1)}`,
    difficulty: 1,
    outcome: 'accepted',
    at: Date.now(),
  });
  const open = (options: { syncMs: number; metrics?: Registry; log?: pino.Logger }): Promise<ShareIngest> =>
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
      const lines: { err?: object; msg: string }[] = [];
      const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
      const ingest = await open({ syncMs: 200, metrics, log });
      disk.failingSyncs = Infinity;
      // Nobody knows yet.
      expect(await ingest.share(share())).toBe(true);
      await eventually(async () => /ingest_sync_failures_total [1-9]/.test(await metrics.metrics()), 'the failure');
      expect(await Promise.all([ingest.share(share()), ingest.share(share())])).toEqual([false, false]);
      expect(await metrics.metrics()).toContain('ingest_shares_total{outcome="accepted"} 1');
      for (const msg of [/a sync of the journal failed/, /cannot bring the journal onto the disk/])
        expect(lines).toContainEqual(
          expect.objectContaining({ err: expect.anything(), msg: expect.stringMatching(msg) }),
        );
      disk.failingSyncs = 0;
      const after = share();
      expect(await ingest.share(after)).toBe(true);
      expect(await metrics.metrics()).toContain('ingest_shares_total{outcome="accepted"} 2');

      // A full disk takes half a line: the share is refused, and it is not ready for miners, with shares or without.
      expect(await ingest.troubles()).toEqual([]);
      lines.length = 0;
      for (let time = 1; time <= 2; time += 1) {
        disk.isFull = true;
        expect(await Promise.all([1, 2, 3].map(() => ingest.share(share())))).toEqual([false, false, false]);
        expect(await ingest.troubles()).toEqual(['journal']);
        disk.isFull = false;
        expect(await ingest.troubles()).toEqual([]);
        expect(await ingest.share(share())).toBe(true);
        expect(lines).toMatchObject(
          Array(time).fill({ err: expect.anything(), msg: expect.stringContaining('cannot write') }),
        );
      }
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
});
