import { sql } from 'drizzle-orm';
import type { Database } from './database';
import { appUser, earning, ledger, payment, subAccount } from './schema';
import { FailingStatements } from './testing/failing';
import { embeddedDatabase } from './testing/test-database';

const TXID = 'ab'.repeat(32);

describe('database', () => {
  let database: Database;
  let accountId: number;

  beforeAll(async () => {
    database = await embeddedDatabase();
    const [user] = await database.db.insert(appUser).values({ identityId: 'user_1', userName: 'alice' }).returning();
    const [account] = await database.db
      .insert(subAccount)
      .values({ userId: user?.id ?? 0, name: 'alice' })
      .returning();
    accountId = account?.id ?? 0;
  });
  afterAll(() => database.close());

  it('serves concurrent queries, transactions and prepared statements', async () => {
    const { db, pool } = database;
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, i) =>
        i % 3 === 0
          ? db.transaction(async (tx) => Number((await tx.execute(sql`select ${i}::int as v`)).rows[0]?.v))
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
    const { db, pool } = database;
    const failing = new FailingStatements(pool);
    await expect(failing.during(1, failure, () => db.transaction(async () => undefined))).rejects.toThrow();
    // There is one connection.
    expect((await pool.query('select 1 as v')).rows).toEqual([{ v: 1 }]);
  });

  it('prepares the same statement again after an error', async () => {
    const ask = { name: 'same', text: 'select 6 / $1::int as v' };
    expect((await database.pool.query({ ...ask, values: [2] })).rows).toEqual([{ v: 3 }]);
    await expect(database.pool.query({ ...ask, values: [0] })).rejects.toThrow('division by zero');
    expect((await database.pool.query({ ...ask, values: [3] })).rows).toEqual([{ v: 2 }]);
  });

  it('returns counts as numbers and days as text', async () => {
    const { rows } = await database.pool.query(
      "select count(*) as n, sum(2::bigint) as s, date '2026-11-20' as day from generate_series(1, 3)",
    );
    expect(rows).toEqual([{ n: 3, s: 6, day: '2026-11-20' }]);
  });

  it('refuses to change the ledger', async () => {
    await database.db.insert(ledger).values([
      { subAccountId: accountId, kind: 'bonus', amountSat: 5, ref: 'x' },
      { party: 'pool', kind: 'bonus', amountSat: -5, ref: 'x' },
    ]);
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
    const row = {
      subAccountId: accountId,
      algorithm: 'SCRYPT',
      day: '2026-11-19',
      work: 1,
      shares: 1,
      meanHashrate: 1,
      priceBtc: 1,
      btcPriceUsd: 1,
      feePercent: 1,
      grossSat: 100,
      feeSat: 2,
      netSat: 97,
    };
    await expect(database.db.insert(earning).values(row)).rejects.toThrow();
  });

  it('allows only the defined changes of a payment', async () => {
    const { pool, db } = database;
    const [made] = await db
      .insert(payment)
      .values({ subAccountId: accountId, periodFrom: '2026-11-01', periodTo: '2026-11-02', amountSat: 10 })
      .returning();
    const set = (change: string) => pool.query(`update payment set ${change} where id = $1`, [made?.id]);
    await expect(
      db
        .insert(payment)
        .values({ subAccountId: accountId, periodFrom: '2026-11-01', periodTo: '2026-11-02', amountSat: 10 }),
    ).rejects.toThrow();
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

  it('makes partitions ahead, keeps late rows, drops old ones', async () => {
    const { pool } = database;
    // A day far ahead goes to the default partition first.
    await pool.query(
      "insert into share_1m (sub_account_id, worker_id, at, accepted) values (1, 1, now() + interval '20 days', 7)",
    );
    expect((await pool.query("select ensure_partitions(now() + interval '20 days') as n")).rows[0].n).toBeGreaterThan(
      0,
    );
    expect((await pool.query('select count(*) as n from share_1m_default')).rows).toEqual([{ n: 0 }]);
    expect((await pool.query('select accepted from share_1m where worker_id = 1')).rows).toEqual([{ accepted: 7 }]);
    expect((await pool.query("select ensure_partitions(now() + interval '20 days') as n")).rows).toEqual([{ n: 0 }]);
    const before = (await pool.query("select count(*) as n from pg_inherits where inhparent = 'share_1m'::regclass"))
      .rows[0].n;
    await pool.query("select drop_old_partitions(now() + interval '20 days')");
    const after = (await pool.query("select count(*) as n from pg_inherits where inhparent = 'share_1m'::regclass"))
      .rows[0].n;
    expect(after).toBeLessThan(before);
    expect((await pool.query('select accepted from share_1m where worker_id = 1')).rows).toEqual([{ accepted: 7 }]);
  });
});
