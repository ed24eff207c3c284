import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { openDatabase } from './database';
import { EMBEDDED_MAJOR, startEmbedded } from './embedded';
import { TYPESCRIPT } from '../../testing/typescript';
import { eventually } from '../../testing/eventually';

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
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'server-embedded-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

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
