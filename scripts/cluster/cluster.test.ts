/**
 * The scaled profile as processes, with miners behind HAProxy: each process is killed, the primary fails and its
 * standby takes over, both stratum processes are replaced. Each worker has what it was told, and no more than it sent.
 * HEAVY=1: all of it, with 5,000 miners and an independent one; figures are printed. KEEP=1: logs are kept.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Minerd, minerd } from '../../e2e/interop/minerd';
import { openDatabase, type Database } from '../../api/src/db/database';
import { connectTo } from '../../api/src/db/testing/postgres';
import { readNodes } from '../../api/src/nodes/nodes';
import { startBuiltinPool, type BuiltinPool } from '../../api/src/stratum/builtin-pool';
import { eventually } from '../../api/src/testing/eventually';
import { Cluster, DATABASES, missing } from './cluster';
import { own, scaled } from './compose';
import { Swarm, type Report } from './swarm';

const HEAVY = Boolean(process.env.HEAVY);
const MINERS = Number(process.env.MINERS ?? (HEAVY ? 5000 : 40));
/** As with one share each six seconds. */
const RATE = HEAVY ? MINERS / 6 : 20;
const ACCOUNTS = Array.from({ length: 50 }, (_, n) => `farm${n}`);
const MINERD_ACCOUNT = 'independent';
const WORK_AGAIN_S = 60;
/** Processes of the server. The short form has no second one where none takes over. */
const served = own
  .map(([name]) => name)
  .filter((name) => scaled.includes(name) && (HEAVY || !/^(web|worker)-b/.test(name)));

const nothing = missing();
if (nothing.length > 0) process.stdout.write(`Left out: the cluster. There is no ${nothing.join(', ')}.\n`);
const suite = nothing.length > 0 ? describe.skip : describe;

