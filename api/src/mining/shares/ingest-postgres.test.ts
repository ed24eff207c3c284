import { randomBytes } from 'node:crypto';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import pino from 'pino';
import { type Database, openDatabase } from '../../platform/db/database';
import { postgresDatabase } from '../../platform/db/testing/postgres';
import { insertUsers } from '../../platform/db/testing/test-database';
import { failureOf } from './segment-counter';
import { ShareIngest } from './ingest';
import { keepWithinTime } from './retention';
import { encodeShare } from './journal/share-line';
import { Registry } from 'prom-client';
import { startLink, type Link } from '../../platform/db/testing/link';
import { transaction } from '../../platform/db/transaction';
import { eventually } from '../../testing/eventually';
import { newFolder } from '../../testing/folder';

/** Failures of counting that need a real PostgreSQL: statement timeouts and held locks. */
const TIMEOUT_MS = 500;
const AT = Math.floor(Date.now() / 60_000) * 60_000;
let database: Database & { url: string };
/** Like the server's pool, with a shorter statement timeout. */
let pool: pg.Pool;
const poolOf = (statementMs: number): pg.Pool =>
  // A connection of a pool that has ended may still be open when PostgreSQL is stopped.
  new pg.Pool({ connectionString: database.url, statement_timeout: statementMs }).on('error', () => undefined);
let folder: string;

beforeAll(async () => {
  database = await postgresDatabase();
  pool = poolOf(TIMEOUT_MS);
  await insertUsers(database, 'alice');
});
afterAll(async () => {
  await pool.end();
  await database.close();
});
beforeEach(() => (folder = newFolder()));

const shareOf = (worker: string) =>
  ({ subAccountId: 1, algorithm: 'SCRYPT', worker, difficulty: 1, outcome: 'accepted', at: AT }) as const;
const writeSegment = (workers: string[]): void =>
  writeFileSync(
    join(folder, `${randomBytes(8).toString('hex')}-0000000001.jsonl`),
    workers.map((worker) => `${encodeShare(shareOf(worker))}\n`).join(''),
  );
const counted = async (like: string): Promise<number> => {
  const { rows } = await database.pool.query<{ n: number }>(
    `select coalesce(sum(shares), 0)::int as n
     from share_1d s
     join worker w on w.sub_account_id = s.sub_account_id and w.id = worker_id
     where w.name like $1`,
    [like],
  );
  return rows[0]?.n ?? 0;
};
const open = (through = pool) =>
  ShareIngest.open({ pool: through, folder, log: pino({ level: 'silent' }), flushMs: 3_600_000 });

/** Delays the insertion of each worker with such a name by `seconds`. */
async function slow(like: string, seconds: number): Promise<void> {
  await database.pool.query(
    `create or replace function slow() returns trigger language plpgsql as $$
     begin if new.name like '${like}' then perform pg_sleep(${seconds}); end if; return new; end $$`,
  );
  await database.pool.query(
    'create or replace trigger slow before insert on worker for each row execute function slow()',
  );
}

it('a statement that takes too long is split until it fits', async () => {
  await slow('many-%', 0.002);
  writeSegment(Array.from({ length: 400 }, (_, i) => `many-${i}`));
  writeSegment(['one']);
  const ingest = await open();
  expect(await ingest.uncounted()).toEqual([]);
  await ingest.stop();
  expect(await counted('many-%')).toBe(400);
  expect(await counted('one')).toBe(1);
});

it('a segment that always times out is set aside only after another segment was counted', async () => {
  const impatient = poolOf(TIMEOUT_MS / 2);
  await slow('slug', TIMEOUT_MS / 1000);
  writeSegment(['slug']);
  const ingest = await open(impatient);
  for (let flush = 0; flush < 4; flush += 1) await ingest.flush();
  // As long as no other segment is counted, the database may be the slow part.
  expect(await ingest.uncounted()).toMatchObject([{ why: 'waiting', lines: 1 }]);
  void ingest.share(shareOf('quick'));
  await ingest.flush();
  expect(await counted('quick')).toBe(1);
  await ingest.flush();
  expect(await ingest.uncounted()).toMatchObject([{ why: 'refused', lines: 1 }]);
  await slow('nobody', 0);
  await ingest.retryRefused();
  expect(await ingest.uncounted()).toEqual([]);
  expect(await counted('slug')).toBe(1);
  await ingest.stop();
  await impatient.end();
});

