/**
 * Once a minute, for all accounts at once: workers in trouble, switches of upstreams, the daily digest. What is told and
 * that it was told are written in one transaction, so a restart neither repeats nor loses an alert; of several servers
 * one does the work.
 */
import type { Pool } from 'pg';
import type { Bus } from '../bus';
import { lock, transaction } from '../db/transaction';
import type { Logger } from '../log';
import { announceNotes, writeNotes, type WrittenNote } from '../accounts/notifications';
import type { Querier } from '../db/querier';
import { digests, dueDigest } from './digest';
import { GAP_S, type PoolState } from './outage';
import { switchNotes } from './switches';
import { type Healthy, watchWorkers } from './workers';

const EVERY_MS = 60_000;
/** Who comes so soon after another server's run leaves it at that. */
const SAME_RUN_S = 30;
const SETTING = 'alerts.state';

/** The state as it was left; after a gap, everything counts from now. */
async function readState(db: Querier, now: number): Promise<PoolState | null> {
  const {
    rows: [row],
  } = await db.query<{ value: PoolState }>('select value from setting where name = $1', [SETTING]);
  if (!row) return { ranAt: now, up: {}, outages: {} };
  const { value } = row;
  const passed = now - value.ranAt;
  if (passed >= 0 && passed < SAME_RUN_S) return null;
  return passed < 0 || passed > GAP_S ? { ...value, ranAt: now, up: {}, outages: {} } : value;
}

/** One run. Answers what was told. `now`: Unix seconds; `healthy`: whether the pool can have shares of an algorithm accepted. */
export function runAlerts(pool: Pool, now: number, healthy: Healthy = () => true): Promise<WrittenNote[]> {
  return transaction(pool, async (client) => {
    await lock(client, 'alerts');
    const before = await readState(client, now);
    if (!before) return [];
    const { state, notes } = await watchWorkers(client, before, healthy, now);
    const day = dueDigest(before.digestOf, now);
    const all = [...notes, ...(await switchNotes(client, now)), ...(day ? await digests(client, day, now) : [])];
    const written = await writeNotes(client, all, now);
    await client.query(
      'insert into setting (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value, updated_at = now()',
      [SETTING, JSON.stringify({ ...state, ...(day ? { digestOf: day } : {}) })],
    );
    return written;
  });
}

export type Alerts = { stop(): Promise<void> };

export function startAlerts({
  pool,
  bus,
  log,
  healthy,
  now = () => Date.now() / 1000,
}: {
  pool: Pool;
  bus: Bus;
  log: Logger;
  healthy?: Healthy;
  now?: () => number;
}): Alerts {
  let running: Promise<void> | null = null;
  const run = (): void => {
    running ??= runAlerts(pool, now(), healthy)
      .then(
        (written) => announceNotes(bus, written),
        (error: unknown) => log.error({ err: error }, 'alerts not looked at; it is tried again'),
      )
      .finally(() => {
        running = null;
      });
  };
  run();
  const timer = setInterval(run, EVERY_MS).unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
}
