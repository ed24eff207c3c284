import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import pino from 'pino';
import { readConfig } from '../platform/config';
import { addDays, dayOf, startOfDay } from '../platform/days';
import { DatabaseInUse, serverLock } from '../platform/db/server-lock';
import { emptyTables, postgresOfFile } from '../platform/db/testing/test-database';
import { DayNotClosed } from '../money/accounting/earnings';
import { Bus, type BusEvent } from '../platform/bus';
import { dayCloser } from '../money/jobs/close-days';
import { ShareIngest } from '../mining/shares/ingest';
import type { Share } from '../stratum/ports';
import { endSilent, readNodes, retireNode, uncountedElsewhere } from './nodes';
import { NodeRegister } from './register';
import { Seat, SEAT_FILE } from './seat';
import { eventually } from '../testing/eventually';
import { PoolChanges } from '../stratum/pool-changes';
import { startRelay } from './relay';
import { Wire } from './wire';
import { newFolder } from '../testing/folder';

/** The register of nodes on a real PostgreSQL: who holds a day, and until when. */
const log = pino({ level: 'silent' });
const ACTOR = { actorId: null, ip: 'test' };
const TODAY = dayOf(Date.now() / 1000);
const YESTERDAY = addDays(TODAY, -1);
/** A minute into the day. */
const MORNING = (startOfDay(TODAY) + 60) * 1000;
const database = postgresOfFile();
let folder: string;
let registers: NodeRegister[];
beforeEach(async () => {
  await emptyTables(database);
  folder = newFolder();
  registers = [];
  await database.pool.query(
    `insert into app_user (id, identity_id, user_name) values (1, 'a', 'alice');
     insert into sub_account (id, user_id, name) values (1, 1, 'alice')`,
  );
});
afterEach(async () => {
  await Promise.all(registers.map((register) => register.leave()));
});

type Roles = ('web' | 'stratum' | 'worker')[];
const joinedOn = async (dataDir: string, roles: Roles): Promise<NodeRegister> => {
  const register = new NodeRegister({
    pool: database.pool,
    dataDir,
    journal: join(dataDir, 'journal'),
    roles,
    log,
  });
  await register.join();
  registers.push(register);
  return register;
};
const joined = (name: string, roles: Roles = ['stratum']): Promise<NodeRegister> =>
  joinedOn(mkdtempSync(join(folder, name)), roles);
const dirOf = (register: NodeRegister): string =>
  (register as unknown as { options: { dataDir: string } }).options.dataDir;
/** What counts the journal of a node whose clock says `now`, Unix milliseconds. */
const counting = (register: NodeRegister, now: () => number, trouble: () => string | null = () => null) =>
  ShareIngest.open({
    pool: database.pool,
    folder: join(dirOf(register), 'journal'),
    log,
    flushMs: 3_600_000,
    keepCounted: true,
    node: register.counting({
      now,
      offset: 0,
      get trouble() {
        return trouble();
      },
    }),
  });
const share = (at: number): Share => ({
  subAccountId: 1,
  algorithm: 'SHA256_ASICBOOST',
  worker: 'rig',
  difficulty: 1000,
  outcome: 'accepted',
  at,
});
/** Closes days as a process without a journal does. */
const close = (day?: string) =>
  dayCloser({
    pool: database.pool,
    bus: new Bus(),
    terms: { poolFeePercent: 1 },
    uncounted: () => uncountedElsewhere(database.pool, folder),
    needsPrices: async () => false,
    now: async () => startOfDay(TODAY) + 3600,
  })(day);
const rows = async <T extends object>(text: string): Promise<T[]> => (await database.pool.query<T>(text)).rows;

