/**
 * Three processes on a real PostgreSQL, two of each role, with miners: one is killed, the one to which all miners went
 * is replaced, an edit of pools is followed by all. HEAVY=1: ten rounds of kills of each.
 */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import type { Miner } from '../../../e2e/miner/miner';
import type { Database } from '../platform/db/database';
import { poolAccounts } from '../identity/people/pool-accounts';
import { postgresDatabase } from '../platform/db/testing/postgres';
import { fill, PASSWORD } from '../ops/testing/product';
import { createIdentityUser } from '../identity';
import { startBuiltinPool, type BuiltinPool } from '../stratum/builtin-pool';
import { bearer, call, send, sessionOf } from '../testing/calls';
import { freePort } from '../testing/free-port';
import { eventually } from '../testing/eventually';
import { startMiner } from '../testing/miner';
import { killServers, runServer, type ServerProcess } from '../testing/server-process';
import { readNodes } from './nodes';
import { newFolder } from '../testing/folder';

/** Killed together, and who leads then. */
const KILLS = [
  [['all2'], 'web1'],
  [['web1', 'stratum1'], 'all2'],
] as const;
const ROUNDS = process.env.HEAVY ? 2 * 10 + 1 : 1;
const MINERS_A_NODE = 2;

type Process = 'web1' | 'all2' | `stratum${1 | 3}`;
type Name = Process | `miners${1 | 2 | 3}`;
const folder = newFolder();
let database: Database & { url: string };
let pools: BuiltinPool[];
const ports = new Map<Name, number>();
const processes = new Map<Process, ServerProcess>();
let miners: Miner[] = [];
let balancer: Server;

const secret = randomBytes(32).toString('base64');
async function run(name: Process): Promise<void> {
  const miners = ports.get(name.replace(/\D+/, 'miners') as Name);
  const started = runServer({
    ROLES: { web1: 'web,worker', all2: 'web,stratum,worker' }[name as string] ?? 'stratum',
    DATA_DIR: join(folder, name),
    DATABASE_URL: database.url,
    SECRETS_KEY: secret,
    PORT: String(ports.get(name)),
    STRATUM_PORT_SHA256: String(name === 'web1' ? 0 : miners),
    UPSTREAM_SHA256: pools[0]?.target.url.replace('://', '://pool:x@') ?? '',
    UPSTREAM_ALLOW: 'private',
    // One soon reads again what nobody told it, and tells the others; they hear no more than they are told.
    REQUIRE_TWO_STEP: '0',
    REREAD_SECONDS: name === 'stratum1' ? '1' : '3600',
    REMOTES_DIR: '/nonexistent',
  });
  processes.set(name, started);
  await started.until('Mining Pool is running');
}
async function end(name: Process, signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
  const running = processes.get(name);
  running?.child.kill(signal);
  return (await running?.ended) ?? null;
}
/** Balancer like HAProxy before Stratum: a new connection goes to the next process that listens. */
function balance(): Promise<number> {
  let turn = 0;
  const connected = (name: Name): Promise<Socket | null> =>
    new Promise((resolve) => {
      const socket = connect(ports.get(name) ?? 0, '127.0.0.1', () => resolve(socket)).on('error', () => resolve(null));
    });
  balancer = createServer(async (near) => {
    near.on('error', () => undefined).pause();
    const names = [...ports.keys()].filter((name) => name.startsWith('miners'));
    turn += 1;
    for (const [n] of names.entries()) {
      const far = await connected(names[(turn + n) % names.length] as Name);
      if (!far) continue;
      near
        .pipe(far)
        .on('error', () => near.destroy())
        .on('close', () => near.destroy());
      far.pipe(near).on('close', () => far.destroy());
      return;
    }
    near.destroy();
  });
  return new Promise((resolve) => {
    balancer.listen(0, '127.0.0.1', () => resolve((balancer.address() as AddressInfo).port));
  });
}
const at = (name: Name): number => ports.get(name) ?? 0;
const isReady = async (name: Name): Promise<boolean> => (await send(at(name), '/ready')).statusCode === 200;
/** Each miner has a share accepted from now on. */
async function allMine(): Promise<void> {
  const before = miners.map(({ accepted }) => accepted);
  await eventually(() => miners.every(({ accepted }, n) => accepted > (before[n] ?? 0) + 2), 'shares of every miner');
}
const leader = async (): Promise<string | undefined> =>
  (await readNodes(database.pool)).find(({ silentS, state }) => silentS < 12 && state?.job)?.place;
