/**
 * Helper of fault tests: a pool of real parts (PostgreSQL over a link that can fail, an upstream pool, servers as
 * processes, miners that find real shares), and what has to be true of it before, during and after a fault.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import type { Miner } from '../../../../../e2e/miner/miner';
import { firstOpenDay } from '../../../money/accounting/earnings';
import type { Role } from '../../../platform/config';
import { addDays, dayOf } from '../../../platform/days';
import { type Database, openDatabase } from '../../../platform/db/database';
import { type Link, startLink } from '../../../platform/db/testing/link';
import { type Cluster, startCluster } from '../../../platform/db/testing/postgres';
import { type BuiltinPool, startBuiltinPool } from '../../../stratum/builtin-pool';
import { eventually } from '../../../testing/eventually';
import { freePort } from '../../../testing/free-port';
import { startMiner } from '../../../testing/miner';
import { type Around, runServer, type ServerProcess } from '../../../testing/server-process';
import { noteBackup } from '../../last-backup';
import { ledgerHash } from '../../ledger-hash';
import { askSignIn, DAY, fill, PASSWORD } from '../../testing/product';
import { Alarms, STEP_S } from './alarms';

/** Faults wait for their alarms, which takes minutes: before a release. */
export const heavy = process.env.HEAVY ? it : it.skip;
const MINERS = 3;
/** Seconds until an alarm is sure. */
const SURE_S = 70;

type Settings = Record<string, string>;
export type Options = {
  /** Starts its PostgreSQL. */
  cluster?: () => Promise<Cluster>;
  /** A process for each; else one without roles. */
  roles?: readonly Role[];
};

export type Fault = {
  /** Which must fire; none does before. */
  alarm: string;
  begin(miners: readonly Miner[]): void | Promise<void>;
  /** While it lasts. */
  during?(miners: readonly Miner[]): void | Promise<void>;
  end(): void | Promise<void>;
  /** Shares are accepted while it lasts: not with a disk that is full, or without an upstream. */
  mines: boolean;
  /** Miners lose their connection: their process is gone, or their port. */
  disconnects?: boolean;
  /** Shares that were refused are on the disk after all, and the upstream has taken them. */
  countsRefused?: boolean;
  /** What /ready says while it lasts. */
  hindrance?: string;
  /** Seconds in place of the usual time. */
  seconds?: number;
};

/** Sum of what shares of a worker are in the database. */
const COUNTED = `
  select w.name, sum(s.shares)::int as shares
  from share_1d s join worker w on w.id = s.worker_id where w.name like $1 group by 1`;

export class Product {
  readonly servers = new Map<string, ServerProcess>();
  readonly urls = new Map<string, string>();
  stratum = 0;
  private faults = 0;
  private readonly secret = randomBytes(32).toString('base64');

  private constructor(
    readonly folder: string,
    public cluster: Cluster,
    readonly link: Link,
    /** Connection that does not go over the link. */
    public database: Database,
    public upstream: BuiltinPool,
    private readonly options: Options,
  ) {}

  static async start(options: Options = {}): Promise<Product> {
    const folder = mkdtempSync(join(tmpdir(), 'fault-'));
    const cluster = await (options.cluster ?? startCluster)();
    const link = await startLink(cluster.url);
    const database = await openDatabase({ url: cluster.url });
    await fill(database);
    // Without prices the day after it would stay open.
    await database.pool.query(
      `insert into day_price (day, algorithm, price_btc, btc_price_usd, source, known_at)
       select day, algorithm, 1e-7, 60000, 'admin', now()
       from generate_series($1::date, now()::date, '1 day') day, (values ('SHA256_ASICBOOST'), ('SCRYPT')) a (algorithm)
       on conflict do nothing`,
      [addDays(DAY, 1)],
    );
    const upstream = await startBuiltinPool({ algorithm: 'SHA256_ASICBOOST' });
    const product = new Product(folder, cluster, link, database, upstream, options);
    product.stratum = await freePort();
    for (const name of options.roles ?? ['server']) {
      product.urls.set(name, `http://127.0.0.1:${await freePort()}`);
      await product.run(name);
    }
    return product;
  }