it('a day is closed when every node has counted past its end, by a clock that is sure', async () => {
  const [a, b] = [await joined('a'), await joined('b')];
  await joined('web', ['web', 'worker']);
  let trouble: string | null = 'the clocks disagree';
  // A clock that is corrected goes back by less than a minute.
  let now = MORNING - 1;
  const first = await counting(a, () => MORNING + 120_000);
  const second = await counting(
    b,
    () => now,
    () => trouble,
  );
  await first.share(share(MORNING - 120_000));
  await database.pool.query(
    `update node set counted_through = to_timestamp(${startOfDay(TODAY) - 5}) where counted_through is not null`,
  );
  await first.flush();
  await second.flush();
  await expect(close()).rejects.toThrow(new RegExp(`node ${b.id}, pid .* has not counted ${YESTERDAY} to its end`));
  await expect(close()).rejects.not.toThrow(new RegExp(a.id));
  await expect(close(YESTERDAY)).rejects.toThrow(DayNotClosed);
  trouble = null;
  await second.flush();
  await expect(close()).rejects.toThrow(b.id);
  now = MORNING;
  await second.flush();
  expect(await close()).toMatchObject({ days: 1, accounts: 1 });
  await Promise.all([first.stop(), second.stop()]);
});

it('what a node knows not to be counted keeps its day open, and none after it that is counted', async () => {
  const a = await joined('a');
  let now = MORNING;
  const ingest = await counting(a, () => now);
  await database.pool.query('alter table share_1m rename to share_away');
  await ingest.share(share(MORNING - 120_000));
  now += 600_000;
  await ingest.flush();
  await database.pool.query('alter table share_away rename to share_1m');
  expect(await rows('select uncounted from node')).toEqual([
    { uncounted: [{ day: YESTERDAY, why: 'waiting', lines: 1 }] },
  ]);
  await expect(close()).rejects.toThrow(`1 shares of ${YESTERDAY} wait to be counted (node ${a.id}`);
  const refused = join(dirOf(a), 'journal/refused', `${YESTERDAY}-${'ab'.repeat(8)}-0000000001.jsonl`);
  mkdirSync(dirname(refused), { recursive: true });
  writeFileSync(refused, 'no share\n');
  await ingest.flush();
  await expect(close()).rejects.toThrow(`1 shares of ${YESTERDAY} are refused (node ${a.id}`);
  rmSync(refused);
  await ingest.flush();
  expect(await rows('select uncounted from node')).toEqual([{ uncounted: [] }]);
  expect(await close()).toMatchObject({ days: 1, accounts: 1 });
  await ingest.stop();
});

it('a node that ended holds the day until it is back or retired; one that has counted all leaves', async () => {
  const a = await joined('a');
  const ingest = await counting(a, () => MORNING - 300_000);
  await ingest.share(share(MORNING - 300_000));
  await ingest.stop();
  // Killed: it neither beats nor leaves. When it is back, it counts from where it was.
  const { pool } = database;
  await expect(close()).rejects.toThrow(a.id);
  await joinedOn(dirOf(a), ['stratum']);
  await expect(close()).rejects.toThrow(a.id);
  expect(await retireNode(pool, a.id, ACTOR)).toContain('runs');
  await pool.query("update node set heartbeat = now() - interval '1 hour'");
  await expect(close()).rejects.toThrow(a.id);
  expect(await retireNode(pool, 'nobody', ACTOR)).toContain('no node');
  expect(await retireNode(pool, a.id, ACTOR)).toBeNull();
  expect(await close()).toMatchObject({ days: 1 });
  expect(await rows('select action, subject from audit')).toContainEqual({ action: 'node.retire', subject: a.id });
  expect(Seat.open(dirOf(a)).joined).toBe(true);
  await a.leave();
  expect(Seat.open(dirOf(a)).joined).toBe(false);
});

it('a node whose last transactions fail, and whose shares come during them, counts all and leaves', async () => {
  const a = await joined('a');
  const ingest = await counting(a, () => MORNING);
  await ingest.flush();
  await ingest.share(share(MORNING));
  const { pool } = database;
  const away = async (): Promise<never> => {
    throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  };
  const connect = jest.spyOn(pool, 'connect').mockImplementationOnce(async () => {
    await ingest.share(share(MORNING));
    return away();
  });
  await ingest.stop();
  connect.mockImplementationOnce(away);
  await a.leave();
  expect(connect.mock.calls.length).toBeGreaterThan(3);
  connect.mockRestore();
  expect(await rows('select sum(shares)::int as shares from share_1d')).toEqual([{ shares: 2 }]);
  expect(await readNodes(pool)).toEqual([]);
});

