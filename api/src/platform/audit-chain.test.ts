/** The chain of the audit log, on a PostgreSQL with many connections; who changes the log is its tables' owner. */
import { createHash } from 'node:crypto';
import { writeAudit, writeAuditRows } from './audit';
import { emptyTables, postgresOfFile } from './db/testing/test-database';
import { transaction } from './db/transaction';
import { auditHead, exportAudit, verifyAudit } from './audit-chain';

const ACTOR = { actorId: null, ip: '192.0.2.1' };
const database = postgresOfFile();
beforeEach(() => emptyTables(database));

const write = (subject: string): Promise<void> =>
  writeAudit(database.pool, ACTOR, 'user.update', subject, { before: { note: 'é\n"' }, after: { b: 1, a: [null] } });
/** Runs SQL as the owner of the tables, with the triggers off. */
const pastTriggers = (sql: string): Promise<unknown> =>
  database.pool.query(`set session_replication_role to replica; ${sql}; set session_replication_role to origin`);
const verify = (kept?: string) => verifyAudit(database.pool, kept);

it('has every committed row once and no gap, whatever runs at the same time and is rolled back', async () => {
  const { pool } = database;
  await Promise.all(
    Array.from({ length: 60 }, (_, i) =>
      transaction(pool, async (client) => {
        await writeAuditRows(client, ACTOR, 'test', [{ subject: `${i}` }, { subject: `${i} again` }]);
        await client.query('select pg_sleep(random() * 0.01)');
        if (i % 4 === 0) throw new Error('rolled back');
      }).catch(() => undefined),
    ),
  );
  expect((await verify()).seq).toBe(90);
  const { rows } = await pool.query('select count(*) as rows, count(distinct audit_id) as chained from audit_chain');
  expect(rows).toEqual([{ rows: 90, chained: 90 }]);
});

it('nobody waits for a transaction that has written its row and goes on', async () => {
  await transaction(database.pool, async (client) => {
    await writeAudit(client, ACTOR, 'test', 'first');
    await write('second');
    await write('third');
  });
  const { rows } = await database.pool.query(
    'select a.subject from audit_chain c join audit a on a.id = c.audit_id order by c.seq',
  );
  expect(rows.map(({ subject }) => subject)).toEqual(['second', 'third', 'first']);
  expect((await verify()).seq).toBe(3);
});

it('refuses to be changed', async () => {
  await write('alice');
  for (const table of ['audit', 'audit_chain'])
    for (const change of [`update ${table} set `, `delete from ${table}`, `truncate ${table}`]) {
      const sql = change.endsWith('set ') ? `${change}${table === 'audit' ? "subject = 'x'" : "hash = ''"}` : change;
      await expect(database.pool.query(sql)).rejects.toThrow('append-only');
    }
});

describe('what the owner of the database changes', () => {
  let rowOfFive: number;
  beforeEach(async () => {
    for (let i = 1; i <= 9; i += 1) await write(`user ${i}`);
    const { rows } = await database.pool.query<{ id: number }>('select audit_id as id from audit_chain where seq = 5');
    rowOfFive = rows[0]?.id ?? 0;
  });

  it.each([
    ['a subject', "update audit set subject = 'other' where id = $"],
    ['a value', `update audit set after = '{"b": 2, "a": [null]}' where id = $`],
    ['the time', "update audit set at = at - interval '1 microsecond' where id = $"],
    ['a hash', `update audit_chain set hash = '${'0'.repeat(64)}' where audit_id = $`],
    ['a row that is deleted', 'delete from audit where id = $'],
    ['an entry that is deleted', 'delete from audit_chain where audit_id = $'],
    ['two rows that change places', 'update audit_chain set audit_id = -audit_id where audit_id = $'],
  ])('%s: the first broken entry is named', async (_, sql) => {
    await pastTriggers(sql.replace('$', String(rowOfFive)));
    await expect(verify()).rejects.toThrow(/broken at entry 5\b.*The 4 entries before it are right/);
  });

  it.each([
    ['', "insert into audit (action) values ('forged')"],
    [' with an id below 0', "insert into audit (id, action) overriding system value values (-9000000000, 'forged')"],
    [
      ' with an entry before the first',
      `insert into audit (id, action) overriding system value values (-1, 'forged');
       insert into audit_chain (seq, audit_id, hash) values (-1, -1, 'x')`,
    ],
  ])('a row put in past the trigger%s is named', async (_, sql) => {
    await pastTriggers(sql);
    await expect(verify()).rejects.toThrow('it was written past the trigger');
  });

  it('a removed end, and a chain written anew, show by a hash kept elsewhere', async () => {
    const kept = await auditHead(database.pool);
    await write('later');
    expect(await verify(kept.hash)).toMatchObject({ seq: 10 });
    await pastTriggers(
      'delete from audit where id > (select audit_id from audit_chain where seq = 8); delete from audit_chain where seq > 8',
    );
    expect(await verify()).toMatchObject({ seq: 8 });
    await expect(verify(kept.hash)).rejects.toThrow('the last entries were removed, or the chain was written anew');
  });
});

it('is exported as lines from which anybody computes the hashes', async () => {
  await write('alice');
  await writeAudit(database.pool, { actorId: 4, ip: null }, 'user.close', null);
  let text = '';
  for await (const part of exportAudit(database.pool)) text += part;
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { seq: number; previous: string; hash: string; entry: string });
  let previous = '0'.repeat(64);
  for (const line of lines) {
    expect(line.previous).toBe(previous);
    previous = createHash('sha256').update(`${line.previous}\n${line.entry}`).digest('hex');
    expect(line.hash).toBe(previous);
  }
  expect(lines.map(({ entry }) => (JSON.parse(entry) as unknown[]).slice(1, 7))).toEqual([
    [null, 'user.update', 'alice', { note: 'é\n"' }, { a: [null], b: 1 }, '192.0.2.1'],
    [4, 'user.close', null, null, null, null],
  ]);
  expect(await auditHead(database.pool)).toEqual({ seq: 2, hash: previous });
});
