/**
 * The scaled profile of docker-compose.yml as processes, from Debian's packages. Stands for Patroni too: a primary that
 * does not answer is ended, its standby promoted, and its data copied anew.
 */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  openSync,
  closeSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { connectTo, postgresPrograms, whoRuns } from '../../api/src/db/testing/postgres';
import { eventually } from '../../api/src/testing/eventually';
import { ROOT } from '../build/files';
import { filled, scaled, services } from './compose';
import { freePlaces, placed, writeConfiguration, type Places } from './places';

type Program = {
  command: string[];
  env?: Record<string, string>;
  who?: { uid?: number; gid?: number };
  stop: NodeJS.Signals;
};
/** How often the primary is asked, how long it may take, and how often in a row it may fail. */
const WATCH = { everyMs: 1000, answerMs: 3000, failures: 3 };
const PORTS: Record<string, number> = { nginx: 8080, haproxy: 3311, pgbouncer: 6432 };
export const DATABASES = ['database-a', 'database-b'] as const;
type DatabaseName = (typeof DATABASES)[number];

const childrenOf = (pid: number): number[] => {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
};

export class Cluster {
  /** Which one takes writes. */
  primary: DatabaseName = 'database-a';
  /** Times another one became it. */
  failovers = 0;
  private readonly running = new Map<string, ChildProcess>();
  private readonly programs: Record<string, Program>;
  private stopped = false;
  private watching = Promise.resolve();

  private constructor(
    readonly folder: string,
    readonly places: Places,
    private readonly given: Record<string, string>,
  ) {
    this.programs = Object.fromEntries(scaled.map((name) => [name, this.programOf(name)]));
  }