const pidOf = (name: Process): string => `pid ${processes.get(name)?.child.pid} `;

beforeAll(async () => {
  database = await postgresDatabase();
  await fill(database);
  await createIdentityUser(database.pool, poolAccounts(database.pool), {
    userName: 'bob',
    email: 'bob@example.com',
    password: PASSWORD,
  });
  await database.pool.query("update app_user set role = 'admin' where user_name = 'alice'");
  pools = await Promise.all(
    [1, 2].map(() => startBuiltinPool({ algorithm: 'SHA256_ASICBOOST', blockMs: [2000, 4000] })),
  );
  const names = ['web1', 'stratum1', 'all2'] as const;
  for (const name of [...names, 'miners1', 'miners2'] as const) ports.set(name, await freePort());
  await Promise.all(names.map(run));
  const port = await balance();
  miners = [1, 2].flatMap((node) =>
    Array.from({ length: MINERS_A_NODE }, (_, n) => startMiner(port, `alice.rig-${node}-${n}`)),
  );
});
afterAll(async () => {
  for (const miner of miners) miner.stop();
  await killServers();
  balancer.close();
  await Promise.all(pools.map((pool) => pool.stop()));
  await database.close();
});

it('each process says to a balancer which roles it has', async () => {
  const asked = [at('web1'), at('stratum1'), at('all2')].map(async (port) => [
    (await send(port, '/health?role=web')).statusCode,
    (await send(port, '/health?role=stratum')).statusCode,
  ]);
  expect(await Promise.all(asked)).toEqual([
    [200, 503],
    [503, 200],
    [200, 200],
  ]);
});

it('an edit of pools at one web process is followed by all', async () => {
  await allMine();
  const { token } = await sessionOf(at('web1'), 'alice', PASSWORD);
  const to = pools[1]?.target.url ?? '';
  const made = await call<{ id: number }>(at('web1'), token, '/poolConfigs/', 'POST', {
    name: 'Own',
    algorithm: 'SHA256_ASICBOOST',
    url: to,
    user: 'alice',
  });
  // Signed in at one, known to the other; what it is told of its account comes there too.
  const stream = await send(at('all2'), '/api/events', 'GET', bearer(token));
  let heard = '';
  stream.on('data', (data: Buffer) => {
    heard += data.toString();
  });
  await call(at('web1'), token, '/subAccountPoolConfigs?subAccountId=1', 'POST', { poolConfigId: made.id });
  type Shown = { url: string; connections: number }[];
  await eventually(() => pools[1]?.connections() === 2, 'a connection of each node at the new pool');
  await eventually(() => heard.includes('event: upstream'), 'the event at the other web process');
  await allMine();
  const shown = (): Promise<Shown> => call<Shown>(at('all2'), token, '/upstreams?userName=alice');
  await eventually(
    async () => (await shown()).some((each) => each.url === to && each.connections === miners.length),
    'what both nodes answer, at the other web process',
  );

  // Nobody is told of this one, as if the message was lost.
  await database.pool.query('update sub_account_pool_config set enabled = false');
  await eventually(() => pools[1]?.connections() === 0, 'the miners of both nodes to leave the pool');
  stream.destroy();
});