it.each([
  ['22003', 'segment'],
  ['42501', 'unclear'],
  ['0A000', 'unclear'],
  ['25006', 'away'],
  ['57014', 'slow'],
  ['40P01', 'busy'],
  ['EIO', 'away'],
])('%s says what failed: %s', (code, what) => expect(failureOf({ code })).toBe(what));

describe('an error that may concern one segment or the whole database', () => {
  const fails = async (like: string, state: string): Promise<void> => {
    await database.pool.query(
      `create or replace function fails() returns trigger language plpgsql as $$
       begin
         if new.name like '${like}' then raise exception 'no' using errcode = '${state}'; end if;
         return new;
       end $$`,
    );
    await database.pool.query(
      'create or replace trigger fails before insert on worker for each row execute function fails()',
    );
  };
  afterEach(() => fails('', 'P0001'));
  const countsOthers = async (ingest: ShareIngest): Promise<void> => {
    const before = await counted('other');
    for (let flush = 1; flush <= 4; flush += 1) {
      void ingest.share(shareOf('other'));
      await ingest.flush();
      expect(await counted('other')).toBe(before + flush);
    }
  };

  it('other segments are counted, its own is set aside', async () => {
    await fails('poison', 'P0001');
    writeSegment(['poison']);
    const ingest = await open();
    await countsOthers(ingest);
    expect(await ingest.uncounted()).toMatchObject([{ why: 'refused', lines: 1 }]);
    await fails('', 'P0001');
    await ingest.retryRefused();
    expect(await ingest.uncounted()).toEqual([]);
    expect(await counted('poison')).toBe(1);
    await ingest.stop();
  });

  it('55P03, a locked row: others are counted, its own waits however often it is tried', async () => {
    await fails('locked', '55P03');
    writeSegment(['locked']);
    const ingest = await open();
    await countsOthers(ingest);
    expect(await ingest.uncounted()).toMatchObject([{ why: 'waiting', lines: 1 }]);
    await fails('', '55P03');
    expect(await ingest.uncounted()).toEqual([]);
    await ingest.stop();
  });

  it('several such segments stop the others for some flushes, not for ever', async () => {
    await fails('several%', 'XX001');
    for (let n = 0; n < 3; n += 1) writeSegment([`several ${n}`]);
    const ingest = await open();
    void ingest.share(shareOf('behind'));
    for (let flush = 0; flush < 16; flush += 1) await ingest.flush();
    expect(await counted('behind')).toBe(1);
    expect(await ingest.uncounted()).toMatchObject([{ why: 'refused', lines: 3 }]);
    await ingest.stop();
  });

  it('when no segment can be counted, all wait and none is set aside', async () => {
    await fails('%', 'XX000');
    const ingest = await open();
    for (let flush = 0; flush < 6; flush += 1) {
      void ingest.share(shareOf(`later ${flush}`));
      await ingest.flush();
    }
    expect(await ingest.uncounted()).toMatchObject([{ why: 'waiting', lines: 6 }]);
    expect(readdirSync(folder).length).toBeLessThanOrEqual(4);
    await fails('', 'XX000');
    expect(await ingest.uncounted()).toEqual([]);
    expect(await counted('later %')).toBe(6);
    await ingest.stop();
  });
});

it('a segment waits for a locked row, for two seconds in each flush', async () => {
  const ingest = await open(database.pool);
  void ingest.share(shareOf('held'));
  await ingest.flush();
  const holder = new pg.Client({ connectionString: database.url });
  await holder.connect();
  await holder.query('begin');
  await holder.query(
    "select from worker_live where worker_id = (select id from worker where name = 'held') for update",
  );
  void ingest.share(shareOf('held'));
  expect(await ingest.uncounted()).toMatchObject([{ why: 'waiting', lines: 1 }]);
  await holder.end();
  expect(await ingest.uncounted()).toEqual([]);
  expect(await counted('held')).toBe(2);
  await ingest.stop();
});