  /** Makes `folder` and starts the databases with their pooler. `settings`: the server's, as compose takes them. */
  static async open(folder: string, settings: Record<string, string> = {}): Promise<Cluster> {
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o755);
    const given = {
      POSTGRES_PASSWORD: randomBytes(24).toString('hex'),
      SECRETS_KEY: randomBytes(32).toString('base64'),
      ...settings,
    };
    const cluster = new Cluster(folder, await freePlaces(), given);
    writeConfiguration(folder, cluster.places);
    writeFileSync(path.join(folder, 'users'), `"pool" "${given.POSTGRES_PASSWORD}"\n`);
    mkdirSync(path.join(folder, 'backups'));
    for (const name of [...DATABASES, 'pgbouncer']) {
      const data = path.join(folder, name);
      mkdirSync(data);
      const { uid, gid } = whoRuns();
      if (uid !== undefined && gid !== undefined) chownSync(data, uid, gid);
    }
    try {
      await Promise.all(['database-a', 'primary', 'pgbouncer'].map((name) => cluster.run(name)));
      await cluster.run('database-b');
      await cluster.untilFollowed();
    } catch (error) {
      await cluster.stop();
      throw error;
    }
    cluster.watching = cluster.watch();
    return cluster;
  }

  /** The server's processes, and what stands in front of them. */
  async serve(names = scaled.filter((name) => !this.running.has(name))): Promise<void> {
    await Promise.all(names.map((name) => this.run(name)));
  }

  /** `primary`: of whichever it is. Past the pooler. */
  databaseUrl = (name: DatabaseName | 'primary'): string =>
    `postgres://pool:${this.given.POSTGRES_PASSWORD}@${this.places[name]}:5432/pool`;
  logOf = (name: string): string => path.join(this.folder, `${name}.log`);
  pidOf = (name: string): number => this.running.get(name)?.pid ?? 0;
  names = (): string[] => scaled;

  /** Starts one; resolves when it is healthy. */
  async run(name: string): Promise<void> {
    const program = this.programs[name];
    if (!program) throw new Error(`no service ${name}`);
    const [command = '', ...args] = program.command;
    const log = openSync(this.logOf(name), 'a');
    const child = spawn(command, args, {
      // Ctrl-C is for this process alone: it ends them in their order.
      detached: true,
      cwd: ROOT,
      ...program.who,
      env: { PATH: `${postgresPrograms()}:${process.env.PATH}`, ...program.env },
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    child.once('error', () => undefined);
    this.running.set(name, child);
    const ended = () => child.exitCode !== null || child.signalCode !== null || child.pid === undefined;
    await eventually(async () => ended() || (await this.isHealthy(name)), `${name}, see ${this.logOf(name)}`, 120_000);
    if (ended()) throw new Error(`${name} ended:\n${readFileSync(this.logOf(name), 'utf8').slice(-4000)}`);
  }

  /** Ends one as its container would be; the exit code, null after a signal. */
  async end(name: string, signal?: NodeJS.Signals): Promise<number | null> {
    const child = this.running.get(name);
    if (!child || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null;
    const ended = once(child, 'exit');
    if (signal === 'SIGKILL') this.signal(name, signal);
    else child.kill(signal ?? this.programs[name]?.stop);
    await ended;
    return child.exitCode;
  }

  /** To the process and its children: those of PostgreSQL are in no group. */
  signal(name: string, signal: NodeJS.Signals): void {
    const pid = this.pidOf(name);
    // The first one cannot make new ones then.
    for (const each of [pid, ...childrenOf(pid)])
      try {
        process.kill(each, signal);
      } catch {
        // It has ended.
      }
  }

  /** Ends all, the databases last; `folder` is the caller's. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.watching;
    const last = ['haproxy', 'nginx', 'pgbouncer', ...DATABASES, 'primary'];
    await Promise.all(scaled.filter((name) => !last.includes(name)).map((name) => this.end(name)));
    for (const name of last) await this.end(name);
  }

  /** Until a standby follows that confirms what money waits for. */
  async untilFollowed(): Promise<void> {
    await eventually(
      () => this.ask(this.primary, "select from pg_stat_replication where sync_state = 'sync'"),
      'a standby',
      120_000,
    );
  }

  /** The other database becomes the primary, whatever state this one is in. */
  async failover(): Promise<void> {
    const old = this.primary;
    const next = old === 'database-a' ? 'database-b' : 'database-a';
    // Two primaries would be worse than none.
    await this.end(old, 'SIGKILL');
    await promisify(execFile)(path.join(postgresPrograms(), 'pg_ctl'), ['promote', '-w', '-D', this.dataOf(next)], {
      ...whoRuns(),
      cwd: '/',
    });
    this.primary = next;
    this.failovers += 1;
    rmSync(this.dataOf(old), { recursive: true, force: true });
    await this.run(old);
  }

  private dataOf = (name: string): string => path.join(this.folder, name, 'cluster');

  private async watch(): Promise<void> {
    let failures = 0;
    while (!this.stopped) {
      failures = (await this.ask(this.primary, 'select 1')) ? 0 : failures + 1;
      if (failures === WATCH.failures) {
        failures = 0;
        await this.failover().catch((error: unknown) => console.error(error));
      }
      await wait(WATCH.everyMs);
    }
  }

  /** Whether it answers in time, with a row. */
  private async ask(name: DatabaseName, query: string): Promise<boolean> {
    try {
      const client = await connectTo(this.databaseUrl(name), WATCH.answerMs);
      const has = await client.query(query).then(
        ({ rowCount }) => Boolean(rowCount),
        () => false,
      );
      // One that is frozen does not answer a farewell.
      client.connection.stream.destroy();
      return has;
    } catch {
      return false;
    }
  }

  private async isHealthy(name: string): Promise<boolean> {
    const host = this.places[name] ?? '';
    if (services[name]?.build === '.')
      return fetch(`http://${host}:3000/ready`).then(
        ({ ok }) => ok,
        () => false,
      );
    if (name === 'primary') return this.ask(this.primary, 'select 1');
    if (DATABASES.some((each) => each === name)) return this.ask(name as DatabaseName, 'select 1');
    return new Promise((resolve) => {
      const socket = connect(PORTS[name] ?? 0, host, () => resolve(true)).once('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
  }

  private programOf(name: string): Program {
    const { folder, places } = this;
    const file = (base: string): string => path.join(folder, base);
    const host = places[name] ?? '';
    const env = Object.fromEntries(
      Object.entries(services[name]?.environment ?? {}).map(([key, value]) => [
        key,
        placed(filled(value, this.given), places),
      ]),
    );
    if (name === 'nginx')
      return {
        command: ['nginx', '-p', folder, '-c', file('nginx.conf'), '-e', 'stderr', '-g', 'daemon off; pid nginx.pid;'],
        stop: 'SIGTERM',
      };
    if (name === 'haproxy' || name === 'primary')
      return { command: ['haproxy', '-db', '-f', file(`${name}.cfg`)], stop: 'SIGTERM' };
    if (name === 'pgbouncer') return { command: ['pgbouncer', file('pgbouncer.ini')], who: whoRuns(), stop: 'SIGINT' };
    if (DATABASES.some((each) => each === name))
      return {
        command: ['sh', file('database.sh')],
        env: { ...env, PGDATA: this.dataOf(name), LISTEN: host },
        who: whoRuns(),
        stop: 'SIGINT',
      };
    const kept = { '/data': name, '/backups': 'backups' };
    const settings = Object.fromEntries(
      Object.entries(env).map(([key, value]) => [key, value in kept ? file(kept[value as keyof typeof kept]) : value]),
    );
    return {
      command: [process.execPath, '--enable-source-maps', 'api/dist/main.mjs'],
      env: {
        NODE_ENV: 'production',
        ...settings,
        ...this.extra(),
        HOST: host,
        STRATUM_HOST: host,
        DATA_DIR: file(name),
      },
      stop: 'SIGTERM',
    };
  }

  /** Settings that the containers do not pass on. */
  private extra(): Record<string, string> {
    const passed = services['web-a']?.environment ?? {};
    return Object.fromEntries(
      Object.entries(this.given).filter(([key]) => key !== 'POSTGRES_PASSWORD' && !(key in passed)),
    );
  }
}

/** Programs that are not installed; then nothing of this runs. */
export const missing = (): string[] =>
  ['/usr/sbin/haproxy', '/usr/sbin/nginx', '/usr/sbin/pgbouncer'].filter((file) => !existsSync(file));
