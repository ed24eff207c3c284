/** The API under load with both databases: chart, live hashrates, balance, and the list of 10,000 workers. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Database } from '../../api/src/platform/db/database';
import { summarize } from '../../api/src/platform/db/upkeep';
import { startCluster } from '../../api/src/platform/db/testing/postgres';
import { testDatabase } from '../../api/src/platform/db/testing/test-database';
import { testApp, type TestApp } from '../../api/src/http/testing/test-app';
import { WorkerLists } from '../../api/src/mining/workers/workers';
import { quantile, timesOf } from './figures';

/** Statements that fill tables take long. */
const STATEMENT_MS = 3_600_000;

const run = promisify(execFile);
const autocannon = require.resolve('autocannon');
const WORKERS = 10_000;
const CALLS = ['/api/proxyHashchart/?historyTimeframe=d30', '/api/getLiveHashrates/', '/api/payment/'];

type Load = { p50: number; p99: number; perSecond: number };

const headersOf = (token: string) => ({ authorization: `Bearer ${token}`, host: 'pool.test:3000' });

async function load(url: string, token: string, connections: number): Promise<Load> {
  const headers = Object.entries(headersOf(token)).flatMap(([name, value]) => ['-H', `${name}=${value}`]);
  const args = [autocannon, '--json', '-c', String(connections), '-d', '6', ...headers, url];
  const { stdout } = await run(process.execPath, args, { maxBuffer: 1e8 });
  const { latency, requests, non2xx } = JSON.parse(stdout) as {
    latency: { p50: number; p99: number };
    requests: { average: number };
    non2xx: number;
  };
  if (non2xx) throw new Error(`${url}: ${non2xx} answers were not 2xx`);
  return { p50: latency.p50, p99: latency.p99, perSecond: Math.round(requests.average) };
}

/** A GET over HTTP: ms until the first byte. */
async function firstByteOf(url: string, token: string): Promise<number> {
  const asked = performance.now();
  const sent = request(url, { headers: headersOf(token) }).end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const firstByte = performance.now() - asked;
  if (answer.statusCode !== 200) throw new Error(`${url}: ${answer.statusCode}`);
  await buffer(answer);
  return firstByte;
}

/** Median time of queries one after another, in ms, without the network and the queue. */
const serial = async (call: () => Promise<unknown>, times = 200): Promise<number> =>
  quantile(await timesOf(times, call), 0.5);

/** A year of an account and a day of 10,000 workers, inserted directly, in the order of time. */
async function fill({ pool }: Database): Promise<void> {
  const write = (text: string): Promise<unknown> => pool.query(text);
  const A = "'SHA256_ASICBOOST'";
  for (const [table, step, back] of [
    ['1m', '1 minute', '1 day'],
    ['10m', '10 minutes', '30 days'],
    ['1h', '1 hour', '360 days'],
    ['1d', '1 day', '2 years'],
  ]) {
    await write(
      `insert into account_${table}
       select 1, ${A}, t, 1e6 + random() * 1e5, 1e3, 1e3, 100
       from generate_series(date_trunc('day', now() - interval '${back}'), now(), interval '${step}') t
       on conflict do nothing`,
    );
  }
  await write(
    `insert into worker (sub_account_id, algorithm, name)
     select 1, ${A}, 'rig-' || n from generate_series(1, ${WORKERS}) n`,
  );
  await write(
    `insert into worker_live (sub_account_id, worker_id, last_share_at, connected_at, difficulty, software)
     select sub_account_id, id, now(), now() - interval '1 day', 65536, 'bench/1' from worker`,
  );
  for (const [table, step] of [
    ['10m', 600],
    ['1h', 3600],
  ] as const)
    await write(
      `insert into share_${table}
       select id, t, ${step} * (1.6 + random() * 0.1), 1, 1, ${step / 60}, sub_account_id
       from generate_series(
         to_timestamp(floor(extract(epoch from now()) / ${step}) * ${step} - 86400), now(), interval '${step} seconds'
       ) t, worker
       order by t`,
    );
  await write(
    `insert into share_1m
     select id, t, 1e2, 0, 0, 1, sub_account_id
     from generate_series(
       date_trunc('minute', now() - interval '6 minutes'), now(), interval '1 minute'
     ) t, worker
     order by t`,
  );
  await write('analyze');
  // Autovacuum does so within a minute, and the embedded database every ten.
  await summarize(pool);
}

async function measure(name: string, test: TestApp): Promise<void> {
  const { name: user } = await test.person('bench');
  await fill(test.database);
  await test.app.listen({ port: 0, host: '127.0.0.1' });
  const base = `http://127.0.0.1:${(test.app.server.address() as AddressInfo).port}`;
  process.stdout.write(
    `\nAPI on ${name}\n` +
      '| call | one at a time, ms | 20 connections: p50 ms | p99 ms | requests/s |\n|---|---|---|---|---|\n',
  );
  for (const call of CALLS) {
    const me = await test.signIn(user);
    const alone = await serial(() => me.call(call));
    const { p50, p99, perSecond } = await load(base + call, me.token, 20);
    process.stdout.write(`| ${call.slice(4)} | ${alone.toFixed(2)} | ${p50} | ${p99} | ${perSecond} |\n`);
  }
  // A pool that has run for a while has read the list before. Then comes the first read after a start, alone.
  const me = await test.signIn(user);
  const list = () => firstByteOf(`${base}/api/liveWorkers/`, me.token);
  await list();
  const later: number[] = [];
  for (let read = 0; read < 7; read += 1) {
    await sleep(3100);
    later.push(await list());
  }
  const cold = await serial(
    () => new WorkerLists(test.database.pool).list(1, 'SHA256_ASICBOOST', Date.now() / 1000),
    1,
  );
  process.stdout.write(
    `${WORKERS} workers with their last day: first byte after ${quantile(later, 0.5).toFixed(0)} ms (${Math.min(...later).toFixed(0)}-${Math.max(...later).toFixed(0)}) while the list is in use, ` +
      `${cold.toFixed(0)} ms the first time (done at the start, before the first request)\n`,
  );
}

/** Runs with the embedded database, then with BENCH_DATABASE_URL or a temporary cluster of PostgreSQL. */
async function onBothDatabases(work: (name: string) => Promise<void>): Promise<void> {
  await work('the embedded database');
  const given = process.env.BENCH_DATABASE_URL;
  const cluster = given
    ? null
    : await startCluster().catch((error: Error) => {
        process.stdout.write(`\nNot measured on PostgreSQL: ${error.message}\n`);
        return null;
      });
  const url = given ?? cluster?.url;
  if (!url) return;
  process.env.TEST_DATABASE_URL = url;
  try {
    await work('PostgreSQL');
  } finally {
    delete process.env.TEST_DATABASE_URL;
    await cluster?.remove();
  }
}

export const benchApi = (): Promise<void> =>
  onBothDatabases(async (name) => {
    const test = await testApp({ database: await testDatabase(STATEMENT_MS) });
    try {
      await measure(name, test);
    } finally {
      await test.close();
    }
  });