it('moves rows of the default partition into a new one, longer than the statement timeout', async () => {
  const tomorrow = new Date(AT + 86_400_000).toISOString().slice(0, 10);
  const partition = `share_1m_${tomorrow.replaceAll('-', '')}`;
  await database.pool.query(`drop table ${partition}`);
  await database.pool.query(
    `insert into share_1m (sub_account_id, worker_id, at, shares)
     select 1, n, $1::date::timestamp at time zone 'UTC' + interval '1 minute' * m, 1
     from generate_series(1, 200) n, generate_series(0, 499) m`,
    [tomorrow],
  );
  const impatient = poolOf(100);
  await keepWithinTime(impatient, AT / 1000);
  await impatient.end();
  const { rows } = await database.pool.query(
    `select (select count(*) from ${partition})::int as moved,
       (select count(*) from share_1m_default)::int as left`,
  );
  expect(rows).toEqual([{ moved: 100_000, left: 0 }]);
});

describe('a silent database', () => {
  const STATEMENT_MS = 300;
  const CONNECT_MS = 800;
  const FLUSH_MS = 100;
  let link: Link;
  /** Connection over the link. */
  let database: Database;
  /** Connection that does not go over the link. */
  let direct: Database & { url: string };
  const folder = newFolder();
  let ingest: ShareIngest;
  const metrics = new Registry();

  beforeAll(async () => {
    direct = await postgresDatabase();
    link = await startLink(direct.url);
    await insertUsers(direct, 'alice');
    database = await openDatabase({ url: link.url, connectMs: CONNECT_MS, statementMs: STATEMENT_MS });
    ingest = await ShareIngest.open({
      pool: database.pool,
      folder,
      log: pino({ level: 'silent' }),
      flushMs: FLUSH_MS,
      metrics,
    });
  });
  afterAll(async () => {
    link.mend();
    database.abandon();
    await ingest.stop();
    await database.close();
    await direct.close();
    await link.close();
  });

  const mine = (shares: number): void => {
    for (let n = 0; n < shares; n += 1)
      void ingest.share({
        subAccountId: 1,
        algorithm: 'SCRYPT',
        worker: `rig-${n % 3}`,
        difficulty: 1,
        outcome: 'accepted',
        at: Date.now(),
      });
  };
  const counted = async (): Promise<number> => {
    const { rows } = await direct.pool.query<{ n: number }>(
      'select coalesce(sum(shares), 0)::int as n from account_1d',
    );
    return rows[0]?.n ?? 0;
  };
  const sinceCounted = async (): Promise<number> =>
    (await metrics.getMetricsAsJSON()).find(({ name }) => name === 'ingest_seconds_since_counted')?.values[0]?.value ??
    NaN;

  it('connections that are cut without a word: all counts once over new ones, and no old one is used again', async () => {
    const pids = async (): Promise<number[]> =>
      (
        await Promise.all(
          Array.from({ length: 4 }, () => database.pool.query('select pg_backend_pid() as pid, pg_sleep(0.05)')),
        )
      ).map(({ rows }) => (rows[0] as { pid: number }).pid);
    const before = await pids();
    mine(30);
    await eventually(async () => (await counted()) === 30, 'the first shares');
    await expect(
      transaction(database.pool, async (client) => {
        link.cut();
        mine(30);
        await client.query('select 1');
      }),
    ).rejects.toThrow();
    await eventually(async () => (await counted()) === 60, 'the shares after the cut');
    expect(await sinceCounted()).toBeLessThan(60);
    await eventually(() => readdirSync(folder).length === 0, 'an empty journal');
    expect(await counted()).toBe(60);
    const after = await pids();
    expect(after.filter((pid) => before.includes(pid))).toEqual([]);
  });

  it('a database that is silent for new connections too: the server says so, and all is counted afterwards', async () => {
    const before = await counted();
    expect(await ingest.troubles()).toEqual([]);
    link.cut('new');
    mine(10);
    // A minute later.
    const now = performance.now.bind(performance);
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + 61_000);
    expect(await ingest.troubles()).toEqual(['counting']);
    expect(await sinceCounted()).toBeGreaterThan(60);
    clock.mockRestore();
    expect(await counted()).toBe(before);
    mine(10);
    // Callers that wait for counting, as closing a day does, are answered.
    expect(await ingest.uncounted()).toMatchObject([{ why: 'waiting', lines: 20 }]);
    link.mend();
    await eventually(async () => (await counted()) === before + 20, 'all shares');
    await eventually(async () => (await ingest.troubles()).length === 0, 'the readiness');
  });
});
