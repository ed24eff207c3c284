/** The profile of several processes under miners: each part killed, the databases failed over, an upgrade. */
import { writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { eventually } from '../../api/src/testing/eventually';
import { PAGES, page, Scaled } from './costs';
import { ask, DATABASES, followed, isFollowed, NODES, nodesFollowed, primaries, primary } from './databases';
import { commandsOfTheRunbook, NEXT, type Project } from './engine';
import { assertEqual, type Report } from './report';
import { Swarm } from './swarm';

const ACCOUNTS = Array.from({ length: 50 }, (_, n) => `farm${n}`);
const POOL = ['web-a', 'web-b', 'stratum-a', 'stratum-b', 'worker-a', 'worker-b'] as const;
const KILLED = [...POOL, 'haproxy', 'pgbouncer', 'primary', 'etcd-1'] as const;
/** Seconds between two shares of one miner. */
const SHARE_S = 6;

type Options = { network: string; miners: number };

/** Whether all is there that the other checks need. */
async function begin(scaled: Scaled, options: Options): Promise<boolean> {
  const { project, report, swarm } = scaled;
  const isHealthy = await report.check(`${project.profile}: from nothing to healthy`, async () => {
    await project.up('--no-build');
    await followed(project);
    const link = await project.logs('web-a', 'web-b');
    if (!link.includes('https://pool.example/sign-up?operator=')) throw new Error('no link of the first admin');
  });
  if (!isHealthy) return false;
  const isMined = await report.check(`${project.profile}: miners of 50 accounts are counted`, async () => {
    const names = ACCOUNTS.map((name) => `('${name}')`).join();
    await ask(
      project,
      `with made as (insert into app_user (identity_id, user_name) select n, n from (values ${names}) t(n)
       returning id, user_name) insert into sub_account (user_id, name) select id, user_name from made`,
    );
    const host = await project.addressOf('haproxy');
    const { network, miners } = options;
    swarm.start({ host, port: 3311, network, accounts: ACCOUNTS, miners, rate: miners / SHARE_S });
    await eventually(() => swarm.report().withoutWork === 0, 'work for every miner', 300_000);
    await scaled.counts();
  });
  if (!isMined) return false;
  report.figures.push(
    '| fault | pages away, s | counted after, s | connections lost | longest without work, s | p99, s |',
    '|---|---|---|---|---|---|',
  );
  return scaled.check('nothing', () => wait(10_000));
}

async function killParts(scaled: Scaled): Promise<void> {
  const { project } = scaled;
  for (const name of KILLED)
    await scaled.check(`${name} killed, started again`, () =>
      project.kill(name).then(() => project.compose('start', name)),
    );
}

/** Each node of a Citus is killed; the coordinator is led to its standby. */
async function failNodes(scaled: Scaled): Promise<void> {
  const { project } = scaled;
  if (project.profile !== 'distributed') return;
  await scaled.report.check('distributed: tables of workers are on both nodes', async () => {
    await nodesFollowed(project);
    const places = 'select count(distinct groupid) from pg_dist_placement join pg_dist_shard using (shardid)';
    assertEqual(await ask(project, `${places} where logicalrelid = 'worker'::regclass`), '2', 'nodes with workers');
  });
  for (const pair of NODES)
    await scaled.check(`the standby of ${pair.join(' and ')} killed, started again`, async () => {
      const first = await primary(project, '', pair);
      const [standby = ''] = pair.filter((name) => name !== first);
      await project.kill(standby);
      await scaled.counts();
      await project.compose('start', standby);
      await nodesFollowed(project);
    });
  for (const pair of NODES)
    await scaled.check(`the primary of ${pair.join(' and ')} killed, its standby promoted`, async () => {
      const old = await primary(project, '', pair);
      await project.kill(old);
      await primary(project, old, pair);
      await project.compose('start', old);
      await nodesFollowed(project);
    });
  for (const pair of NODES)
    await scaled.check(`both of ${pair.join(' and ')} killed, started again`, async () => {
      for (const name of pair) await project.kill(name);
      await scaled.counts();
      await project.compose('start', ...pair);
      await nodesFollowed(project);
    });
}

async function failDatabases(scaled: Scaled): Promise<void> {
  const { project } = scaled;
  await scaled.check('the standby killed, started again', async () => {
    const first = await primary(project);
    const [standby = ''] = DATABASES.filter((name) => name !== first);
    await project.kill(standby);
    await eventually(async () => !(await isFollowed(project)), 'that the primary misses its standby', 60_000);
    await project.compose('start', standby);
    await followed(project);
  });
  await scaled.check('the primary killed, its standby promoted', async () => {
    const old = await primary(project);
    await project.kill(old);
    await primary(project, old);
    await project.compose('start', old);
    await followed(project);
  });
  await scaled.check('the commands of the page of docs for the databases', async () => {
    // The runbook names databases, which are the coordinator's on a Citus.
    const group = project.profile === 'distributed' ? ['--group', '0'] : [];
    for (const words of commandsOfTheRunbook().filter((each) => each.includes('database-a'))) {
      const command = words.includes('list') ? words : [...words, ...group];
      const first = await primary(project);
      const standby = DATABASES.find((name) => name !== first) ?? '';
      await project.run(command.map((word) => (word === '<standby>' ? standby : word)));
      await followed(project);
    }
  });
  await scaled.check(
    'the network of the primary drops everything, its standby promoted, the old one back',
    async () => {
      const old = await primary(project);
      await project.firewall(old, '-I');
      await primary(project, old);
      await project.firewall(old, '-D');
      await followed(project);
      assertEqual((await primaries(project)).length, 1, 'number of primaries');
    },
  );
  // What a frozen primary had asked for last depends on the moment, so it is frozen at several.
  for (const time of ['once', 'again', 'a third time'])
    await scaled.check(`the primary frozen ${time}, its standby promoted, the old one back`, async () => {
      const old = await primary(project);
      await project.freeze(old);
      await primary(project, old);
      await project.thaw(old);
      await followed(project);
      const standing = DATABASES.filter((name) => name !== old);
      assertEqual(await primaries(project), standing, 'primaries');
    });
  await scaled.check('etcd away for half a minute: the primary stays', async () => {
    const before = await primary(project);
    for (const name of ['etcd-1', 'etcd-2', 'etcd-3']) await project.kill(name);
    await wait(30_000);
    await scaled.counts();
    assertEqual(await primaries(project), [before], 'primaries');
    await project.compose('start', 'etcd-1', 'etcd-2', 'etcd-3');
    // Nobody may take over until the primary has named its standby anew.
    await followed(project);
  });
  await scaled.check('failed over, all stopped, all started: one primary, with what came after', async () => {
    const old = await primary(project);
    await project.kill(old);
    await primary(project, old);
    // There is no standby that a commit could wait for.
    const make = 'begin; set local synchronous_commit to local; create table after_failover (id int); commit';
    const made = () =>
      ask(project, make).then(
        () => true,
        () => false,
      );
    await eventually(made, 'a table made after the failover');
    await project.compose('stop', ...POOL, 'pgbouncer', 'primary', ...DATABASES, 'etcd-1', 'etcd-2', 'etcd-3');
    // Not `up`: HAProxy, which goes on, may have found nobody for so long that it is called unhealthy.
    await project.compose('up', '-d', '--no-build');
    await followed(project);
    for (let n = 0; n < 6; n += 1) await ask(project, 'select from after_failover');
    assertEqual((await primaries(project)).length, 1, 'number of primaries');
    await ask(project, 'drop table after_failover');
  });
}

async function upgrade(scaled: Scaled): Promise<void> {
  const { project } = scaled;
  await scaled.check('all processes of the pool made anew, as an upgrade does', async () => {
    await project.up('--no-build', '--force-recreate', '--no-deps', ...POOL);
    for (let n = 0; n < 12; n += 1) {
      // HAProxy answers by itself until it has found one of them.
      const answer = await eventually(async () => {
        const given = await fetch(`${PAGES}/health?role=web`).catch(() => null);
        return given?.ok && given;
      }, 'an answer of a web process');
      const { roles } = (await answer.json()) as { roles: string[] };
      assertEqual(roles, ['web'], 'roles of a process that answers for pages');
    }
  });
  await scaled.check('a newer image: its processes, and the remotes that it brings', async () => {
    await project.buildNext();
    await project.up('--no-build', '--no-deps', ...POOL);
    const isPublished = async () =>
      (await project.exec('web-a', 'cat', 'dist/remotes/workers/current.json')).includes(NEXT);
    await eventually(() => isPublished().catch(() => false), 'a newer remote', 60_000);
  });
  await scaled.check('HAProxy started while web-b and stratum-b are stopped', async () => {
    await project.compose('stop', 'web-b', 'stratum-b');
    await project.compose('restart', 'haproxy');
    await eventually(page, 'pages of web-a', 60_000);
    await project.compose('start', 'web-b', 'stratum-b');
  });
}

/** Shares of each worker as they are counted, once no more come. */
async function countedShares({ project, shares }: Scaled): Promise<Map<string, number>> {
  const isCounted = async () => (await ask(project, "select from node where uncounted <> '[]'")) === '';
  await eventually(isCounted, 'journals that are counted', 120_000);
  const standsStill = async (): Promise<boolean> => {
    const before = await shares();
    await wait(12_000);
    return before === (await shares());
  };
  await eventually(standsStill, 'the end of counting', 120_000);
  const rows = await ask(
    project,
    `select a.name || '.' || w.name, sum(s.shares) from share_1m s
     join worker w on w.sub_account_id = s.sub_account_id and w.id = s.worker_id
     join sub_account a on a.id = w.sub_account_id group by 1`,
  );
  return new Map(rows.split('\n').map((row) => [row.split('|')[0] ?? '', Number(row.split('|')[1])]));
}

const compareSums = (scaled: Scaled): Promise<unknown> =>
  scaled.report.check(
    `${scaled.project.profile}: each worker has what it was told, and no more than it sent`,
    async () => {
      const miners = await scaled.swarm.finish();
      const counted = await countedShares(scaled);
      const wrong = miners.filter(({ user, accepted, unanswered }) => {
        const has = counted.get(user) ?? 0;
        return has < accepted || has > accepted + unanswered;
      });
      const total = miners.reduce((sum, { accepted }) => sum + accepted, 0);
      scaled.report.figures.push(`${total} shares accepted, of ${miners.length} workers`);
      const names = wrong.map(({ user }) => user);
      assertEqual(names, [], 'workers with other sums');
    },
  );

const stop = ({ project, report }: Scaled): Promise<unknown> =>
  report.check(`${project.profile}: everything stops in time`, async () => {
    await project.compose('stop');
    for (const name of [...POOL, 'haproxy', 'primary', 'pgbouncer']) {
      const code = await project.inspect<number>(name, '.State.ExitCode');
      if (code === 137) throw new Error(`${name} had to be killed`);
    }
  });

export async function checkScaled(project: Project, report: Report, options: Options): Promise<void> {
  const swarm = await Swarm.open();
  const upstream = `stratum+tcp://pool:x@${options.network}.0.1:${swarm.upstreamPort}`;
  writeFileSync(project.settings.ENV_FILE ?? '', `UPSTREAM_SHA256=${upstream}\n`);
  const scaled = new Scaled(project, report, swarm);
  try {
    if (!(await begin(scaled, options))) return;
    for (const part of [killParts, failNodes, failDatabases, upgrade, compareSums, stop]) await part(scaled);
  } finally {
    swarm.end();
    await project.remove();
  }
}
