/** A pool with an account of many workers, to look at. Their work is written to the tables; no machine runs. */
import { setTimeout as sleep } from 'node:timers/promises';
import { connectTo, startCluster } from '../api/src/platform/db/testing/postgres';
import { deployBuilds, startProduct } from '../e2e/fixtures/product';
import { runCommand } from './command-line.mjs';

type Client = Awaited<ReturnType<typeof connectTo>>;

const ACCOUNT = 'farm';
const PASSWORD = 'a-farm-to-be-looked-at-1';
const GROUPS = 30;
/** Difficulty a second of a machine of 100 TH/s, and seconds between two of its shares. */
const WORK_PER_S = 23_283;
const SHARE_S = 11;
const DAY_S = 86_400;

/** Names such as `s19jpro-D01-R02-S17`, which differ at their ends, in groups `Hall A`, …; some without one. */
const WORKERS = `
  insert into worker (sub_account_id, algorithm, name, group_id, standing)
  select s.id, 'SHA256_ASICBOOST',
    format('%s-%s%s-R%s-S%s', case when n % 5 = 0 then 's21' else 's19jpro' end, hall.letter,
      lpad((n / 200 % 2 + 1)::text, 2, '0'), lpad((n / 20 % 10 + 1)::text, 2, '0'), lpad((n % 20 + 1)::text, 2, '0')),
    g.id, 'owned'
  from sub_account s, generate_series(0, $2::int - 1) n,
    lateral (
      select chr(65 + n / 400 % 26) || case when n >= 10400 then (n / 10400)::text else '' end as letter
    ) hall
    left join worker_group g on g.name = 'Hall ' || hall.letter
      and g.sub_account_id = (select id from sub_account where name = $1)
  where s.name = $1`;

/** Seconds since a machine stopped (`gone`) and came back (`back`); every 70th runs at half its speed. */
const ABOUT = `
  create table farm_worker as
  select w.id, w.sub_account_id, w.name, (0.95 + random() * 0.1) * ${WORK_PER_S} as work,
    case when g.name = 'Hall D' then 700 when w.id % 25 = 0 and g.name < 'Hall C' then 57600
      when w.id % 160 = 1 then 200000 when g.name = 'Hall H' then 19200 end as gone,
    case when g.name = 'Hall H' then 1200 end as back, w.id % 70 = 2 as slow
  from worker w
  join sub_account s on s.id = w.sub_account_id and s.name = $1
  left join worker_group g on g.sub_account_id = w.sub_account_id and g.id = w.group_id`;

/** Whether a machine runs at `at`; all in Unix seconds, `now` when the farm was made. */
const runsAt = (at: string, now: string) =>
  `(f.gone is null or ${at} < ${now} - f.gone or ${at} >= ${now} - coalesce(f.back, -1e9))`;

const seconds = (time: string) => `extract(epoch from ${time})::float8`;

async function fill(client: Client, workers: number, now: number): Promise<void> {
  await client.query(`insert into sub_account (user_id, name) select id, $1 from app_user where user_name = 'demo'`, [
    ACCOUNT,
  ]);
  await client.query(
    `insert into worker_group (sub_account_id, name)
     select s.id, 'Hall ' || case when n < 26 then chr(65 + n) else chr(39 + n) || '1' end
     from sub_account s, generate_series(0, ${GROUPS - 1}) n where s.name = $1`,
    [ACCOUNT],
  );
  await client.query(WORKERS, [ACCOUNT, workers]);
  await client.query(ABOUT, [ACCOUNT]);
  await client.query(
    `insert into worker_live (sub_account_id, worker_id, last_share_at, mining_since, connected_at, disconnected_at,
       difficulty, software, remote)
     select f.sub_account_id, f.id,
       to_timestamp($1::float8 - case when f.gone is not null and f.back is null then f.gone else random() * 20 end),
       to_timestamp($1::float8 - 864000), to_timestamp($1::float8 - coalesce(f.back, 400000)),
       case when f.gone is not null and f.back is null then to_timestamp($1::float8 - f.gone) end, 262144,
       case when f.name like 's21%' then 'bosminer-plus-tuner/24.9' else 'bmminer/2.0.0' end,
       format('10.20.%s.%s', f.id / 250 % 250, f.id % 250 + 1)
     from farm_worker f`,
    [now],
  );
  await mine(client, now, DAY_S);
  await client.query('analyze');
}

