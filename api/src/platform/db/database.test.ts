import { type Database, openDatabase } from './database';
import { FailingStatements } from './testing/failing';
import { embeddedDatabase, insertUsers } from './testing/test-database';
import { afterCommit, rolledBack, transaction } from './transaction';
import { startUpkeep } from './upkeep';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { EMBEDDED_MAJOR, startEmbedded } from './embedded';
import { TYPESCRIPT } from '../../testing/typescript';
import { eventually } from '../../testing/eventually';
import { newFolder } from '../../testing/folder';

const TXID = 'ab'.repeat(32);

describe('database', () => {
  let database: Database;

  beforeAll(async () => {
    database = await embeddedDatabase();
    await insertUsers(database, 'alice');
  });
  afterAll(() => database.close());

  it('serves concurrent queries, transactions and prepared statements', async () => {
    const { pool } = database;
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, i) =>
        i % 3 === 0
          ? transaction(
              pool,
              async (client) => (await client.query<{ v: number }>('select $1::int as v', [i])).rows[0]?.v,
            )
          : pool
              .query<{ v: number }>({
                name: `q${i % 3}`,
                text: i % 3 === 1 ? 'select $1::int as v' : 'select $1::int as v, 1 as w',
                values: [i],
              })
              .then((r) => r.rows[0]?.v),
      ),
    );
    expect(answers).toEqual(Array.from({ length: 100 }, (_, i) => i));
  });

  it('sends what is asked for at once together; what fails, fails alone', async () => {
    const { pool } = database;
    let turns = 0;
    const count = (): number => (turns += 1);
    pool.on('acquire', count);
    const answers = await Promise.allSettled(
      ['select 1 as v', 'select 1 / 0', 'select 2 as v'].map((text) => pool.query<{ v: number }>(text)),
    );
    pool.off('acquire', count);
    expect(turns).toBe(1);
    expect(
      answers.map((answer) =>
        answer.status === 'fulfilled' ? answer.value.rows[0]?.v : (answer.reason as Error).message,
      ),
    ).toEqual([1, 'division by zero', 2]);
  });

  it.each(['57P03', 'lost'])('a transaction whose first statement fails (%s) keeps no connection', async (failure) => {
    const { pool } = database;
    const failing = new FailingStatements(pool);
    await expect(failing.during(1, failure, () => transaction(pool, async () => undefined))).rejects.toThrow();
    // There is one connection.
    expect((await pool.query('select 1 as v')).rows).toEqual([{ v: 1 }]);
  });

  it('what waits for a commit is done after it, with the pool, and never after a rollback', async () => {
    const done: unknown[] = [];
    const { pool } = database;
    await transaction(pool, async (client) => {
      afterCommit(client, (of) => done.push(of === pool));
      expect(done).toEqual([]);
    });
    const fails = async (client: Parameters<typeof afterCommit>[0]) => {
      afterCommit(client, () => done.push('rolled back'));
      throw new Error('refused');
    };
    await expect(transaction(pool, fails)).rejects.toThrow('refused');
    await rolledBack(pool, async (client) => afterCommit(client, () => done.push('rolled back')));
    afterCommit(pool, () => done.push('at once'));
    expect(done).toEqual([true, 'at once']);
  });

  it('prepares the same statement again after an error', async () => {
    const ask = { name: 'same', text: 'select 6 / $1::int as v' };
    expect((await database.pool.query({ ...ask, values: [2] })).rows).toEqual([{ v: 3 }]);
    await expect(database.pool.query({ ...ask, values: [0] })).rejects.toThrow('division by zero');
    expect((await database.pool.query({ ...ask, values: [3] })).rows).toEqual([{ v: 2 }]);
  });

  it('plans a statement with a name once, also after a rollback; one without is planned for its values', async () => {
    const { pool } = database;
    const named = (name: string) => pool.query({ name, text: 'select $1::int as n', values: [1] });
    const plans = async (name: string): Promise<unknown> =>
      (
        await pool.query(
          'select generic_plans::int as generic, custom_plans::int as custom from pg_prepared_statements where name = $1',
          [name],
        )
      ).rows[0];
    await named('first');
    await named('first');
    expect(await plans('first')).toEqual({ generic: 2, custom: 0 });
    expect((await pool.query('show plan_cache_mode')).rows).toEqual([{ plan_cache_mode: 'auto' }]);
    await rolledBack(pool, (client) => client.query({ name: 'within', text: 'select 1' }));
    await named('after');
    expect(await plans('after')).toEqual({ generic: 1, custom: 0 });
  });

  it('returns counts as numbers and days as text', async () => {
    const { rows } = await database.pool.query(
      "select count(*) as n, sum(2::bigint) as s, date '2026-11-20' as day from generate_series(1, 3)",
    );
    expect(rows).toEqual([{ n: 3, s: 6, day: '2026-11-20' }]);
  });

  it('refuses to change the ledger', async () => {
    await database.pool.query(
      `insert into ledger (party, sub_account_id, kind, amount_sat, ref)
       values ('account', 1, 'bonus', 5, 'x'), ('pool', null, 'bonus', -5, 'x')`,
    );
    await expect(database.pool.query('update ledger set amount_sat = 6')).rejects.toThrow('append-only');
    await expect(database.pool.query('delete from ledger')).rejects.toThrow('append-only');
    await expect(database.pool.query('truncate ledger')).rejects.toThrow('append-only');
  });

  it('refuses entries that do not sum to zero', async () => {
    await expect(
      database.pool.query("insert into ledger (party, kind, amount_sat, ref) values ('pool', 'bonus', 1, 'y')"),
    ).rejects.toThrow('sum to zero');
  });

  it('refuses an earning that does not add up', async () => {
    await expect(
      database.pool.query(
        `insert into earning (sub_account_id, algorithm, day, work, shares, mean_hashrate, price_btc, btc_price_usd,
           fee_percent, gross_sat, fee_sat, net_sat)
         values (1, 'SCRYPT', '2026-11-19', 1, 1, 1, 1, 1, 1, 100, 2, 97)`,
      ),
    ).rejects.toThrow('earning_');
  });

  it('allows only the defined changes of a payment', async () => {
    const { pool } = database;
    const open = () =>
      pool.query<{ id: number }>(
        `insert into payment (sub_account_id, period_from, period_to, amount_sat)
         values (1, '2026-11-01', '2026-11-02', 10) returning id`,
      );
    const made = (await open()).rows[0]?.id;
    const set = (change: string) => pool.query(`update payment set ${change} where id = $1`, [made]);
    await expect(open()).rejects.toThrow('payment_');
    await expect(set(`status = 'sent', txid = '${TXID}'`)).rejects.toThrow('cannot go from pending to sent');
    await set("status = 'queued', address = 'bc1'");
    await expect(set('amount_sat = 11')).rejects.toThrow('do not change');
    await expect(set("status = 'sent'")).rejects.toThrow('payment_txid');
    await expect(set("status = 'sent', txid = '0xAB'")).rejects.toThrow('payment_txid_form');
    await set(`status = 'sent', txid = '${TXID}', sent_at = now()`);
    await expect(set("status = 'cancelled'")).rejects.toThrow('cannot go from sent to cancelled');
    await set("status = 'confirmed'");
    await expect(set("status = 'queued', note = 'again'")).rejects.toThrow('cannot go from confirmed');
    await expect(pool.query('delete from payment')).rejects.toThrow('append-only');
  });

  it('finds rows of an hour without reading the rest of the day, as its upkeep has summarized them', async () => {
    const { pool } = database;
    await pool.query(
      `insert into share_1h (sub_account_id, worker_id, at, accepted)
       select 1, worker, timestamptz '2026-01-05Z' + hour * interval '1 hour', 1
       from generate_series(0, 23) hour, generate_series(1, 500) worker`,
    );
    await pool.query('set enable_seqscan to off');
    const readInVain = async (): Promise<number> => {
      const { rows } = await pool.query<{ 'QUERY PLAN': string }>(
        `explain (analyze, costs off, timing off) select sum(accepted) from share_1h
         where at >= '2026-01-05 07:00Z' and at < '2026-01-05 08:00Z'`,
      );
      const text = rows.map((row) => row['QUERY PLAN']).join('\n');
      expect(text).toContain('Bitmap Index Scan');
      return Number(/Rows Removed by Index Recheck: (\d+)/.exec(text)?.[1] ?? 0);
    };
    // Nearly all of the 11,500 rows of the other hours are read until the upkeep has summarized them.
    expect(await readInVain()).toBeGreaterThan(9000);
    const stop = startUpkeep(pool, (error) => {
      throw error;
    });
    // This query waits for the upkeep, because the pool has one connection.
    expect(await readInVain()).toBeLessThan(4000);
    stop();
    await pool.query('reset enable_seqscan');
  });
});

