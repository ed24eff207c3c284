/**
 * TLS to PostgreSQL with a private authority: the ways that work, for the server and its backups, and those that do
 * not, which are a database that is away (brianc/node-postgres#2375, PostHog/posthog#18252).
 */
import { execFileSync } from 'node:child_process';
import { chownSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '../platform/db/database';
import { ownFolder, startCluster, whoRuns, type Cluster } from '../platform/db/testing/postgres';
import { startLink, type Link } from '../platform/db/testing/link';
import { problemOf } from '../http/server/errors';
import { freePort } from '../testing/free-port';
import { backup } from './backup';
import { fill } from './testing/product';
import { newFolder } from '../testing/folder';

const folder = newFolder();
let keys: string;
let cluster: Cluster;
let port: number;
let plain: Link;

const openssl = (...args: string[]): unknown => execFileSync('openssl', args, { cwd: keys, stdio: 'ignore' });
const authority = (): string => join(keys, 'ca.pem');
/** The same database over TCP, by the name that its certificate has unless another is given. */
const url = (parameters: string, host = 'localhost'): string =>
  `postgresql://postgres@${host}:${port}/postgres?${parameters}`;
beforeAll(async () => {
  keys = ownFolder();
  port = await freePort();
  const ec = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  openssl('req', '-x509', ...ec, '-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=Private authority', '-days', '2');
  openssl('req', ...ec, '-keyout', 'server.key', '-out', 'server.csr', '-subj', '/CN=database');
  writeFileSync(join(keys, 'names'), 'subjectAltName=DNS:localhost');
  const signed = ['-in', 'server.csr', '-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'names'];
  openssl('x509', '-req', ...signed, '-days', '2', '-out', 'server.pem');
  const { uid, gid } = whoRuns();
  if (uid !== undefined && gid !== undefined) chownSync(join(keys, 'server.key'), uid, gid);
  const settings = ['ssl=on', `ssl_cert_file=${keys}/server.pem`, `ssl_key_file=${keys}/server.key`];
  cluster = await startCluster(undefined, [], { port, settings });
  plain = await startLink(cluster.url);
  const seed = await openDatabase({ url: cluster.url });
  await fill(seed);
  await seed.close();
});
afterAll(async () => {
  await plain.close();
  await cluster.remove();
  for (const path of [folder, keys]) rmSync(path, { recursive: true, force: true });
});

it.each([
  ['verify-full', () => url(`sslmode=verify-full&sslrootcert=${authority()}`)],
  ['as libpq: require', () => url('uselibpqcompat=true&sslmode=require', '127.0.0.1')],
])('%s: a backup connects as the server does', async (name, at) => {
  const database = await openDatabase({ url: at() });
  expect((await database.pool.query('select ssl from pg_stat_ssl where pid = pg_backend_pid()')).rows).toEqual([
    { ssl: true },
  ]);
  await database.close();
  const config = { DATA_DIR: join(folder, 'data'), DATABASE_URL: at(), POOL_FEE_PERCENT: 1 };
  expect(await backup(config, join(folder, `${name}.backup`), { verify: name === 'verify-full' })).toMatchObject({
    kind: 'postgresql',
  });
});

it('a connection that cannot be made any more is a database that is away: calls say 503', async () => {
  const copy = join(folder, 'authority.pem');
  execFileSync('cp', [authority(), copy]);
  const database = await openDatabase({ url: url(`sslmode=verify-full&sslrootcert=${copy}`), connections: 1 });
  rmSync(copy);
  await database.pool.query('select pg_terminate_backend(pg_backend_pid())').catch(() => undefined);
  const failed: unknown = await database.pool.query('select 1').catch((error: unknown) => error);
  expect(problemOf(failed as Error & { code: string })).toMatchObject({ status: 503, code: 'database_unavailable' });
  await expect(database.pool.connect()).rejects.toThrow(copy);
  await database.close();
});

it('a failover to a server without TLS, or with another name, says so', async () => {
  const without = new URL(plain.url);
  without.searchParams.set('sslmode', 'no-verify');
  await expect(openDatabase({ url: without.href })).rejects.toThrow('(The server does not support SSL connections)');
  await expect(
    openDatabase({ url: url(`sslmode=verify-full&sslrootcert=${authority()}`, '127.0.0.1') }),
  ).rejects.toThrow('does not match');
});