suite('the scaled profile', () => {
  let folder: string;
  let cluster: Cluster;
  let database: Database;
  let swarm: Swarm;
  let pool: BuiltinPool | undefined;
  let independent: Minerd | undefined;
  const figures: string[] = [];

  const shares = async (): Promise<number> => {
    const { rows } = await database.pool.query<{ sum: number }>(
      'select coalesce(sum(shares), 0) as sum from account_1d',
    );
    return rows[0]?.sum ?? 0;
  };
  const page = (): Promise<boolean> =>
    fetch(`http://${cluster.places.nginx}:8080/ready`, { signal: AbortSignal.timeout(5000) }).then(
      ({ ok }) => ok,
      () => false,
    );
  const allMine = (): Promise<Report> =>
    eventually(
      async () => {
        const report = await swarm.report();
        return report.withoutWork === 0 && report;
      },
      'work for every miner',
      300_000,
    );

  /** What a fault costs: pages, counting, miners. `hit`: until the process is there again. */
  async function fault(name: string, hit: () => Promise<unknown>): Promise<Report> {
    await swarm.report();
    const before = await shares();
    const begun = performance.now();
    let good = begun;
    let gap = 0;
    let over = false;
    const pages = (async () => {
      while (!over) {
        if (await page()) good = performance.now();
        gap = Math.max(gap, performance.now() - good);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    })();
    const counting = eventually(
      () =>
        shares().then(
          (now) => now > before,
          () => false,
        ),
      `counting after ${name}`,
      120_000,
    ).then(() => performance.now() - begun);
    await hit();
    const counted = await counting;
    await eventually(page, `pages after ${name}`, 120_000);
    over = true;
    await pages;
    let [lost, longest, p99] = [0, 0, 0];
    const refused: Report['refused'] = {};
    const report = await eventually(
      async () => {
        const part = await swarm.report();
        lost += part.lost;
        longest = Math.max(longest, part.longestWithoutWork);
        p99 = Math.max(p99, part.p99);
        for (const [why, count] of Object.entries(part.refused)) refused[why] = (refused[why] ?? 0) + count;
        return part.withoutWork === 0 && part;
      },
      `work for every miner after ${name}`,
      300_000,
    );
    const s = (ms: number): string => (ms / 1000).toFixed(1);
    figures.push(`| ${name} | ${s(gap)} | ${s(counted)} | ${lost} | ${s(longest)} | ${p99.toFixed(0)} |`);
    if (Object.keys(refused).length > 0) figures.push(`refused: ${JSON.stringify(refused)}`);
    return { ...report, lost, longestWithoutWork: longest };
  }

  const failedOver = async (hit: () => Promise<unknown>): Promise<void> => {
    const before = cluster.failovers;
    await hit();
    await eventually(() => cluster.failovers > before, 'the standby to take over', 120_000);
    await cluster.untilFollowed();
  };
  const kill = (name: string) => (): Promise<unknown> => cluster.end(name, 'SIGKILL').then(() => cluster.run(name));

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'pool-cluster-'));
    swarm = await Swarm.open();
    const program = HEAVY ? await minerd() : null;
    if (program) pool = await startBuiltinPool({ algorithm: 'SCRYPT' });
    cluster = await Cluster.open(folder, {
      UPSTREAM_SHA256: `stratum+tcp://pool:x@127.0.0.1:${swarm.upstreamPort}`,
      UPSTREAM_SCRYPT: pool?.target.url.replace('://', '://pool:x@') ?? '',
      BACKUP_EVERY: '0',
      LOG_LEVEL: 'warn',
      // What the pages are made of is not at stake.
      REMOTES_DIR: '/nonexistent',
      DIST_DIR: '/nonexistent',
    });
    database = await openDatabase({ url: cluster.databaseUrl('primary'), onError: () => undefined });
    for (const account of [...ACCOUNTS, MINERD_ACCOUNT])
      await database.pool.query(
        `with made as (insert into app_user (identity_id, user_name) values ($1, $1) returning id)
         insert into sub_account (user_id, name) select id, $1 from made`,
        [account],
      );
    await cluster.serve([...served, 'nginx', 'haproxy']);
    const host = cluster.places.haproxy ?? '';
    swarm.start({ host, port: 3311, accounts: ACCOUNTS, miners: MINERS, rate: RATE });
    if (program) independent = new Minerd(program, 'scrypt', 3312, `${MINERD_ACCOUNT}.cpu`, host);
    await allMine();
  }, 600_000);

  afterAll(async () => {
    if (HEAVY && figures.length > 0)
      process.stdout.write(
        [
          '',
          '| fault | pages away, s | counted after, s | connections lost | longest without work, s | p99, ms |',
          '|---|---|---|---|---|---|',
          ...figures,
          '',
        ].join('\n'),
      );
    swarm?.end();
    await independent?.stop();
    await database?.close();
    await cluster?.stop();
    await pool?.stop();
    if (!process.env.KEEP) rmSync(folder, { recursive: true, force: true });
  }, 120_000);

  const whole = HEAVY ? it : it.skip;

  whole('nothing happens: figures to compare with', async () => {
    await fault('none, 30 s', () => new Promise((resolve) => setTimeout(resolve, 30_000)));
  });

  whole.each(scaled.filter((name) => !DATABASES.some((each) => each === name)))(
    '%s killed: it is started again, the others go on',
    async (name) => {
      const { lost } = await fault(`${name} killed, started again`, kill(name));
      if (!/stratum|haproxy/.test(name)) expect(lost).toBe(0);
    },
    600_000,
  );

  whole(
    'the standby killed: counting and pages go on',
    async () => {
      const standby = DATABASES.find((name) => name !== cluster.primary) ?? '';
      const { lost } = await fault('standby killed, started again', kill(standby));
      expect(lost).toBe(0);
      await cluster.untilFollowed();
    },
    600_000,
  );

  whole(
    'the primary killed: the standby takes over',
    async () => {
      const { lost } = await fault('primary killed, standby promoted', () =>
        failedOver(() => cluster.end(cluster.primary, 'SIGKILL')),
      );
      expect(lost).toBe(0);
    },
    600_000,
  );

  whole(
    'the primary frozen: the standby takes over',
    async () => {
      const { lost } = await fault('primary frozen, standby promoted', () =>
        failedOver(async () => cluster.signal(cluster.primary, 'SIGSTOP')),
      );
      expect(lost).toBe(0);
    },
    600_000,
  );

  it('a failover to a standby without the last seconds: what was counted in them is counted again, once', async () => {
    const standby = DATABASES.find((name) => name !== cluster.primary) ?? 'database-b';
    const behind = await connectTo(cluster.databaseUrl(standby));
    await behind.query("alter system set primary_conninfo = 'host=127.0.0.1 port=1'");
    await behind.query('select pg_reload_conf()');
    await eventually(
      async () => (await behind.query('select from pg_stat_wal_receiver')).rowCount === 0,
      'a standby that is cut off',
    );
    await fault('failover that loses seconds', () =>
      failedOver(async () => {
        const counted = await shares();
        await eventually(async () => (await shares()) > counted + 2, 'shares that only the primary has', 60_000);
        await cluster.end(cluster.primary, 'SIGKILL');
      }),
    );
    await behind.end();
    const said = (): string =>
      ['stratum-a', 'stratum-b'].map((name) => readFileSync(cluster.logOf(name), 'utf8')).join('');
    await eventually(() => said().includes('the database has lost counted shares'), 'the loss to be noticed');
  }, 600_000);

  it('both stratum processes replaced: every miner has work within a minute, and is shown as connected', async () => {
    const unanswered = ({ miners }: Report): number =>
      Object.values(miners).reduce((sum, told) => sum + told.unanswered, 0);
    const before = unanswered(await swarm.report());
    for (const name of ['stratum-a', 'stratum-b']) {
      const { longestWithoutWork } = await fault(`${name} replaced`, async () => {
        expect(await cluster.end(name)).toBe(0);
        await cluster.run(name);
      });
      expect(longestWithoutWork).toBeLessThan(WORK_AGAIN_S * 1000);
    }
    // They leave with the answers to what they have sent.
    expect(unanswered(await swarm.report())).toBe(before);
    const { rows } = await database.pool.query('select from worker');
    expect(rows.length).toBe(MINERS + Number(independent !== undefined));
    await eventually(
      async () =>
        (await database.pool.query('select from worker_live where disconnected_at is not null')).rowCount === 0,
      'every miner to be shown as connected',
    );
  }, 600_000);

  it('each worker has what it was told, and no more than it sent', async () => {
    const { miners } = await swarm.finish();
    await independent?.stop();
    const codes = await Promise.all(served.map((name) => cluster.end(name)));
    expect(codes).toEqual(codes.map(() => 0));
    // Where its database was too slow to count all within eight seconds.
    const why = served.flatMap((name) =>
      [
        ...readFileSync(cluster.logOf(name), 'utf8').matchAll(
          /"(?:shares are not counted: this|the database does not answer: the stop)[^"]*"/g,
        ),
      ].map(([said]) => `${name}: ${said}`),
    );
    const left = (await readNodes(database.pool)).map(({ id, roles, place, silentS }) => [id, roles, place, silentS]);
    expect({ left, why }).toEqual({ left: [], why: [] });
    const { rows } = await database.pool.query<{ worker: string; shares: number }>(
      `select a.name || '.' || w.name as worker, sum(s.shares)::int as shares
       from share_1m s
       join worker w on w.id = s.worker_id
       join sub_account a on a.id = w.sub_account_id
       group by 1`,
    );
    const counted = new Map(rows.map(({ worker, shares }) => [worker, shares]));
    const all = Object.entries(miners);
    const wrong = all.filter(([worker, { accepted, unanswered }]) => {
      const has = counted.get(worker) ?? 0;
      return has < accepted || has > accepted + unanswered;
    });
    expect(wrong).toEqual([]);
    const total = (what: (told: Report['miners'][string]) => number): number =>
      all.reduce((sum, [, told]) => sum + what(told), 0);
    figures.push(
      '',
      `${MINERS} miners: ${total(({ accepted }) => accepted)} accepted, ${total(({ unanswered }) => unanswered)} unanswered, ` +
        `${total(({ refused }) => refused)} refused`,
    );
    expect(Math.min(...all.map(([, { accepted }]) => accepted))).toBeGreaterThan(0);
    if (!independent) return;
    const { accepted, refused, disconnects } = independent.done;
    figures.push(`independent miner: ${accepted} accepted, ${refused} refused, ${disconnects} disconnects`);
    expect(counted.get(`${MINERD_ACCOUNT}.cpu`)).toBeGreaterThanOrEqual(accepted);
    expect(accepted).toBeGreaterThan(0);
  }, 600_000);
});
