/**
 * The build before the newest migration, made from git, beside this one on one PostgreSQL, as while one is deployed.
 * Runs with HEAVY=1; db/migrations.test.ts reads the same rule in each migration's text.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { bundlePrograms } from '../../../scripts/build/server';
import type { Miner } from '../../../e2e/miner/miner';
import type { Role } from '../platform/config';
import { migrationNames } from '../platform/db/migrate';
import { ROOT } from '../root';
import { startCluster, type Cluster } from '../platform/db/testing/postgres';
import { startBuiltinPool, type BuiltinPool } from '../stratum/builtin-pool';
import { bearer, call, send, sessionOf } from '../testing/calls';
import { freePort } from '../testing/free-port';
import { eventually } from '../testing/eventually';
import { startMiner } from '../testing/miner';
import { killServers, runServer, type ServerProcess } from '../testing/server-process';
import { newFolder } from '../testing/folder';

const PASSWORD = 'correct horse 7 battery';
const BTC = '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2';
const secret = randomBytes(32).toString('base64');
const folder = newFolder();
let cluster: Cluster;
let upstream: BuiltinPool;

const git = (...args: string[]): Buffer => execFileSync('git', args, { cwd: ROOT, maxBuffer: 2 ** 30 });
/** The tree as it was before the newest migration, bundled. */
async function buildBefore(root: string): Promise<void> {
  const commit = git('log', '-1', '--format=%H', '--diff-filter=A', '--', 'api/src/platform/db/migrations')
    .toString()
    .trim();
  mkdirSync(join(root, 'node_modules/@pool'), { recursive: true });
  execFileSync('tar', ['-x', '-C', root], {
    input: git('archive', `${commit}^`, 'api', 'shared', 'shell/locales', 'tsconfig.json'),
  });
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    if (name !== '@pool') symlinkSync(join(ROOT, 'node_modules', name), join(root, 'node_modules', name));
  symlinkSync(join(root, 'shared'), join(root, 'node_modules/@pool/shared'));
  symlinkSync(join(ROOT, 'api/node_modules'), join(root, 'api/node_modules'));
  await bundlePrograms(['api/src/app/main.ts'], join(root, 'api/dist'), root);
}

type Place = { process: ServerProcess; port: number; miners: number };
async function run(name: string, role: Role, root: string): Promise<Place> {
  const [port, miners] = [await freePort(), await freePort()];
  const process = runServer(
    {
      ROLES: role,
      DATA_DIR: join(folder, name),
      DATABASE_URL: cluster.url,
      SECRETS_KEY: secret,
      PORT: String(port),
      STRATUM_PORT_SHA256: role === 'stratum' ? String(miners) : '0',
      UPSTREAM_SHA256: upstream.target.url.replace('://', '://pool:x@'),
      UPSTREAM_ALLOW: 'private',
      REMOTES_DIR: '/nonexistent',
    },
    { root },
  );
  await process.until('Mining Pool is running');
  return { process, port, miners };
}
const ROLES: readonly Role[] = ['web', 'stratum', 'worker'];
const runAll = (name: string, root: string) => Promise.all(ROLES.map((role) => run(`${name} ${role}`, role, root)));
const mine = (place: Place, rig: string): Miner => startMiner(place.miners, `alice.${rig}`);
const oneMore = async (miner: Miner): Promise<unknown> => {
  const before = miner.accepted;
  return eventually(() => miner.accepted > before + 2, 'shares');
};

// No build before the tables of 1.0.0 was deployed.
(process.env.HEAVY && migrationNames().length > 1 ? describe : describe.skip)('two builds', () => {
  beforeAll(async () => {
    cluster = await startCluster();
    upstream = await startBuiltinPool({ algorithm: 'SHA256_ASICBOOST', blockMs: [2000, 4000] });
    await buildBefore(join(folder, 'before'));
  }, 240_000);
  afterAll(async () => {
    await killServers();
    await upstream.stop();
    await cluster.remove();
  });

  it('serve side by side: this one migrates under the other, no share is lost, each sees what the other does', async () => {
    const old = await runAll('old', join(folder, 'before'));
    const [oldWeb, oldStratum] = old as [Place, Place];
    const user = { username: 'alice', email_address: 'alice@example.com', password: PASSWORD };
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const made = await send(
      oldWeb.port,
      '/__clerk/v1/client/sign_ups',
      'POST',
      type,
      new URLSearchParams(user).toString(),
    );
    expect(made.statusCode).toBe(200);
    const client = new pg.Client(cluster.url);
    await client.connect();
    const migrations = async (): Promise<number> =>
      Number((await client.query('select count(*) as n from migration.applied')).rows[0].n);
    const before = await migrations();
    const miners = [mine(oldStratum, 'old')];
    await oneMore(miners[0] as Miner);

    const now = await runAll('new', ROOT);
    const [web, stratum] = now as [Place, Place];
    expect(await migrations()).toBeGreaterThan(before);
    miners.push(mine(stratum, 'new'));
    for (const miner of miners) await oneMore(miner);

    const { token, cookie } = await sessionOf(oldWeb.port, 'alice', PASSWORD);
    const wallet = await call(oldWeb.port, token, '/wallet/', 'PUT', { btcAddress: BTC });
    expect(JSON.stringify(wallet)).toContain(BTC);
    expect(await call(web.port, token, '/wallet/')).toEqual(wallet);
    const other = await sessionOf(web.port, 'alice', PASSWORD);
    expect(await call(oldWeb.port, other.token, '/wallet/')).toEqual(wallet);
    await send(web.port, '/__clerk/v1/client/sessions?_method=DELETE', 'POST', { cookie });
    const statusAtOld = async (): Promise<number | undefined> =>
      (await send(oldWeb.port, '/api/wallet/', 'GET', bearer(token))).statusCode;
    await eventually(async () => (await statusAtOld()) === 401, 'the end of the session at the other');

    await Promise.all(miners.map((miner) => miner.finish()));
    for (const { process } of [...old, ...now]) process.child.kill('SIGTERM');
    expect(await Promise.all([...old, ...now].map(({ process }) => process.ended))).toEqual(Array(6).fill(0));
    const { rows } = await client.query<{ name: string; shares: number }>(
      `select w.name, sum(s.shares)::int as shares from worker w join share_1m s on s.sub_account_id = w.sub_account_id and s.worker_id = w.id
       group by 1 order by 1 desc`,
    );
    expect(rows.map(({ name }) => name)).toEqual(['old', 'new']);
    rows.forEach(({ shares }, n) => {
      const { accepted, unanswered } = miners[n] as Miner;
      expect(shares).toBeGreaterThanOrEqual(accepted);
      expect(shares).toBeLessThanOrEqual(accepted + unanswered);
    });
    await client.end();

    // The build before starts no more: it does not know the tables.
    await expect(run('old again', 'web', join(folder, 'before'))).rejects.toThrow('newer version');
  }, 240_000);
});