  dataDir = (name = 'server'): string => join(this.folder, name);

  /** Starts a server, again after it has ended. */
  async run(name = 'server', settings: Settings = {}, around?: Around): Promise<ServerProcess> {
    const { roles } = this.options;
    mkdirSync(this.dataDir(name), { recursive: true });
    // The process with the jobs makes the backups.
    if (!roles || name === 'worker') noteBackup(this.dataDir(name), new Date());
    const started = runServer(
      {
        DATA_DIR: this.dataDir(name),
        DATABASE_URL: this.link.url,
        PORT: new URL(this.urls.get(name) ?? '').port,
        UPSTREAM_SHA256: this.upstream.target.url.replace('://', '://pool:x@'),
        UPSTREAM_ALLOW: 'private',
        REMOTES_DIR: '/nonexistent',
        ...(!roles || name === 'stratum' ? { STRATUM_PORT_SHA256: String(this.stratum) } : {}),
        ...(roles && { ROLES: name, SECRETS_KEY: this.secret }),
        ...settings,
      },
      around,
    );
    this.servers.set(name, started);
    await started.until('Mining Pool is running');
    return started;
  }

  /** A standby takes over that lacks what was counted last. */
  async failOver(): Promise<void> {
    const { cluster, database } = this;
    const standby = await cluster.standby();
    await eventually(async () => {
      const { rows } = await database.pool.query("select from pg_stat_replication where state = 'streaming'");
      return rows.length === 1;
    }, 'a standby that follows');
    await standby.halt();
    const counted = async (): Promise<number> =>
      (await database.pool.query<{ n: number }>('select count(*)::int as n from ingest_batch')).rows[0]?.n ?? 0;
    const before = await counted();
    await eventually(async () => (await counted()) > before + 1, 'segments that the standby lacks', 60_000);
    await cluster.crash();
    await standby.start();
    await standby.promote();
    this.link.lead(standby.url);
    await database.close();
    this.database = await openDatabase({ url: standby.url });
    this.cluster = standby;
    await cluster.remove();
  }