it('a journal with uncounted shares keeps its place in the register when its process stops', async () => {
  const a = await joined('a');
  const ingest = await counting(a, () => MORNING);
  await database.pool.query('alter table share_1m rename to share_away');
  await ingest.share(share(MORNING));
  // It gives up after some seconds.
  let passed = 0;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => (passed += 10_000));
  await ingest.stop();
  clock.mockRestore();
  await database.pool.query('alter table share_away rename to share_1m');
  await a.leave();
  expect((await readNodes(database.pool)).map(({ id }) => id)).toEqual([a.id]);
  expect(Seat.open(dirOf(a)).joined).toBe(true);
  // Without the role that counts it, it is still waited for.
  await joinedOn(dirOf(a), ['web']);
  expect((await readNodes(database.pool))[0]?.countedThrough).not.toBeNull();
});

it('a worker of two nodes is gone when it has left both; a silent node has no miners, and writes them again', async () => {
  const [a, b] = [await joined('a'), await joined('b')];
  const [first, second] = [await counting(a, () => MORNING), await counting(b, () => MORNING)];
  const note = (ingest: ShareIngest, connected: boolean): void =>
    ingest.presence({ ...share(MORNING), connected, software: null, remote: null, at: MORNING });
  const isGone = async (): Promise<boolean | undefined> =>
    (await rows<{ gone: boolean }>('select disconnected_at is not null as gone from worker_live'))[0]?.gone;
  await first.share(share(MORNING));
  note(first, true);
  note(second, true);
  await first.flush();
  await second.flush();
  note(first, false);
  await first.flush();
  expect(await isGone()).toBe(false);
  note(second, false);
  await second.flush();
  expect(await isGone()).toBe(true);
  note(second, true);
  await second.flush();
  await database.pool.query("update node set heartbeat = now() - interval '2 minutes'");
  await endSilent(database.pool);
  expect(await isGone()).toBe(true);
  await b.beat();
  await second.flush();
  expect(await isGone()).toBe(false);
  await Promise.all([first.stop(), second.stop()]);
  // A node that starts has no miners yet: those of others stay.
  for (const [register, gone] of [[a, false] as const, [b, true] as const]) {
    await (await counting(register, () => MORNING)).stop();
    expect(await isGone()).toBe(gone);
  }
});

it('nodes share the database with each other, and with no server that is alone; one of them leads', async () => {
  const { url } = database;
  const locks = [
    serverLock({ url, shared: true }),
    serverLock({ url, shared: true }),
    serverLock({ url, of: 'leader', patienceMs: 0 }),
  ];
  await Promise.all(locks.map((lock) => lock.take()));
  await Promise.all(locks.map((lock) => lock.check(database.pool)));
  await expect(serverLock({ url, patienceMs: 0 }).take()).rejects.toThrow(DatabaseInUse);
  await expect(serverLock({ url, of: 'leader', patienceMs: 0 }).take()).rejects.toThrow(DatabaseInUse);
  await Promise.all(locks.map((lock) => lock.release()));
  const alone = serverLock({ url });
  await alone.take();
  await expect(serverLock({ url, shared: true, patienceMs: 0 }).take()).rejects.toThrow(DatabaseInUse);
  await alone.release();
});

it('settings that cannot be are refused by name', () => {
  const env = { DATABASE_URL: 'postgres://db/pool', SECRETS_KEY: Buffer.alloc(32).toString('base64') };
  expect(readConfig({}).ROLES).toEqual([]);
  expect(readConfig({ ...env, ROLES: 'web, worker' }).ROLES).toEqual(['web', 'worker']);
  expect(() => readConfig({ ...env, ROLES: 'web,miner' })).toThrow(/ROLES.*expected web, stratum, worker/);
  expect(() => readConfig({ ROLES: 'web', SECRETS_KEY: env.SECRETS_KEY })).toThrow(/ROLES: the embedded database/);
  expect(() => readConfig({ ROLES: 'web', DATABASE_URL: env.DATABASE_URL })).toThrow(/ROLES: .*SECRETS_KEY/);
  expect(() => readConfig({ ...env, ROLES: 'web', DEMO: '1' })).toThrow(/DEMO: the demo is of one process/);
});