const alive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** A process that opens the database of `folder`, inserts rows and prints each one after its commit. */
const writer = (folder: string) => `
  import { openDatabase } from ${JSON.stringify(join(__dirname, 'database.ts'))};
  const { pool } = await openDatabase({ folder: ${JSON.stringify(join(folder, 'db'))} });
  await pool.query('create table if not exists t (n int)');
  for (let n = 1; ; n += 1) {
    await pool.query('insert into t values ($1)', [n]);
    console.log(n);
  }
`;

describe('embedded database', () => {
  let folder: string;
  beforeEach(() => (folder = newFolder()));

  it('keeps every committed row over kill -9, in place of what an interrupted first start has left', async () => {
    mkdirSync(join(folder, 'db', 'data'), { recursive: true });
    writeFileSync(join(folder, 'db', 'data', 'PG_VERSION'), '1');
    const script = join(folder, 'writer.mts');
    writeFileSync(script, writer(folder));
    const first = spawn(process.execPath, [...TYPESCRIPT, script], { stdio: ['ignore', 'pipe', 'inherit'] });
    let last = 0;
    first.stdout.on('data', (data: Buffer) => {
      last = Number(data.toString().trim().split('\n').at(-1));
    });
    await eventually(() => last > 20, 'rows');

    first.kill('SIGKILL');
    await once(first, 'close');
    expect(readdirSync(folder).filter((name) => name.startsWith('db.cut-off-'))).toHaveLength(1);
    expect(existsSync(join(folder, 'db', 'complete'))).toBe(true);
    // Opens at once: the child waits until the killed server's child releases the folder.
    const database = await openDatabase({ folder: join(folder, 'db') });
    const { rows } = await database.pool.query<{ n: number; max: number; version: string }>(
      "select count(*) as n, max(n) as max, current_setting('server_version') as version from t",
    );
    await database.close();
    expect(rows[0]?.max).toBeGreaterThanOrEqual(last);
    expect(rows[0]?.n).toBe(rows[0]?.max);
    // The version that folders are compared with.
    expect(rows[0]?.version.split('.')[0]).toBe(EMBEDDED_MAJOR);
  });

  it('runs one transaction at a time, reads a message in pieces, and restarts when its process is killed', async () => {
    const embedded = await startEmbedded({ folder: join(folder, 'db') });
    const [first, second] = [new pg.Client(embedded.connection), new pg.Client(embedded.connection)];
    await Promise.all([first.connect(), second.connect()]);
    const text = 'x'.repeat(300_000);
    expect((await first.query<{ text: string }>('select $1 as text', [text])).rows).toEqual([{ text }]);

    await first.query('create table t (n int)');
    await first.query('begin');
    await first.query('insert into t values (1)');
    let isCounted = false;
    const counted = second.query<{ n: number }>('select count(*)::int as n from t').finally(() => {
      isCounted = true;
    });
    await first.query('insert into t values (2)');
    expect(isCounted).toBe(false);
    // What a lost connection has begun is taken back.
    first.on('error', () => undefined);
    (first as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
    expect((await counted).rows).toEqual([{ n: 0 }]);
    await second.end();

    const pid = embedded.pid() ?? 0;
    process.kill(pid, 'SIGKILL');
    await eventually(() => !alive(pid), 'the end of the process');
    const isBack = () => existsSync(join(embedded.connection.host, '.s.PGSQL.5432')) && embedded.pid() !== pid;
    await eventually(isBack, 'the database back');
    await embedded.stop();
    expect(alive(embedded.pid() ?? 0)).toBe(false);
  });
});
