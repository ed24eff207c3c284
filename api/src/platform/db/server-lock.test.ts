/** One server at a time on a real PostgreSQL: other servers and commands are refused, a lost lock stops what counts. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import pino from 'pino';
import { Bus } from '../bus';
import { dayCloser } from '../../money/jobs/close-days';
import { adminText, server } from '../../ops/testing/product';
import { ShareIngest } from '../../mining/shares/ingest';
import { Lineage, LINEAGE_FILE } from './lineage';
import { DatabaseInUse, lockServer, NotOwner, type ServerLock } from './server-lock';
import { startLink, type Link } from './testing/link';
import { postgresOfFile } from './testing/test-database';
import { eventually } from '../../testing/eventually';

const silent = pino({ level: 'silent' });
const database = postgresOfFile();
let folder: string;
const locks: ServerLock[] = [];
let link: Link | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'server-lock-'));
});
afterEach(async () => {
  await Promise.all(locks.splice(0).map((lock) => lock.release()));
  await link?.close();
  link = undefined;
  rmSync(folder, { recursive: true, force: true });
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