it('ended sessions and roles are known to both web processes', async () => {
  // REREAD_SECONDS is an hour: a stream ends because of what its process is told.
  const [alice, bob] = await Promise.all([
    sessionOf(at('web1'), 'alice', PASSWORD),
    sessionOf(at('all2'), 'bob', PASSWORD),
  ]);
  const statusAt = async (name: Name, token: string): Promise<number | undefined> =>
    (await send(at(name), '/api/subAccounts/facts', 'GET', bearer(token))).statusCode;
  const streams = await Promise.all(
    [alice, bob].map(async ({ token }) => {
      expect([await statusAt('web1', token), await statusAt('all2', token)]).toEqual([200, 200]);
      const stream = await send(at('all2'), '/api/events', 'GET', bearer(token));
      return { stream, ended: once(stream.resume(), 'end') };
    }),
  );
  const out = '/__clerk/v1/client/sessions?_method=DELETE';
  expect((await send(at('web1'), out, 'POST', { cookie: alice.cookie })).statusCode).toBe(200);
  await streams[0]?.ended;
  expect(await statusAt('all2', alice.token)).toBe(401);
  const admin = await sessionOf(at('web1'), 'alice', PASSWORD);
  await call(at('web1'), admin.token, '/users/?id=2', 'PUT', { role: 'admin' });
  await streams[1]?.ended;
  expect((await send(at('all2'), '/api/users/', 'GET', bearer(bob.token))).statusCode).toBe(200);
  await call(at('web1'), admin.token, '/users/?id=2', 'PUT', { role: 'miner' });
  await eventually(
    async () => (await send(at('all2'), '/api/users/', 'GET', bearer(bob.token))).statusCode === 403,
    'the role to be gone at the other',
  );
});

it(
  'each process killed: the others go on, no acknowledged share is lost, none counts twice',
  async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      await eventually(leader, 'a leader');
      const [killed, stays] = KILLS[round % 2 ? 1 : 0];
      for (const name of killed) await end(name, 'SIGKILL');
      await eventually(async () => (await leader())?.startsWith(pidOf(stays)), 'the other one to lead');
      expect(await isReady(stays)).toBe(true);
      await Promise.all(killed.map(run));
      await allMine();
    }
  },
  240_000 + ROUNDS * 60_000,
);

it('a stratum process replaced: every miner is asked to move, has work again and is connected', async () => {
  // The last kill has left all miners at it.
  const before = miners.map(({ reconnects }) => reconnects);
  for (const name of ['stratum3', 'miners3'] as const) ports.set(name, await freePort());
  await run('stratum3');
  expect(await end('stratum1', 'SIGTERM')).toBe(0);
  processes.delete('stratum1');
  await allMine();
  expect(miners.filter(({ reconnects }, n) => reconnects === before[n])).toEqual([]);
  const living = (await readNodes(database.pool)).filter(({ roles }) => roles.includes('stratum'));
  expect(living).toHaveLength(2);
  // What the new one has of it is written with the next flush.
  const there = (): Promise<{ rows: unknown[] }> =>
    database.pool.query(
      `select from worker w join worker_live l on l.sub_account_id = w.sub_account_id and l.worker_id = w.id
       where w.name like 'rig-%' and l.disconnected_at is null`,
    );
  await eventually(async () => (await there()).rows.length === miners.length, 'every miner to be connected');
});

it('each worker is counted; nodes that are stopped leave, and no day waits for them', async () => {
  await Promise.all(miners.map((miner) => miner.finish()));
  const names = [...processes.keys()];
  expect(await Promise.all(names.map((name) => end(name, 'SIGTERM')))).toEqual(names.map(() => 0));
  const { rows } = await database.pool.query<{ name: string; shares: number }>(
    `select w.name, s.shares::int as shares
     from worker w
     join (select worker_id, sum(shares) as shares from share_1m group by 1) s on s.worker_id = w.id
     where w.name like 'rig-%'
     order by 1`,
  );
  expect(rows).toHaveLength(miners.length);
  rows.forEach(({ shares }, n) => {
    const { accepted, unanswered } = miners[n] as Miner;
    expect(accepted).toBeGreaterThan(10);
    expect(shares).toBeGreaterThanOrEqual(accepted);
    expect(shares).toBeLessThanOrEqual(accepted + unanswered);
  });
  expect(await readNodes(database.pool)).toEqual([]);
  const { rows: connected } = await database.pool.query(
    'select from worker_live where disconnected_at is null and connected_at is not null',
  );
  expect(connected).toEqual([]);
});