it('the file that names a node is not guessed when it is broken', () => {
  writeFileSync(join(folder, SEAT_FILE), '{');
  expect(() => Seat.open(folder)).toThrow();
  rmSync(join(folder, SEAT_FILE));
  const made = Seat.open(folder);
  expect(Seat.open(folder).id).toBe(made.id);
  expect(JSON.parse(readFileSync(join(folder, SEAT_FILE), 'utf8'))).toEqual({ id: made.id, joined: false });
});

describe('messages', () => {
  const log = pino({ level: 'silent' });
  const database = postgresOfFile();
  const stops: (() => unknown)[] = [];
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop();
  });

  async function node(id: string) {
    const wire = new Wire({ url: database.url, pool: database.pool, id, log });
    await wire.start();
    const [bus, changes] = [new Bus(), new PoolChanges()];
    const relay = startRelay({ wire, bus, changes });
    stops.push(
      () => relay.stop(),
      () => wire.stop(),
    );
    const events: BusEvent[] = [];
    bus.subscribe((event) => events.push(event));
    const lists: (readonly number[])[] = [];
    changes.onLists((ids) => lists.push(ids));
    return { wire, bus, changes, events, lists };
  }
  const hashrate = (account: string): BusEvent => ({
    type: 'hashrate',
    data: { account, algorithm: 'SHA256_ASICBOOST' },
    userId: 7,
  });

  it('an event is told to the others once a second, whatever their number and letters, and never comes back', async () => {
    const [a, b, c] = [await node('a'), await node('b'), await node('c')];
    const many = Array.from({ length: 300 }, (_, n) => hashrate(`ферма-${n}`));
    for (const event of [...many, ...many]) a.bus.publish(event);
    a.bus.publish({ type: 'remotes', data: {} });
    await eventually(() => b.events.length >= 300 && c.events.length >= 300, 'the events');
    expect(b.events).toEqual(many);
    c.bus.publish(hashrate('last'));
    await eventually(() => b.events.length === 301 && a.events.length === 602, 'one more');
    expect(a.events.slice(600)).toEqual([{ type: 'remotes', data: {} }, hashrate('last')]);
  });

  it('changes are told at once; a connection that was lost hears again', async () => {
    const [a, b] = [await node('a'), await node('b')];
    a.changes.lists([3, 4]);
    await eventually(() => b.lists.length === 1, 'the change');
    expect(b.lists).toEqual([[3, 4]]);
    const ended: (readonly string[])[] = [];
    for (const each of [a, b]) each.changes.onCallers((ids) => ended.push(ids));
    a.changes.callers(['sess_1']);
    await eventually(() => ended.length === 2, 'the ended session');
    expect(ended).toEqual([['sess_1'], ['sess_1']]);
    let gaps = 0;
    b.wire.on('gap', () => {
      gaps += 1;
    });
    await database.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name like '%listens' and pid <> pg_backend_pid()`,
    );
    await eventually(() => gaps === 1, 'the connection again');
    a.changes.lists([5]);
    await eventually(() => b.lists.length === 2, 'the next change');
  });

  it('a question is answered by those who are asked; one that is gone is not waited for long', async () => {
    const [a, b] = [await node('a'), await node('b')];
    b.wire.answer('double', (n: number) => 2 * n);
    expect(await a.wire.ask('double', 21, ['b'])).toEqual([42]);
    expect(await a.wire.ask('double', 21, ['b', 'gone'])).toEqual([42]);
    expect(await a.wire.ask('double', 21, [])).toEqual([]);
  });
});
