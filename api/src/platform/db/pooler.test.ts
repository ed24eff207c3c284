/** A real pgbouncer that pools transactions, between the server and PostgreSQL. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync, chmodSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unreadOf } from '../../messages/notifications';
import { backup } from '../../ops/backup';
import { fill, PASSWORD, server, signIn } from '../../ops/testing/product';
import { eventually } from '../../testing/eventually';
import { direct, readConfig } from '../config';
import { openDatabase } from './database';
import { sessionSettings } from './pooler';
import { whoRuns } from './testing/postgres';
import { postgresOfFile } from './testing/test-database';

const PORT = 6432;
/** Roles of one of several processes, which also send messages to each other and do the jobs in turn. */
const ROLES = 'web,stratum,worker';
const SECRETS_KEY = Buffer.alloc(32).toString('base64');
const database = postgresOfFile();
let folder: string;
beforeAll(async () => {
  await fill(database);
  folder = mkdtempSync(join(tmpdir(), 'pool-bouncer-'));
  chmodSync(folder, 0o777);
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
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
