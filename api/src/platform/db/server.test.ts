import { readFileSync, rmSync, writeFileSync, existsSync, chmodSync, mkdirSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import pino from 'pino';
import { Bus } from '../bus';
import { dayCloser } from '../../money/jobs/close-days';
import { adminText, server, fill, PASSWORD, signIn } from '../../ops/testing/product';
import { ShareIngest } from '../../mining/shares/ingest';
import { Lineage, LINEAGE_FILE } from './lineage';
import { DatabaseInUse, lockServer, NotOwner, type ServerLock } from './server-lock';
import { startLink, type Link } from './testing/link';
import { postgresOfFile } from './testing/test-database';
import { eventually } from '../../testing/eventually';
import { spawn } from 'node:child_process';
import { unreadOf } from '../../messages/notifications';
import { backup } from '../../ops/backup';
import { direct, readConfig } from '../config';
import { openDatabase } from './database';
import { sessionSettings } from './pooler';
import { whoRuns } from './testing/postgres';
import pg from 'pg';
import { migrateTo } from './migrate';
import { DatabaseRefused } from './away';
import { newFolder } from '../../testing/folder';

describe('one server at a time', () => {
  const silent = pino({ level: 'silent' });
  const database = postgresOfFile();
  let folder: string;
  const locks: ServerLock[] = [];
  let link: Link | undefined;
  beforeEach(() => (folder = newFolder()));
  afterEach(async () => {
    await Promise.all(locks.splice(0).map((lock) => lock.release()));
    await link?.close();
    link = undefined;
  });

  const newLock = async (options: Partial<Parameters<typeof lockServer>[0]> = {}): Promise<ServerLock> => {
    const lock = await lockServer({ url: database.url, ...options });
    locks.push(lock);
    return lock;
  };
  /** Ends the connection that holds the lock, as an administrator or a restart of PostgreSQL would. */
  const endHolder = (): Promise<unknown> =>
    database.pool.query(
      `select pg_terminate_backend(pid, 60000) from pg_locks
       where locktype = 'advisory' and objid = 7020
         and database = (select oid from pg_database where datname = current_database())`,
    );

  it('a second server and commands that write are refused by name; one that has stopped gives way', async () => {
    const env = (name: string) => ({ DATABASE_URL: database.url, DATA_DIR: join(folder, name) });
    const first = await server(env('a'));
    // Connected miners of the first server.
    await database.pool.query(
      `with u as (insert into app_user (identity_id, user_name) values ('x', 'alice') returning id),
         s as (insert into sub_account (user_id, name) select id, 'alice' from u returning id),
         w as (insert into worker (sub_account_id, algorithm, name) select id, 'SCRYPT', 'rig' from s returning sub_account_id, id)
       insert into worker_live (sub_account_id, worker_id, connected_at) select sub_account_id, id, now() from w`,
    );
    const holder = `(pid ${process.pid} on ${hostname().slice(0, 40)}, since `;
    try {
      // The command runs beside the server, with a DATA_DIR that has no shares of it.
      const refused = [server(env('b')), adminText(env('c'), 'close-day', '2026-01-01')];
      const sentence = `The database is in use by another process of a pool ${holder}`;
      await Promise.all(refused.map((each) => expect(each).rejects.toThrow(sentence)));
      const { rows: gone } = await database.pool.query('select 1 from worker_live where disconnected_at is not null');
      expect(gone).toEqual([]);
      expect(await adminText(env('c'), 'list-users')).toContain('alice');
      // The server itself runs the command when it has the same DATA_DIR.
      expect(await adminText(env('a'), 'close-day', '2026-01-01')).toMatch(/^\d+ days, /);
    } finally {
      await first.stop();
    }
    await newLock({ patienceMs: 0 });
  });

  it('a lost connection takes the lock again', async () => {
    const lock = await newLock();
    await lock.check(database.pool);
    await endHolder();
    await lock.check(database.pool);
    await expect(newLock({ patienceMs: 0 })).rejects.toThrow(DatabaseInUse);
  });

  it('a connection that went silent is noticed by who writes over another one', async () => {
    link = await startLink(database.url);
    const lock = await newLock({ url: link.url });
    link.cut();
    // PostgreSQL ends it, which this process cannot hear.
    await endHolder();
    await lock.check(database.pool);
    await expect(newLock({ patienceMs: 0 })).rejects.toThrow(DatabaseInUse);
  });

  it('a connection that only PostgreSQL believes in is ended, and does not count as another process', async () => {
    const target = new URL(database.url);
    const nears = new Set<Socket>();
    const fars = new Set<Socket>();
    // Between them, what is closed on this side stays open on the other.
    const server = createServer((near) => {
      const far = connect(`${target.searchParams.get('host')}/.s.PGSQL.5432`);
      near.pipe(far, { end: false });
      far.pipe(near);
      nears.add(near);
      fars.add(far);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const url = new URL(database.url);
    url.searchParams.delete('host');
    url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const lost = jest.fn();
    const lock = await newLock({ url: url.href, patienceMs: 0, lost });
    for (const near of nears) near.destroy();
    await eventually(() => fars.size >= 2, 'a second connection');
    await lock.check(database.pool);
    expect(lost).not.toHaveBeenCalled();
    for (const far of fars) far.destroy();
    server.close();
  });

  it('a server whose lock another process has taken is told so, and neither counts nor closes', async () => {
    let told: (error: DatabaseInUse) => void = () => undefined;
    const lost = new Promise<DatabaseInUse>((resolve) => {
      told = resolve;
    });
    link = await startLink(database.url);
    const first = await newLock({ url: link.url, patienceMs: 0, lost: told });
    link.cut('new');
    await endHolder();
    const second = await newLock();
    await expect(first.check(database.pool)).rejects.toThrow(NotOwner);
    link.mend();
    expect((await lost).message).toContain(`(pid ${process.pid} on `);
    await second.check(database.pool);

    const ingest = await ShareIngest.open({ pool: database.pool, folder, log: silent, owner: first });
    const share = { subAccountId: 1, algorithm: 'SCRYPT', worker: 'rig', difficulty: 7, outcome: 'accepted' } as const;
    expect(await ingest.share({ ...share, at: Date.now() })).toBe(true);
    const uncounted = () => ingest.uncounted();
    expect(await uncounted()).toMatchObject([{ why: 'waiting', lines: 1 }]);
    const close = dayCloser({
      pool: database.pool,
      bus: new Bus(),
      owner: first,
      terms: { poolFeePercent: 1 },
      uncounted,
    });
    await expect(close()).rejects.toThrow(NotOwner);
    await ingest.stop();
    const after = await ShareIngest.open({ pool: database.pool, folder, log: silent, owner: second });
    expect(await after.uncounted()).toEqual([]);
    await after.stop();
  });

  describe('a database that is not the one written to before', () => {
    const known = () => JSON.parse(readFileSync(join(folder, LINEAGE_FILE), 'utf8')) as Record<string, unknown>;
    const was = (facts: object): void =>
      writeFileSync(join(folder, LINEAGE_FILE), JSON.stringify({ ...known(), ...facts }));

    it('is not locked: an old primary with an older timeline, or another system', async () => {
      const lineage = new Lineage(folder);
      await (await newLock({ lineage })).release();
      expect(known()).toEqual({ system: expect.stringMatching(/^\d+$/), timeline: 1 });
      was({ timeline: 2 });
      await expect(newLock({ lineage })).rejects.toThrow(/older timeline \(1\) than the one written to before \(2\)/);
      was({ timeline: 1, system: '7' });
      await expect(newLock({ lineage })).rejects.toThrow(/is another one .* remove .*database\.json/);
      rmSync(join(folder, LINEAGE_FILE));
      await newLock({ lineage });
    });

    it('does not get the lock back while the server runs: nothing is counted', async () => {
      const said: unknown[] = [];
      const log = { info: () => undefined, warn: (what: unknown) => said.push(what) };
      const lock = await newLock({ lineage: new Lineage(folder), log });
      was({ timeline: 2 });
      await endHolder();
      await eventually(() => said.some((each) => String(each).includes('older timeline')), 'the refusal');
      await expect(lock.check(database.pool)).rejects.toThrow(NotOwner);
      was({ timeline: 1 });
      await eventually(
        () =>
          lock.check(database.pool).then(
            () => true,
            () => false,
          ),
        'the lock with the right database',
      );
    });
  });
});

/** A real pgbouncer that pools transactions, between the server and PostgreSQL. */
describe('behind a pooler', () => {
  const PORT = 6432;
  /** Roles of one of several processes, which also send messages to each other and do the jobs in turn. */
  const ROLES = 'web,stratum,worker';
  const SECRETS_KEY = Buffer.alloc(32).toString('base64');
  const database = postgresOfFile();
  const folder = newFolder();
  beforeAll(async () => {
    await fill(database);
    chmodSync(folder, 0o777);
  });

  /** Runs `work` with the URL of a pgbouncer with two connections. */
  async function withPooler(options: string, work: (url: string) => Promise<void>): Promise<void> {
    const host = new URL(database.url).searchParams.get('host');
    const ini = join(folder, 'pgbouncer.ini');
    writeFileSync(
      ini,
      `[databases]
  * = host=${host} port=5432 user=postgres ${options}
  [pgbouncer]
  listen_addr =
  listen_port = ${PORT}
  unix_socket_dir = ${folder}
  auth_type = any
  pool_mode = transaction
  default_pool_size = 2
  `,
    );
    const pooler = spawn('pgbouncer', ['-q', ini], { ...whoRuns(), stdio: 'ignore' });
    const ended = once(pooler, 'exit');
    const url = new URL(database.url);
    url.port = String(PORT);
    url.searchParams.set('host', folder);
    try {
      await eventually(() => existsSync(join(folder, `.s.PGSQL.${PORT}`)) || pooler.exitCode !== null, 'a pooler');
      await work(url.href);
    } finally {
      pooler.kill('SIGINT');
      await ended;
    }
  }

  const CONNECT_QUERY = `connect_query='${sessionSettings(5000).replaceAll("'", "''")}'`;

  it('server, command line and backup work through it, with what needs a session beside it', () =>
    withPooler(CONNECT_QUERY, async (url) => {
      const through = await openDatabase({ url, directUrl: database.url });
      // More than it has connections, so that each statement may come to a session that another one has used.
      const counts = await Promise.all(Array.from({ length: 40 }, (_, user) => unreadOf(through.pool, user)));
      expect(counts).toEqual(counts.map(() => 0));
      expect((await through.pool.query('show statement_timeout')).rows).toEqual([{ statement_timeout: '5s' }]);
      await through.close();

      const env = {
        DATA_DIR: join(folder, 'data'),
        DATABASE_URL: url,
        DATABASE_DIRECT_URL: database.url,
        SECRETS_KEY,
        ROLES,
      };
      const running = await server(env);
      try {
        expect(await signIn(running.url, 'alice', PASSWORD)).toBe(200);
        expect((await fetch(`${running.url}/ready`)).status).toBe(200);
        const config = direct(readConfig(env));
        expect(await backup(config, join(folder, 'backup'))).toMatchObject({ kind: 'postgresql' });
        const { rows } = await database.pool.query<{ held: number }>(
          // Servers of other tests hold theirs in other databases of this PostgreSQL.
          `select count(*) as held
           from pg_locks
           where locktype = 'advisory' and objid = 7020
             and database = (select oid from pg_database where datname = current_database())`,
        );
        expect(rows).toEqual([{ held: 1 }]);
      } finally {
        await running.stop();
      }
    }));

  it('one that does not prepare its connections is refused, with what it lacks', () =>
    withPooler('', async (url) => {
      await expect(openDatabase({ url, directUrl: database.url })).rejects.toThrow(
        "connect_query='set timezone = ''UTC'';",
      );
    }));
});

describe('databases that are refused', () => {
  const database = postgresOfFile(2);

  let folder: string;
  beforeEach(() => (folder = newFolder()));

  /** The server, and the command line, say this and end. */
  async function refusedWith(sentence: RegExp, env: Record<string, string> = {}): Promise<void> {
    await expect(server({ DATA_DIR: folder, ...env })).rejects.toThrow(sentence);
    await expect(adminText({ DATA_DIR: folder, ...env }, 'list-users')).rejects.toThrow(sentence);
  }

  it('a newer schema is refused with a sentence, by the server and by the command line', async () => {
    await database.pool.query("insert into migration.applied (name) values ('9999_of_tomorrow')");
    await refusedWith(/^A newer version of the pool has changed this database/, { DATABASE_URL: database.url });
  });

  it('a folder of an older embedded database is refused with what reads it', async () => {
    mkdirSync(join(folder, 'db', 'data'), { recursive: true });
    writeFileSync(join(folder, 'db', 'complete'), '');
    writeFileSync(join(folder, 'db', 'data', 'PG_VERSION'), '17\n');
    await refusedWith(/is a database of PostgreSQL 17; .* Start the version of the pool that made it/);
  });

  it('a database whose encoding has no Cyrillic or Arabic letters is refused', async () => {
    const latin = new URL(database.url);
    latin.pathname += '_latin';
    const name = latin.pathname.slice(1);
    await database.pool.query(`create database ${name} encoding 'LATIN1' template template0`);
    await expect(migrateTo({ connectionString: latin.href })).rejects.toThrow(
      'The encoding of the database is LATIN1, and',
    );
    await database.pool.query(`drop database ${name}`);
  });

  it('a migration that meets a long transaction holds nobody up, names who is in the way and gives up; without it, it is done', async () => {
    await database.pool.query(
      `drop schema public, migration cascade; create schema public; create schema migration;
       create table migration.applied (name text, at timestamptz)`,
    );
    const reader = new pg.Client({ connectionString: database.url, application_name: 'long report' });
    await reader.connect();
    await reader.query('begin; lock table migration.applied');
    const migrate = (tries: number, say: (message: string) => void): Promise<void> =>
      migrateTo({ connectionString: database.url }, { lockTimeoutMs: 100, tries, pauseMs: 10, say });
    const said: string[] = [];
    const refused = await migrate(3, (message) => said.push(message)).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(DatabaseRefused);
    expect((refused as Error).message).toMatch(/hold its tables: pid \d+ \(long report, open for \d+ s\).*Nothing was/);
    expect(said).toHaveLength(2);
    await migrate(100, () => void reader.end());
  });
});
