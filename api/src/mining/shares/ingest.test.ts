import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Pool } from 'pg';
import pino from 'pino';
import { Registry } from 'prom-client';
import { Bus, type BusEvent } from '../../platform/bus';
import { databaseOfFile } from '../../platform/db/testing/test-database';
import { transaction } from '../../platform/db/transaction';
import { countBatch, ingestHistory } from './count-batch';
import { ShareIngest } from './ingest';
import { RecentShares } from './recent-shares';
import { minuteBuckets } from './rollup';
import { decodeShare, encodeShare } from './journal/share-line';
import type { Share } from '../../stratum/ports';
import { newFolder } from '../../testing/folder';

const log = pino({ level: 'silent' });
const ALGORITHM = 'SHA256_ASICBOOST';
/** A recent minute, so that the tables of all steps keep it. */
const MINUTE = Math.floor(Date.now() / 60_000) * 60_000 - 600_000;
const database = databaseOfFile();
let account: number;
let other: number;
let folder: string;

beforeEach(async () => {
  folder = newFolder();
  const name = `t${Math.random().toString(36).slice(2, 12)}`;
  const {
    rows: [user],
  } = await database.pool.query('insert into app_user (identity_id, user_name) values ($1, $1) returning id', [name]);
  const { rows } = await database.pool.query(
    'insert into sub_account (user_id, name) values ($1, $2), ($1, $3) returning id',
    [user.id, name, `${name}-b`],
  );
  [account, other] = rows.map((row: { id: number }) => row.id) as [number, number];
});

const open = (options: Partial<Parameters<typeof ShareIngest.open>[0]> = {}) =>
  ShareIngest.open({ pool: database.pool, folder, log, flushMs: 3_600_000, ...options });
