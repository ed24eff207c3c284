/** A pool with an account of many workers, to look at. No machine runs; their work is counted by what counts shares. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { DEFAULT_ALGORITHM } from '@pool/shared/domain';
import { bucketOf } from '../api/src/demo/history';
import { stream } from '../api/src/demo/random';
import { ingestHistory } from '../api/src/mining/shares/count-batch';
import type { Bucket } from '../api/src/mining/shares/rollup';
import { writeLive } from '../api/src/mining/shares/worker-rows';
import { openDatabase } from '../api/src/platform/db/database';
import { startCluster } from '../api/src/platform/db/testing/postgres';
import { transaction } from '../api/src/platform/db/transaction';
import { BUILTIN_NAME } from '../api/src/stratum/builtin-pool';
import { deployBuilds, startProduct } from '../e2e/fixtures/product';
import { runCommand } from './command-line.mjs';

const ACCOUNT = 'farm';
const PASSWORD = 'a-farm-to-be-looked-at-1';
const GROUPS = 30;
const MINUTE = 60;
const HOUR = 3600;
/** Seconds before the start that are counted, and the steps of hours that ended less than `ended` seconds ago. */
const HISTORY_S = 48 * HOUR;
const GRAINS = [
  { ended: 2 * HOUR, span: MINUTE },
  { ended: 24 * HOUR, span: 600 },
];
/** Machines whose history is one transaction. */
const PART = 250;

type Step = { at: number; span: number };
type Machine = ReturnType<typeof machineOf>;
const random = stream(1);

/** Seconds before the start at which a machine stopped and, if it did, came back. */
function awayOf(n: number, hall: string): [gone: number, back?: number] | [] {
  if (hall === 'D') return [700];
  if (hall === 'H') return [19_200, 1200];
  if (n % 25 === 0 && hall < 'C') return [57_600];
  return n % 160 === 1 ? [100_000] : [];
}

/** Names such as `s19jpro-D01-R02-S17`, which differ at their ends, in groups `Hall A`, …; every 70th runs at half. */
function machineOf(n: number, start: number) {
  const index = Math.floor(n / 400);
  const hall = String.fromCharCode(65 + (index % 26)) + (index < 26 ? '' : Math.floor(index / 26));
  const two = (count: number) => String(count + 1).padStart(2, '0');
  const row = `${hall}${two(Math.floor(n / 200) % 2)}-R${two(Math.floor(n / 20) % 10)}-S${two(n % 20)}`;
  const isS21 = n % 5 === 0;
  const [gone = -Infinity, back = -Infinity] = awayOf(n, hall);
  return {
    account: ACCOUNT,
    algorithm: DEFAULT_ALGORITHM,
    worker: `${isS21 ? 's21' : 's19jpro'}-${row}`,
    group: index < GROUPS ? `Hall ${hall}` : null,
    hashrate: (0.95 + random() * 0.1) * 100e12,
    difficulty: 262_144,
    software: isS21 ? 'bosminer-plus-tuner/24.9' : 'bmminer/2.0.0',
    remote: `10.20.${Math.floor(n / 250) % 250}.${(n % 250) + 1}`,
    behaviour: 'steady' as const,
    joined: 2,
    away: { from: start - gone, until: start - back },
    slowFrom: n % 70 === 2 ? start - 9000 : Infinity,
  };
}

/** Steps of whole hours up to `start`. */
function* stepsBefore(start: number): Generator<Step> {
  for (let hour = Math.floor((start - HISTORY_S) / HOUR) * HOUR; hour < start; hour += HOUR) {
    const span = GRAINS.find(({ ended }) => start - hour - HOUR < ended)?.span ?? HOUR;
    for (let at = hour; at < Math.min(hour + HOUR, start); at += span) yield { at, span };
  }
}

function* minutes(from: number, until: number): Generator<Step> {
  for (let at = Math.floor(from / MINUTE) * MINUTE; at < until; at += MINUTE) yield { at, span: MINUTE };
}

