/** What an operator has to know of the database, read when metrics are asked for and shared by scrapes. */
import type { Pool } from 'pg';
import type { Registry } from 'prom-client';
import { ALGORITHM_NAMES } from '@pool/shared/domain';
import { firstOpenDay } from '../../money/accounting/earnings';
import { pricesOf } from '../../money/accounting/prices';
import { dayOf, startOfDay } from '../../platform/days';
import { databaseNow, rowsOf, valueOf } from '../../platform/db/querier';
import type { Database } from '../../platform/db/database';
import { lateWork } from '../late-work';
import { inTime } from '../../platform/in-time';
import { TtlCache } from '../../platform/ttl-cache';
import { gauge, gauges } from '../../platform/metrics';

/** A scrape does not wait longer: what is not known then is left out, and `database_up` is 0. */
const PATIENCE_MS = 2000;
const KEPT_MS = 5000;
/** It reads a month of hours. */
const LATE_WORK_KEPT_MS = 3_600_000;
const DAY_S = 86_400;

type Facts = Awaited<ReturnType<typeof readFacts>>;

async function readFacts(pool: Pool) {
  const now = await databaseNow(pool);
  const open = await firstOpenDay(pool);
  const alertsAt = await valueOf<number | null>(pool)`
    select (value ->> 'ranAt')::float8 from setting where name = 'alerts.state'`;
  const rows = await rowsOf<{ channel: string; waiting: number; age: number }>(pool)`
    select channel, count(*) as waiting, extract(epoch from now() - min(created_at))::float8 as age
    from outbox where status = 'waiting' group by channel`;
  const prices = await pricesOf(pool, dayOf(now));
  return {
    openDays: open === null ? 0 : Math.max(0, Math.round((startOfDay(dayOf(now)) - startOfDay(open)) / DAY_S)),
    alertsAt: alertsAt ?? null,
    prices: new Map(ALGORITHM_NAMES.map((name) => [name, (prices[name].knownAt?.getTime() ?? 0) / 1000])),
    waiting: new Map(rows.map(({ channel, waiting }) => [channel, waiting])),
    oldest: new Map(rows.map(({ channel, age }) => [channel, age])),
  };
}

/** Null when it fails or takes too long. */
const within = <T>(read: Promise<T>): Promise<T | null> => inTime(read, PATIENCE_MS).catch(() => null);

export function databaseMetrics(registry: Registry, { pool }: Pick<Database, 'pool'>): void {
  // First: the queries of the others wait themselves for a moment, on the embedded database for each other.
  gauge(registry, 'database_waiting', 'Calls that wait for a connection to the database', () => pool.waitingCount);
  const kept = new TtlCache<Facts>(KEPT_MS);
  const facts = () => within(kept.get('', () => readFacts(pool)));
  gauge(registry, 'database_up', 'Whether the database answers within two seconds', async () =>
    (await facts()) ? 1 : 0,
  );
  const connections = () =>
    new Map([
      ['in_use', pool.totalCount - pool.idleCount],
      ['idle', pool.idleCount],
    ]);
  gauges(registry, 'database_connections', 'Connections to the database, by what they do', 'state', connections);
  gauge(registry, 'database_connections_limit', 'DATABASE_CONNECTIONS', () => pool.options.max);
  const late = new TtlCache<number>(LATE_WORK_KEPT_MS);
  gauge(registry, 'closing_late_work', 'Sub-accounts and days of the last month with work counted after closing', () =>
    within(late.get('', async () => (await lateWork(pool)).length)),
  );
  const known =
    <K extends keyof Facts>(fact: K) =>
    async (): Promise<Facts[K] | null> =>
      (await facts())?.[fact] ?? null;
  gauge(registry, 'closing_open_days', 'Days that are over and not closed', known('openDays'));
  gauge(registry, 'alerts_last_run_timestamp_seconds', 'When alerts were last looked for', known('alertsAt'));
  const priced = "When today's price became known; 0: nobody has set one";
  gauges(registry, 'price_known_timestamp_seconds', priced, 'algorithm', known('prices'));
  gauges(registry, 'outbox_waiting', 'Messages that are not sent yet', 'channel', known('waiting'));
  const oldest = 'Age of the oldest message that is not sent yet';
  gauges(registry, 'outbox_oldest_age_seconds', oldest, 'channel', known('oldest'));
}