const share = (change: Partial<Share> = {}): Share => ({
  subAccountId: account,
  algorithm: ALGORITHM,
  worker: 'rig',
  difficulty: 1,
  outcome: 'accepted',
  at: MINUTE,
  ...change,
});
const sumsOf = async (table: string, id = account) => {
  const where = table.startsWith('account')
    ? 'sub_account_id = $1'
    : 'worker_id in (select id from worker where sub_account_id = $1)';
  const { rows } = await database.pool.query(
    `select sum(accepted) as accepted, sum(stale) as stale, sum(rejected) as rejected,
       sum(shares)::int as shares, count(*)::int as rows
     from ${table}
     where ${where}`,
    [id],
  );
  return rows[0];
};
/** The database's pool, with other calls where `instead` gives one. */
const poolWith = (instead: (key: keyof Pool) => unknown): Pool =>
  new Proxy(database.pool, {
    get: (target, key: keyof Pool) => {
      const value: unknown = instead(key) || target[key];
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
const journalFiles = (): string[] => readdirSync(folder);
/** A log, and its lines from `level` on. */
const logOf = (level: string) => {
  const lines: { msg: string; err?: object; segments?: number }[] = [];
  return { lines, log: pino({ level }, { write: (line: string) => void lines.push(JSON.parse(line)) }) };
};

it('accounts that are away wait for their batch to be counted again, and all is counted once', async () => {
  const key = { proxyId: `away ${account}`, sequence: 1 };
  const buckets = minuteBuckets([
    share({ difficulty: 2 }),
    share({ subAccountId: other, difficulty: 3, at: MINUTE - 60_000 }),
    share({ difficulty: 0, at: MINUTE + 60_000 }),
  ]);
  const count = async (...away: number[]) => {
    const counted = await transaction(database.pool, (client) =>
      countBatch(client, key, buckets, { away: new Set(away) }),
    );
    return counted && [counted.isNew, counted.waiting];
  };
  const sums = async () => [
    (await sumsOf('account_1d')).accepted,
    (await sumsOf('share_1d')).accepted,
    (await sumsOf('account_1d', other)).accepted,
    (await sumsOf('share_1d', other)).accepted,
  ];
  expect(await count(other, 0)).toEqual([true, [other]]);
  expect(await count(other)).toEqual([false, [other]]);
  expect(await sums()).toEqual([2, 2, null, null]);
  // The account that was counted may be away now.
  expect(await count(account)).toEqual([false, []]);
  expect(await count()).toBe(false);
  expect(await sums()).toEqual([2, 2, 3, 3]);
  const { rows } = await database.pool.query('select oldest from ingest_batch where proxy_id = $1', [key.proxyId]);
  expect(rows).toEqual([{ oldest: new Date(MINUTE - 60_000) }]);
});

it('counts shares into the tables of all steps, for workers and accounts', async () => {
  const ingest = await open();
  for (let i = 0; i < 10; i += 1)
    void ingest.share(share({ difficulty: 2, worker: `rig-${i % 2}`, at: MINUTE + i * 30_000 }));
  void ingest.share(share({ difficulty: 5, outcome: 'stale' }));
  void ingest.share(share({ difficulty: 7, outcome: 'rejected' }));
  void ingest.share(share({ subAccountId: other, difficulty: 100 }));
  await ingest.flush();
  const totals = { accepted: 20, stale: 5, rejected: 7, shares: 10 };
  for (const step of ['1m', '10m', '1h', '1d']) {
    expect(await sumsOf(`share_${step}`)).toMatchObject(totals);
    expect(await sumsOf(`account_${step}`)).toMatchObject(totals);
    expect(await sumsOf(`account_${step}`, other)).toMatchObject({ accepted: 100, shares: 1 });
  }
  expect((await sumsOf('account_1m')).rows).toBe(5);
  // A later batch is added to the same rows.
  const { rows } = await sumsOf('share_1d');
  void ingest.share(share({ worker: 'rig-0' }));
  await ingest.flush();
  expect(await sumsOf('share_1d')).toMatchObject({ accepted: 21, shares: 11, rows });
  await ingest.stop();
  expect(journalFiles()).toEqual([]);
});

it('counts a batch once when the process died before its file was deleted', async () => {
  const ingest = await open();
  await ingest.share(share());
  const [file = ''] = journalFiles();
  await ingest.stop();
  // The state after a process that died between the commit and deleting the file.
  writeFileSync(join(folder, file), `${encodeShare(share())}\n`);
  await (await open()).stop();
  expect(await sumsOf('account_1m')).toMatchObject({ accepted: 1, shares: 1 });
  expect(journalFiles()).toEqual([]);
});

it('counts the segments of an earlier process, except for its incomplete last line', async () => {
  writeFileSync(
    join(folder, `${'ab'.repeat(8)}-0000000007.jsonl`),
    `${encodeShare(share({ difficulty: 3 }))}\n${encodeShare(share({ difficulty: 4 }))}\n[17${''}`,
  );
  const { lines, log } = logOf('info');
  const ingest = await open({ log });
  await ingest.flush();
  expect(await sumsOf('account_1m')).toMatchObject({ accepted: 7, shares: 2 });
  await ingest.stop();
  expect(journalFiles()).toEqual([]);
  await (await open({ log })).stop();
  expect(lines).toMatchObject([{ segments: 1, msg: 'counting shares of an earlier process' }]);
});

it('accepts shares before the segments of an earlier process are counted', async () => {
  writeFileSync(join(folder, `${'ab'.repeat(8)}-0000000001.jsonl`), `${encodeShare(share())}\n`);
  let answer: (() => void) | undefined;
  const asked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  // The database does not fail, it only does not respond.
  const pool = poolWith((key) => key === 'connect' && (() => asked.then(() => database.pool.connect())));
  const ingest = await open({ pool });
  expect(await ingest.share(share())).toBe(true);
  answer?.();
  await ingest.stop();
  expect(await sumsOf('account_1m')).toMatchObject({ shares: 2 });
});

describe('shares that cannot be counted', () => {
  const segment = (n: number): string => join(folder, `${'cd'.repeat(8)}-000000000${n}.jsonl`);
  const DAY = new Date(MINUTE).toISOString().slice(0, 10);
  const refuses = async (what: boolean): Promise<void> => {
    await database.pool.query(
      what
        ? "alter table worker add constraint no_poison check (name <> 'poison')"
        : 'alter table worker drop constraint if exists no_poison',
    );
  };
  afterEach(() => refuses(false));

  it('are set aside and listed by day; others count; a retry counts them once the cause is gone', async () => {
    await refuses(true);
    for (const n of [1, 2, 3]) writeFileSync(segment(n), `${encodeShare(share({ worker: 'poison' }))}\n`);
    const metrics = new Registry();
    const ingest = await open({ metrics });
    for (let flush = 1; flush <= 4; flush += 1) {
      void ingest.share(share());
      await ingest.flush();
      expect(await sumsOf('account_1m')).toMatchObject({ shares: flush });
    }
    expect(await ingest.uncounted()).toEqual([
      {
        day: DAY,
        why: 'refused',
        lines: 3,
        paths: [expect.stringContaining('refused'), expect.any(String), expect.any(String)],
      },
    ]);
    expect(await metrics.metrics()).toContain('ingest_refused_files 3');
    expect(await metrics.metrics()).toContain('ingest_waiting_segments 0');

    // The cause remains: a retry loses nothing.
    expect(await ingest.retryRefused()).toBe(3);
    await ingest.flush();
    await ingest.flush();
    expect(await ingest.uncounted()).toMatchObject([{ day: DAY, why: 'refused', lines: 3 }]);
    await refuses(false);
    await ingest.retryRefused();
    expect(await ingest.uncounted()).toEqual([]);
    expect(await sumsOf('account_1m')).toMatchObject({ shares: 7 });
    await ingest.stop();
  });

  it('are set aside when their file is unreadable, and logged when it is missing; the next count', async () => {
    mkdirSync(segment(1));
    writeFileSync(segment(2), `${encodeShare(share())}\n`);
    writeFileSync(segment(3), `${encodeShare(share())}\n`);
    const logged: string[] = [];
    const log = pino({ level: 'error' }, { write: (line: string) => void logged.push(line) });
    const starts = open({ log });
    rmSync(segment(2));
    const ingest = await starts;
    for (let flush = 0; flush < 3; flush += 1) await ingest.flush();
    expect(existsSync(segment(1))).toBe(false);
    expect(readdirSync(join(folder, 'refused'))).toEqual([expect.stringContaining('cd'.repeat(8))]);
    expect(logged.join('')).toContain('a segment is refused');
    expect(logged.join('')).toContain('ENOENT');
    expect(await sumsOf('account_1m')).toMatchObject({ shares: 1 });
    await ingest.stop();
  });
});

it('keeps shares on disk while the database fails, and counts them when it works again', async () => {
  let away = false;
  const fails = () => Promise.reject(new Error('connection refused'));
  const pool = poolWith((key) => away && (key === 'connect' || key === 'query') && fails);
  const { lines, log } = logOf('warn');
  const ingest = await open({ pool, log, keepCounted: true });
  void ingest.share(share());
  await ingest.flush();
  away = true;
  for (let i = 0; i < 20; i += 1) {
    expect(await ingest.share(share())).toBe(true);
    await ingest.flush();
  }
  // Two wait, which tells a database that fails from a segment at fault, and one grows.
  expect(journalFiles().filter((name) => name.endsWith('.jsonl')).length).toBe(3);
  const day = new Date(MINUTE).toISOString().slice(0, 10);
  expect(await ingest.uncounted()).toMatchObject([{ day, why: 'waiting', lines: 20 }]);
  away = false;
  expect(await ingest.uncounted()).toEqual([]);
  expect(await sumsOf('share_1m')).toMatchObject({ accepted: 21, shares: 21 });
  await ingest.stop();
  const asked = expect.stringContaining('cannot ask the database yet');
  expect(lines).toContainEqual(expect.objectContaining({ err: expect.anything(), msg: asked }));
});

it('what the database loses while it counts is counted again in the same flush, or once it can be asked', async () => {
  let [loses, asks] = [false, true];
  const lose = async () => {
    loses = false;
    const [kept = ''] = readdirSync(join(folder, 'counted'));
    await database.pool.query('delete from ingest_batch where proxy_id = $1', [kept.split('-')[0]]);
    return database.pool.connect();
  };
  const refuses = () => Promise.reject(new Error('no query'));
  const pool = poolWith((key) => (loses && key === 'connect' && lose) || (!asks && key === 'query' && refuses));
  const { lines, log } = logOf('error');
  const metrics = new Registry();
  const ingest = await open({ pool, log, metrics, keepCounted: true });
  const mine = async () => {
    void ingest.share(share());
    await ingest.flush();
    return (await sumsOf('account_1m')).shares;
  };
  expect(await mine()).toBe(1);
  // What it forgets here is the batch, not its sums: each is added once more.
  loses = true;
  expect(await mine()).toBe(3);
  [loses, asks] = [true, false];
  expect(await mine()).toBe(4);
  asks = true;
  expect(await mine()).toBe(7);
  await ingest.stop();
  const msg = expect.stringContaining('lost counted shares');
  expect(lines).toMatchObject([
    { segments: 1, msg },
    { segments: 2, msg },
  ]);
  expect(await metrics.metrics()).toContain('ingest_lost_segments_total 3');
});

it('tells the other nodes how far it has counted, and its log where it cannot', async () => {
  let fails = true;
  const told: number[] = [];
  const counted = async (_: unknown, through: number) => {
    if (fails) throw new Error('not now');
    told.push(through);
  };
  const { lines, log } = logOf('warn');
  const ingest = await open({ log, node: { id: 'a', now: () => MINUTE, wasShownGone: () => false, counted } });
  await ingest.flush();
  const msg = 'the other nodes cannot be told yet what is counted';
  expect(lines.at(-1)).toMatchObject({ err: { message: 'not now' }, msg });
  fails = false;
  await ingest.flush();
  expect(told).toEqual([MINUTE - 60_000]);
  await ingest.stop();
});

it('a share of a deleted account does not prevent counting others', async () => {
  const ingest = await open();
  void ingest.share(share({ subAccountId: 999_999 }));
  void ingest.share(share());
  await ingest.flush();
  expect(await sumsOf('account_1m')).toMatchObject({ shares: 1 });
  expect(journalFiles()).toEqual([]);
  await ingest.stop();
});

it('publishes events for the owner of the account', async () => {
  const bus = new Bus();
  const events: BusEvent[] = [];
  bus.subscribe((event) => event.type !== 'shares' && events.push(event));
  const ingest = await open({ bus });
  void ingest.share(share());
  await ingest.flush();
  expect(events.map((e) => e.type)).toEqual(['hashrate', 'workers']);
  expect(events[0]).toMatchObject({
    data: { algorithm: ALGORITHM, account: expect.stringMatching(/^t/) },
    userId: expect.any(Number),
  });
  void ingest.share(share());
  await ingest.flush();
  // The list has the same workers, so no second event within 15 s.
  expect(events.map((e) => e.type)).toEqual(['hashrate', 'workers', 'hashrate']);
  await ingest.stop();
});

it('tells of the shares of the last minute, without whose they are', async () => {
  const bus = new Bus();
  const now = Math.floor(Date.now() / 1000);
  const recent = new RecentShares(bus, () => now);
  const ingest = await open({ bus });
  const send = async (shares: Share[]) => {
    for (const one of shares) void ingest.share(one);
    await ingest.flush();
  };
  // A batch that waited for the database is counted, and is no news.
  await send([share({ at: (now - 61) * 1000 }), share({ at: now * 1000 })]);
  await send([
    ...Array.from({ length: 100 }, (_, n) => share({ at: (now - 20) * 1000 + n, difficulty: 64 + n })),
    share({ at: now * 1000, outcome: 'rejected' }),
    share({ at: now * 1000, ownPool: true }),
  ]);
  await send([share({ algorithm: 'SCRYPT', difficulty: 8, at: (now - 5) * 1000 })]);
  const [sha, scrypt] = recent.read();
  expect(sha).toMatchObject({ algorithm: ALGORITHM, count: 100 });
  expect(sha?.shares[0]).toEqual({ at: now - 20, difficulty: 64 });
  expect(sha?.shares.length).toBe(12);
  expect(scrypt).toEqual({ algorithm: 'SCRYPT', count: 1, shares: [{ at: now - 5, difficulty: 8 }] });
  await ingest.stop();
});

describe('connections', () => {
  const live = async () =>
    (
      await database.pool.query(
        `select name, software, difficulty, connected_at, disconnected_at, last_share_at, silence
         from worker_live
         join worker on worker.sub_account_id = worker_live.sub_account_id and worker.id = worker_id
         where worker.sub_account_id = $1`,
        [account],
      )
    ).rows;
  const presence = (change: object = {}) =>
    ({
      subAccountId: account,
      algorithm: ALGORITHM,
      worker: 'rig',
      connected: true,
      difficulty: 8,
      software: 'x/1',
      remote: '::1',
      at: MINUTE,
      ...change,
    }) as const;

  it('are written once the worker has a share, and keep the time of connection', async () => {
    const ingest = await open();
    ingest.presence(presence({ difficulty: null }));
    await ingest.flush();
    expect(await live()).toEqual([]);
    void ingest.share(share({ at: MINUTE + 5000 }));
    await ingest.flush();
    ingest.presence(presence({ difficulty: 16, silence: 4980, at: MINUTE + 60_000 }));
    await ingest.flush();
    expect(await live()).toEqual([
      {
        name: 'rig',
        software: 'x/1',
        difficulty: 16,
        connected_at: new Date(MINUTE),
        disconnected_at: null,
        last_share_at: new Date(MINUTE + 5000),
        silence: 4980,
      },
    ]);
    ingest.presence(presence({ connected: false, difficulty: null, at: MINUTE + 90_000 }));
    await ingest.flush();
    expect(await live()).toMatchObject([
      { difficulty: null, disconnected_at: new Date(MINUTE + 90_000), software: 'x/1' },
    ]);
    await ingest.stop();
  });

  it('that cannot be written wait; those that could are told, and not written or ended again', async () => {
    let fails = true;
    const { lines, log } = logOf('warn');
    const refuses = () => Promise.reject(new Error('no query'));
    const pool = poolWith((key) => fails && key === 'query' && refuses);
    const bus = new Bus();
    const events: string[] = [];
    const ingest = await open({ pool, log, bus });
    void ingest.share(share());
    ingest.presence(presence());
    await ingest.flush();
    expect(lines.at(-1)).toMatchObject({ err: { message: 'no query' }, msg: 'cannot write connections yet' });
    expect(await live()).toMatchObject([{ connected_at: null }]);
    fails = false;
    bus.subscribe(({ type }) => events.push(type));
    ingest.presence(presence({ subAccountId: other }));
    await ingest.flush();
    expect(events).toEqual(['workers']);
    await database.pool.query('update worker_live set difficulty = 9 where sub_account_id = $1', [account]);
    await ingest.flush();
    expect(await live()).toMatchObject([{ connected_at: new Date(MINUTE), disconnected_at: null, difficulty: 9 }]);
    await ingest.stop();
  });

  it('of a process that crashed are ended at the next start', async () => {
    const ingest = await open();
    void ingest.share(share());
    ingest.presence(presence());
    await ingest.stop();
    expect((await live())[0].disconnected_at).toBeNull();
    await (await open()).stop();
    expect((await live())[0]).toMatchObject({ difficulty: null, disconnected_at: expect.any(Date) });
  });
});

describe('history', () => {
  it('is counted once, into the steps that are still kept', async () => {
    const now = Math.floor(Date.now() / 1000);
    const hourAgo60Days = Math.floor((now - 60 * 86_400) / 3600) * 3600;
    const minute = Math.floor(now / 60) * 60 - 120;
    const bucket = (at: number, span: number) =>
      ({
        subAccountId: account,
        algorithm: ALGORITHM,
        worker: 'old',
        at,
        span,
        accepted: 10,
        stale: 1,
        rejected: 2,
        shares: 5,
        lastShareAt: at + 1,
      }) as const;
    const chunks = [[bucket(hourAgo60Days, 3600)], [bucket(minute, 60)]];
    const source = `test-${account}`;
    expect(await ingestHistory(database.pool, source, chunks)).toBe(2);
    expect(await ingestHistory(database.pool, source, chunks)).toBe(0);
    expect(
      await Promise.all(['1m', '10m', '1h', '1d'].map(async (step) => (await sumsOf(`share_${step}`)).shares)),
    ).toEqual([5, 5, 10, 10]);
    const {
      rows: [worker],
    } = await database.pool.query('select created_at from worker where sub_account_id = $1', [account]);
    expect(worker.created_at).toEqual(new Date(hourAgo60Days * 1000));
  });
});

it('sums what each upstream accepted and what is credited for it, by day and algorithm', async () => {
  const upstream = `pool.example:3333 ${Math.random()}`;
  const took = (accepted: number, change: Partial<Share> = {}) =>
    share({ difficulty: 4, taken: { upstream, accepted }, ...change });
  const ingest = await open();
  // Two in one minute, one of the day before, one of another algorithm, one of an account that is gone.
  for (const one of [
    took(4),
    took(1, { worker: 'rig-2' }),
    took(4, { at: MINUTE - 86_400_000 }),
    took(4, { algorithm: 'SCRYPT' }),
    took(4, { subAccountId: 2 ** 31 - 1 }),
    share({ outcome: 'stale' }),
    share({ ownPool: true }),
  ])
    void ingest.share(one);
  await ingest.flush();
  void ingest.share(took(2));
  await ingest.stop();
  const { rows } = await database.pool.query(
    `select day, algorithm, accepted, credited, accepted_shares, credited_shares from upstream_day
     where upstream = $1 order by day, algorithm`,
    [upstream],
  );
  const day = (at: number): string => new Date(at).toISOString().slice(0, 10);
  const one = { accepted: 4, credited: 4, accepted_shares: 1, credited_shares: 1 };
  expect(rows).toEqual([
    { day: day(MINUTE - 86_400_000), algorithm: ALGORITHM, ...one },
    { day: day(MINUTE), algorithm: 'SCRYPT', ...one },
    { day: day(MINUTE), algorithm: ALGORITHM, accepted: 11, credited: 12, accepted_shares: 4, credited_shares: 3 },
  ]);
});

it('minute buckets start at the minute, for any order of the shares', () => {
  const buckets = minuteBuckets([
    share({ at: MINUTE + 59_999 }),
    share({ at: MINUTE + 60_000, outcome: 'stale' }),
    share({ at: MINUTE }),
  ]);
  expect(
    buckets.map(({ at, accepted, stale, shares, lastShareAt }) => [
      at * 1000 - MINUTE,
      accepted,
      stale,
      shares,
      lastShareAt && lastShareAt * 1000 - MINUTE,
    ]),
  ).toEqual([
    [0, 2, 0, 2, 59_000],
    [60_000, 0, 1, 0, null],
  ]);
});

describe('a line of the journal', () => {
  it('is read with its checksum, and without one as a person mends it', () => {
    const odd = share({ worker: 'rig 12345678', difficulty: 0.1 + 0.2, ownPool: true });
    const taken = share({ taken: { upstream: 'pool.example:3333 wallet.rig', accepted: 0.25 } });
    for (const one of [odd, taken]) expect(decodeShare(encodeShare(one))).toEqual(one);
    expect(decodeShare(`[${MINUTE},1,"SCRYPT","rig","accepted",1024]`)).toMatchObject({ at: MINUTE, difficulty: 1024 });
  });

  it.each([
    '{',
    '[1,2,"X","w","accepted",1]',
    '[1,2,"SCRYPT","w","maybe",1]',
    '[1,"2","SCRYPT","w","accepted",1]',
    '[1,2,"SCRYPT","w","accepted",1,7]',
    '[1,2,"SCRYPT","w","accepted",1,"pool.example:3333 pool",-1]',
  ])('is no share: %s', (line) => expect(decodeShare(line)).toBeNull());

  it('is no share any more when any bit of it has flipped', () => {
    const line = Buffer.from(encodeShare(share()));
    for (let bit = 0; bit < line.length * 8; bit += 1) {
      const damaged = Buffer.from(line);
      damaged.writeUInt8(damaged.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      expect(decodeShare(damaged.toString())).toBeNull();
    }
  });

  it('with a flipped digit is kept and told, and all others of its segment count', async () => {
    const good = encodeShare(share({ difficulty: 1024 }));
    const flipped = good.replace(',1024]', ',9024]');
    writeFileSync(join(folder, `${'ef'.repeat(8)}-0000000001.jsonl`), `${good}\n${flipped}\n${good}\n`);
    const logged: string[] = [];
    const metrics = new Registry();
    const ingest = await open({
      log: pino({ level: 'error' }, { write: (line: string) => void logged.push(line) }),
      metrics,
    });
    const [refused, ...more] = await ingest.uncounted();
    expect(refused).toMatchObject({ day: new Date(MINUTE).toISOString().slice(0, 10), why: 'refused', lines: 1 });
    expect(more).toEqual([]);
    expect(readFileSync(refused?.paths[0] ?? '', 'utf8')).toBe(`${flipped}\n`);
    expect(await sumsOf('account_1d')).toMatchObject({ accepted: 2 * 1024 });
    expect(logged.join('')).toContain('damaged lines of the journal were set aside');
    expect(await metrics.metrics()).toContain('ingest_damaged_lines_total 1');
    await ingest.stop();
  });
});
