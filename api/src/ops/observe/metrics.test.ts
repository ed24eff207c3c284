/** What an operator's Prometheus and Grafana are given: metrics of a running server, alarms, their runbook. */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Registry } from 'prom-client';
import { parse } from 'yaml';
import { z } from 'zod';
import { ROOT } from '../../root';
import type { Database } from '../../platform/db/database';
import { postgresDatabase } from '../../platform/db/testing/postgres';
import { noteBackup } from '../last-backup';
import { adminText, fill, server } from '../testing/product';
import type { Running } from '../../app/start';
import { selfSigned } from '../../stratum/testing/certificate';
import { databaseMetrics } from './database';
import { newFolder } from '../../testing/folder';

const run = promisify(execFile);
const read = (file: string): string => readFileSync(join(ROOT, 'docs', file), 'utf8');
const ruleSchema = z.object({
  alert: z.string(),
  expr: z.string(),
  annotations: z.object({ summary: z.string(), runbook: z.string() }),
});
const rules = z
  .object({ groups: z.array(z.object({ rules: z.array(ruleSchema) })) })
  .parse(parse(read('monitoring/alerts.yml')))
  .groups.flatMap((group) => group.rules);
const dashboard = z
  .object({ panels: z.array(z.object({ targets: z.array(z.object({ expr: z.string() })) })) })
  .parse(JSON.parse(read('monitoring/dashboard.json')))
  .panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));

/** Metrics in an expression: names with an underscore that are no functions, labels or texts. */
const metricsIn = (expr: string): string[] =>
  [...expr.replace(/\{[^}]*\}|\bby \([^)]*\)/g, '').matchAll(/\b[a-z]+(?:_[a-z0-9]+)+\b(?! *\()/g)].map(([name]) =>
    name.replace(/_bucket$/, ''),
  );

describe('a running server', () => {
  const folder = newFolder();
  let running: Running;
  let text: string;
  let database: Database & { url: string };
  const env = (): Record<string, string> => ({ DATA_DIR: join(folder, 'data'), DATABASE_URL: database.url });
  beforeAll(async () => {
    const files = { STRATUM_TLS_CERT: join(folder, 'cert'), STRATUM_TLS_KEY: join(folder, 'key') };
    const { cert, key } = selfSigned('pool.test');
    writeFileSync(files.STRATUM_TLS_CERT, cert);
    writeFileSync(files.STRATUM_TLS_KEY, key);
    database = await postgresDatabase();
    await fill(database);
    noteBackup(join(folder, 'data'), new Date());
    const schedule = { BACKUP_EVERY: '24', BACKUP_DIR: folder };
    running = await server({ ...env(), ...files, ...schedule, STRATUM_TLS_PORT_SCRYPT: '0' });
    text = await (await fetch(`${running.url}/metrics`)).text();
  });
  afterAll(async () => {
    await running.stop();
    await database.close();
  });

  it('has every metric that alarms and dashboard name', () => {
    const named = [...rules.map(({ expr }) => expr), ...dashboard].flatMap(metricsIn);
    expect(new Set(named).size).toBeGreaterThan(25);
    const known = [...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name);
    expect(named.filter((name) => !known.includes(name))).toEqual([]);
  });

  it('says what its database holds', () => {
    const values = Object.fromEntries(
      [...text.matchAll(/^([a-z]\S+) (\S+)$/gm)].map(([, name, value]) => [name, Number(value)]),
    );
    expect(values).toMatchObject({
      database_up: 1,
      database_connections_limit: 10,
      // One of the two days with work was closed before the start, which closes the other only with a price.
      closing_open_days: 2,
      closing_late_work: 0,
      journal_age_seconds: 0,
      'price_known_timestamp_seconds{algorithm="SCRYPT"}': 0,
    });
    expect(values.alerts_last_run_timestamp_seconds).toBeGreaterThan(Date.now() / 1000 - 600);
  });

  it('logs more or less while it runs', async () => {
    expect(await adminText(env(), 'log-level')).toBe('silent');
    expect(await adminText(env(), 'log-level', 'fatal')).toBe('fatal');
    expect(await adminText(env(), 'log-level')).toBe('fatal');
    await expect(adminText(env(), 'log-level', 'loud')).rejects.toThrow('"loud" is not a level');
  });
});

it('metrics of a database that never answers come all the same, without what is not known', async () => {
  const registry = new Registry();
  const silent = {
    query: () => new Promise(() => undefined),
    options: { max: 3 },
    totalCount: 3,
    idleCount: 1,
    waitingCount: 4,
  };
  databaseMetrics(registry, { pool: silent as never });
  jest.useFakeTimers();
  const scraped = registry.metrics();
  await jest.advanceTimersByTimeAsync(2000);
  jest.useRealTimers();
  const lines = (await scraped).split('\n').filter((line) => line && !line.startsWith('#'));
  expect(lines).toEqual([
    'database_waiting 4',
    'database_up 0',
    'database_connections{state="in_use"} 2',
    'database_connections{state="idle"} 1',
    'database_connections_limit 3',
  ]);
});

it('each alarm has its part of the runbook, and its test', () => {
  const names = rules.map(({ alert }) => alert);
  const [, runbook = ''] = read('monitoring.md').split('\n## Alarms\n');
  const parts = [...(runbook.split('\n## ')[0] ?? '').matchAll(/^### (\w+)\n./gm)].map(([, name]) => name);
  expect(parts).toEqual(names);
  expect(rules.map(({ annotations }) => annotations.runbook)).toEqual(
    names.map((name) => `docs/monitoring.md#${name.toLowerCase()}`),
  );
  const { tests } = z
    .object({ tests: z.array(z.object({ name: z.string() })) })
    .parse(parse(read('monitoring/alerts.test.yml')));
  expect(tests.map(({ name }) => name)).toEqual(names);
});

it('Prometheus takes the alarms; each is silent on healthy series and fires on those of its fault', async () => {
  const promtool = (...args: string[]) => run('promtool', args, { cwd: join(ROOT, 'docs/monitoring') });
  await promtool('check', 'rules', 'alerts.yml');
  await promtool('test', 'rules', 'alerts.test.yml');
});