/** What a machine did in a step, of it from `from` to `until`. */
function work(machine: Machine, subAccountId: number, { at, span }: Step, from: number, until: number): Bucket[] {
  const { away, slowFrom } = machine;
  const seconds = (since: number, to: number) =>
    Math.max(0, Math.min(at + span, until, to) - Math.max(at, from, since));
  const full = seconds(-Infinity, Infinity) - seconds(away.from, away.until) - seconds(slowFrom, Infinity) / 2;
  const bucket = bucketOf(machine, { subAccountId, at, span }, full / span, random);
  if (!bucket) return [];
  const { accepted, shares, lastShareAt } = bucket;
  const last = at < away.from ? Math.min(until, away.from) : until;
  return [
    {
      ...bucket,
      lastShareAt: lastShareAt && Math.min(lastShareAt, Math.floor(last)),
      taken: new Map([
        [BUILTIN_NAME, { accepted, credited: accepted, acceptedShares: shares, creditedShares: shares }],
      ]),
    },
  ];
}

/** Counts what the machines did from `from` to `until` in these steps. */
async function mine(
  pool: Pool,
  id: number,
  machines: readonly Machine[],
  steps: Iterable<Step>,
  from: number,
  until: number,
) {
  const all = [...steps];
  function* parts() {
    for (let i = 0; i < machines.length; i += PART)
      yield machines.slice(i, i + PART).flatMap((each) => all.flatMap((step) => work(each, id, step, from, until)));
  }
  await ingestHistory(pool, `${ACCOUNT}-${until}`, parts());
}

/** Makes the account with its workers and connections; returns its id. */
async function settle(pool: Pool, machines: readonly Machine[], start: number): Promise<number> {
  const { rows } = await pool.query<{ id: number }>(
    `insert into sub_account (user_id, name, created_at)
     select id, $1, to_timestamp($2) from app_user where user_name = 'demo' returning id`,
    [ACCOUNT, start - HISTORY_S],
  );
  const { id } = rows[0]!;
  await pool.query(
    `with machine as (select * from unnest($2::text[], $3::text[]) as m(name, hall)), made as (
       insert into worker_group (sub_account_id, name)
       select distinct $1::int, hall from machine where hall is not null returning id, name
     )
     insert into worker (sub_account_id, algorithm, name, group_id, standing, created_at)
     select $1, $4, m.name, g.id, 'owned', to_timestamp($5) from machine m left join made g on g.name = m.hall`,
    [
      id,
      machines.map(({ worker }) => worker),
      machines.map(({ group }) => group),
      DEFAULT_ALGORITHM,
      start - HISTORY_S,
    ],
  );
  await mine(pool, id, machines, stepsBefore(start), -Infinity, start);
  const lives = machines.map(({ away, ...machine }) => {
    const isGone = away.from < start && away.until > start;
    return {
      ...machine,
      subAccountId: id,
      difficulty: isGone ? null : machine.difficulty,
      connectedAt: 1000 * (away.until < start ? away.until : start - HISTORY_S),
      disconnectedAt: isGone ? 1000 * away.from : null,
    };
  });
  await transaction(pool, (client) => writeLive(client, lives));
  await pool.query('analyze');
  return id;
}

async function main(workers: number): Promise<void> {
  await deployBuilds();
  const cluster = await startCluster();
  const ended = new Promise<void>((resolve) =>
    ['SIGINT', 'SIGTERM'].forEach((signal) => process.once(signal, () => resolve())),
  );
  try {
    const product = await startProduct({ DATABASE_URL: cluster.url, DEMO: '1', DEMO_PASSWORD: PASSWORD });
    const { pool, close } = await openDatabase({ url: cluster.url, connections: 1, statementMs: 60_000 });
    let last = Date.now() / 1000;
    const machines = Array.from({ length: workers }, (_, n) => machineOf(n, last));
    try {
      const id = await settle(pool, machines, last);
      console.log(`${product.url}/workers/?account=${ACCOUNT}\nSign in as demo, password ${PASSWORD}. Ctrl-C ends it.`);
      do {
        const now = Date.now() / 1000;
        await mine(pool, id, machines, minutes(last, now), last, now);
        last = now;
      } while (!(await Promise.race([ended.then(() => true), sleep(15_000, false)])));
    } finally {
      await close();
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