/** Writes the work of the last `span` seconds again, with what came since. `start`: when the farm was made. */
async function mine(client: Client, start: number, span: number): Promise<void> {
  for (const [table, step, kept] of [
    ['1m', 60, 420],
    ['10m', 600, 7200],
    ['1h', 3600, DAY_S],
  ] as const) {
    const share = `least(${step}, greatest(0, ${seconds('now()')} - ${seconds('t')}))`;
    await client.query(
      `insert into share_${table} as s (sub_account_id, worker_id, at, accepted, stale, rejected, shares)
       select f.sub_account_id, f.id, t,
         work * ${share} * (0.97 + random() * 0.06)
           * case when f.slow and ${seconds('t')} > $1::float8 - 9000 then 0.5 else 1 end,
         work * ${share} * 0.003, work * ${share} * 0.002, (${share} / ${SHARE_S})::int + 1
       from generate_series(
           to_timestamp(floor((${seconds('now()')} - ${Math.min(span, kept)}) / ${step}) * ${step}), now(), interval '${step} s'
         ) t,
         farm_worker f
       where ${runsAt(seconds('t'), '$1::float8')} order by t
       on conflict (sub_account_id, worker_id, at) do update
       set accepted = excluded.accepted, stale = excluded.stale, rejected = excluded.rejected, shares = excluded.shares`,
      [start],
    );
    await client.query(
      `insert into account_${table} (sub_account_id, algorithm, at, accepted, stale, rejected, shares)
       select s.sub_account_id, 'SHA256_ASICBOOST', s.at, sum(s.accepted), sum(s.stale), sum(s.rejected), sum(s.shares)
       from share_${table} s join farm_worker f on f.id = s.worker_id and f.sub_account_id = s.sub_account_id
       where s.at > now() - interval '2 days' group by 1, 3
       on conflict (sub_account_id, algorithm, at) do update
       set accepted = excluded.accepted, stale = excluded.stale, rejected = excluded.rejected, shares = excluded.shares`,
    );
  }
  await client.query(
    `update worker_live l set last_share_at = now() - random() * interval '9 s'
     from farm_worker f
     where f.id = l.worker_id and f.sub_account_id = l.sub_account_id and ${runsAt(seconds('now()'), '$1::float8')}`,
    [start],
  );
}

async function main(workers: number): Promise<void> {
  await deployBuilds();
  const cluster = await startCluster();
  const ended = new Promise<void>((resolve) =>
    ['SIGINT', 'SIGTERM'].forEach((signal) => process.once(signal, () => resolve())),
  );
  try {
    const product = await startProduct({ DATABASE_URL: cluster.url, DEMO: '1', DEMO_PASSWORD: PASSWORD });
    const client = await connectTo(cluster.url);
    const start = Date.now() / 1000;
    try {
      await fill(client, workers, start);
      console.log(`${product.url}/workers/?account=${ACCOUNT}\nSign in as demo, password ${PASSWORD}. Ctrl-C ends it.`);
      while (!(await Promise.race([ended.then(() => true), sleep(15_000, false)]))) await mine(client, start, 60);
    } finally {
      await client.end();
      await product.dispose();
    }
  } finally {
    await cluster.remove();
  }
}

void runCommand(
  {
    name: 'farm',
    what:
      'A pool with an account of 10,000 workers in 30 groups on a temporary PostgreSQL, to look at. ' +
      'Builds what changed.',
    options: { workers: { type: 'string', what: 'so many in place of 10,000' } },
  },
  ({ values: { workers = '10000' } }) => main(Number(workers)),
);