  /** Answer to a sign-in, with its token. */
  async signIn(name = 'server'): Promise<{ status: number; body: string; token: string }> {
    const answer = await askSignIn(this.urls.get(name) ?? '', 'alice', PASSWORD);
    const body = await answer.text();
    return { status: answer.status, body, token: /"jwt":"([^"]+)"/.exec(body)?.[1] ?? '' };
  }

  /** Answer to a page's call. */
  async call(path: string, token: string, name = 'server'): Promise<{ status: number; body: string }> {
    const answer = await fetch(`${this.urls.get(name)}/api${path}`, { headers: { authorization: `Bearer ${token}` } });
    return { status: answer.status, body: await answer.text() };
  }

  /** All its connections end, and new ones are taken at once. */
  async restartUpstream(): Promise<void> {
    const { port } = this.upstream;
    await this.upstream.stop();
    this.upstream = await startBuiltinPool({ algorithm: 'SHA256_ASICBOOST', port });
  }

  /** `signal`: SIGKILL as a crash, SIGTERM as an operator. */
  async end(name = 'server', signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const server = this.servers.get(name);
    server?.child.kill(signal);
    await server?.ended;
  }

  /** The answer of /ready, of the process that mines. */
  async ready(name = this.options.roles ? 'stratum' : 'server'): Promise<string> {
    try {
      return await (await fetch(`${this.urls.get(name)}/ready`)).text();
    } catch {
      return 'no answer';
    }
  }

  /** Miners mine; the fault comes, its alarm fires, it goes; all is as if it had not been. */
  async suffer({
    alarm,
    begin,
    during,
    end,
    mines,
    disconnects = false,
    countsRefused = false,
    hindrance,
    seconds = SURE_S,
  }: Fault): Promise<void> {
    const name = `fault-${(this.faults += 1)}`;
    const miners = Array.from({ length: MINERS }, (_, n) => startMiner(this.stratum, `alice.${name}-${n}`));
    const allMine = async (what: string): Promise<void> => {
      const before = miners.map(({ accepted }) => accepted);
      await eventually(() => miners.every(({ accepted }, n) => accepted > (before[n] ?? 0) + 5), what);
    };
    try {
      await allMine('shares before the fault');
      await eventually(async () => (await this.ready()) === '{"ready":true}', 'a ready pool');
      await eventually(async () => (await firstOpenDay(this.database.pool)) === this.today(), 'closed days');
      const money = await ledgerHash(this.database.pool);
      const day = this.today();
      let fired = new Map<string, number>();
      const alarms = await eventually(async () => {
        const healthy = new Alarms(this.urls);
        await healthy.read();
        fired = await healthy.fired();
        return fired.size === 0 && healthy;
      }, 'a pool without an alarm').catch((error: unknown) => {
        throw new Error(`${String(error)}: ${[...fired.keys()].join(', ')}`);
      });

      await begin(miners);
      const until = performance.now() + seconds * 1000;
      if (mines) await allMine('shares during the fault');
      await during?.(miners);
      while (performance.now() < until) {
        await new Promise((resolve) => setTimeout(resolve, STEP_S * 1000));
        await alarms.read();
      }
      if (hindrance) await eventually(async () => (await this.ready()).includes(hindrance), `"${hindrance}" of /ready`);
      fired = await alarms.fired();

      await end();
      const ended = performance.now();
      await eventually(async () => (await this.ready()) === '{"ready":true}', 'a ready pool after the fault', 90_000);
      await allMine('shares after the fault');
      await Promise.all(miners.map((miner) => miner.finish()));
      const counted = await this.countedOf(miners, name);
      const recoveredS = (performance.now() - ended) / 1000;

      miners.forEach(({ accepted, unanswered, rejected, disconnects: lost }, n) => {
        expect(counted[n]).toBeGreaterThanOrEqual(accepted);
        expect(counted[n]).toBeLessThanOrEqual(accepted + unanswered + (countsRefused ? rejected : 0));
        if (!disconnects) expect(lost).toBe(0);
      });
      // A day may be closed rightly at midnight.
      if (this.today() === day) {
        expect(await ledgerHash(this.database.pool)).toEqual(money);
        expect(await firstOpenDay(this.database.pool)).toBe(day);
      }
      const { rows: told } = await this.database.pool.query('select from notification where kind like $1', [
        '%offline%',
      ]);
      expect(told).toEqual([]);
      expect([...fired.keys()]).toContain(alarm);
      process.stdout.write(
        `${alarm}: after ${fired.get(alarm)} s; all is well ${recoveredS.toFixed(1)} s after the fault\n`,
      );
    } finally {
      for (const miner of miners) miner.stop();
    }
  }

  /** Time by the database's clock, which is this machine's. */
  private today = (): string => dayOf(Date.now() / 1000);

  /** Shares in the database of each, when it has no fewer than were accepted. */
  private countedOf(miners: readonly Miner[], prefix: string): Promise<number[]> {
    return eventually(
      async () => {
        const { rows } = await this.database.pool.query<{ name: string; shares: number }>(COUNTED, [`${prefix}-%`]);
        const counted = miners.map((_, n) => rows.find(({ name }) => name === `${prefix}-${n}`)?.shares ?? 0);
        return miners.every(({ accepted }, n) => (counted[n] ?? 0) >= accepted) && counted;
      },
      'all accepted shares to be counted',
      120_000,
    );
  }

  async stop(): Promise<void> {
    for (const name of this.servers.keys()) await this.end(name);
    await this.upstream.stop();
    await this.database.close();
    await this.link.close();
    await this.cluster.remove();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
