/**
 * What a second web process gives: pages and calls of one and of two, and the CPU time of each. The database and who
 * asks are on the same machine: where its cores are all busy, two processes serve no more than one, but cost as much a
 * page.
 */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { openDatabase } from '../../api/src/db/database';
import { startCluster } from '../../api/src/db/testing/postgres';
import { fill, PASSWORD } from '../../api/src/ops/testing/product';
import { sessionOf } from '../../api/src/testing/calls';
import { freePort } from '../../api/src/testing/free-port';
import { killServers, runServer } from '../../api/src/testing/server-process';
import { deployBuilds } from '../../e2e/fixtures/product';
import { ROOT } from '../build/files';
import { spent, usage } from './views';

const SECONDS = 8;
const CONNECTIONS = 20;
/** Clock ticks of `/proc/self/stat` in a second. */
const TICKS = 100;
const PATHS = ['/dashboard/', '/api/getLiveHashrates/'];
const autocannon = require.resolve('autocannon');

type Result = { requests: { total: number }; non2xx: number };

type Session = Awaited<ReturnType<typeof sessionOf>>;

async function load(port: number, url: string, session: Session, connections: number): Promise<number> {
  const caller = [`cookie=${session.cookie}`, `authorization=Bearer ${session.token}`];
  const headers = ['host=pool.example', 'accept=text/html', 'accept-encoding=br', ...caller];
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      ...[autocannon, '--json', '-c', String(connections), '-d', String(SECONDS)],
      ...headers.flatMap((header) => ['-H', header]),
      `http://127.0.0.1:${port}${url}`,
    ],
    { maxBuffer: 1e8 },
  );
  const { requests, non2xx } = JSON.parse(stdout) as Result;
  if (non2xx) throw new Error(`${url}: ${non2xx} answers were not 2xx`);
  return requests.total;
}

/** CPU time in ms of children that have ended: of those that ask. */
function ended(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  const [user, system] = fields.slice(13);
  return ((Number(user) + Number(system)) * 1000) / TICKS;
}

async function measure(ports: readonly number[], url: string): Promise<string> {
  // A token is valid for a minute.
  const session = await sessionOf(ports[0] ?? 0, 'alice', PASSWORD);
  for (const port of ports) await load(port, url, session, 1);
  const [before, endedBefore] = [usage(), ended()];
  const served = await Promise.all(ports.map((port) => load(port, url, session, CONNECTIONS / ports.length)));
  const used = spent(before, usage());
  const total = served.reduce((sum, each) => sum + each, 0);
  const database = used.get('postgres') ?? 0;
  const web = [...used].reduce((sum, [name, ms]) => (name.endsWith('.mjs') ? sum + ms : sum), 0);
  const cell = (ms: number): string => (ms / total).toFixed(2);
  const cells = [Math.round(total / SECONDS), ...[web, database, ended() - endedBefore].map(cell)];
  return `| ${url} | ${ports.length} | ${cells.join(' | ')} |`;
}

export async function benchWeb(): Promise<void> {
  const REMOTES_DIR = await deployBuilds();
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-web-'));
  const cluster = await startCluster();
  try {
    const database = await openDatabase({ url: cluster.url });
    await fill(database);
    await database.close();
    const SECRETS_KEY = randomBytes(32).toString('base64');
    const ports: number[] = [];
    for (const name of ['a', 'b']) {
      const port = await freePort();
      const server = runServer({
        ROLES: 'web',
        DATA_DIR: path.join(folder, name),
        DATABASE_URL: cluster.url,
        SECRETS_KEY,
        PORT: String(port),
        RATE_LIMIT: '100000000',
        DIST_DIR: path.join(ROOT, 'dist'),
        REMOTES_DIR,
      });
      await server.until('Mining Pool is running');
      ports.push(port);
    }
    const rows: string[] = [];
    for (const url of PATHS) for (const count of [1, 2]) rows.push(await measure(ports.slice(0, count), url));
    process.stdout.write(
      `\n${cpus().length} cores, of the database and of who asks too\n` +
        '| asked for | web processes | answers/s | CPU ms an answer: web | database | who asks |\n|---|---|---|---|---|---|\n' +
        `${rows.join('\n')}\n`,
    );
  } finally {
    await killServers();
    await cluster.remove();
    rmSync(folder, { recursive: true });
  }
}
