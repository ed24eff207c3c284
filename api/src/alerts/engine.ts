/** All alerts, once a minute. A notification and the record that it was sent are written in one transaction. */
import type { Pool } from 'pg';
import { accountsAway } from '../platform/db/distributed';
import { lock, transaction } from '../platform/db/transaction';
import type { Logger } from '../platform/log';
import { type Note, writeNotes } from '../messages/notifications';
import { type Querier, raw, rowsOf, sql, valueOf } from '../platform/db/querier';
import { limitNotes } from './account-limits';
import { groupNotes } from './group-limits';
import { endMutes } from './mutes';
import { digests, dueDigest } from './digest';
import { GAP_S, type PoolState, START_GAP_S } from './outage';
import { writeGap, writeOutages } from './outage-log';
import { strangerNotes } from './strangers';
import { type Healthy, watchWorkers } from './workers';
import { dayOf } from '../platform/days';
import { every } from '../platform/every';

/** Older switches were announced already, or are no news. */
const RECENT_S = 3600;

type Row = {
  id: number;
  algorithm: string;
  fromUrl: string | null;
  toUrl: string | null;
  why: string;
  account: string;
  userId: number;
};

async function switchNotes(db: Querier, now: number): Promise<Note[]> {
  const rows = await rowsOf<Row>(db)`
    select x.id, x.algorithm, x.from_url, x.to_url, x.why, s.name as account, s.user_id
    from upstream_switch x join sub_account s on s.id = x.sub_account_id and s.deleted_at is null
    where x.at > to_timestamp(${now}::float8 - ${raw(RECENT_S)})
      and not exists (select from notification n where n.user_id = s.user_id and n.once = 'upstream ' || x.id)
    order by x.id`;
  return rows.map(({ id, algorithm, fromUrl: from, toUrl: to, why, account, userId }): Note => ({
    userId,
    // Said once a day: every miner that comes back finds it so.
    once: why === 'unreadable' ? `upstream unreadable ${account} ${algorithm} ${dayOf(now)}` : `upstream ${id}`,
    kind: why === 'unreadable' ? 'upstream_unreadable' : to === null ? 'upstream_lost' : 'upstream_switch',
    values: { account, algorithm, why, ...(from === null ? {} : { from }), ...(to === null ? {} : { to }) },
  }));
}

const EVERY_MS = 60_000;
/** A run is skipped when another server's run was less than this ago. */
const MIN_BETWEEN_RUNS_S = 30;
const SETTING = 'alerts.state';

/** State of the last run; null: it is too recent. A gap in the runs is an outage, after which silence counts anew. */
async function readState(db: Querier, now: number, gap: number): Promise<PoolState | null> {
  const value = await valueOf<PoolState>(db)`select value from setting where name = ${SETTING}`;
  if (!value) return { ranAt: now, up: {}, outages: {} };
  const passed = now - value.ranAt;
  if (passed >= 0 && passed < MIN_BETWEEN_RUNS_S) return null;
  if (passed >= 0 && passed <= gap) return value;
  if (passed > gap) await writeGap(db, value.ranAt, now);
  return { ...value, ranAt: now, up: {}, outages: {} };
}

/** One run. `now`: Unix seconds. `gap`: seconds without a run that are an absence. */
export function runAlerts(pool: Pool, now: number, healthy: Healthy = () => true, gap = GAP_S): Promise<void> {
  return transaction(pool, async (client) => {
    await lock(client, 'alerts');
    const before = await readState(client, now, gap);
    if (!before) return;
    // First: their faults are not told.
    const strangers = await strangerNotes(client, now);
    const { state, notes } = await watchWorkers(client, before, healthy, now);
    // The watches are those of now from here on, and mutes end by them.
    await endMutes(client, now);
    await writeOutages(client, before.outages, state.outages, now);
    const day = dueDigest(before.digestOf, now);
    const all = [
      ...strangers,
      ...notes,
      ...(await limitNotes(client, state, now)),
      ...(await groupNotes(client, state, now)),
      ...(await switchNotes(client, now)),
      ...(day ? await digests(client, day, now) : []),
    ];
    await writeNotes(client, all, now);
    await client.query(sql`
      insert into setting (name, value)
      values (${SETTING}, ${JSON.stringify({ ...state, ...(day ? { digestOf: day } : {}) })})
      on conflict (name) do update set value = excluded.value, updated_at = now()`);
  });
}

/**
 * A run that failed because a node of a Citus is away: the pool is there, so that this is no absence of all. Nobody's
 * silence meanwhile counts.
 */
export async function noteNodeAway(pool: Pool, now: number): Promise<void> {
  if ((await accountsAway(pool)).size > 0)
    await pool.query(sql`
      update setting set value = value || ${JSON.stringify({ ranAt: now, up: {} })}::jsonb where name = ${SETTING}`);
}

/** `stop` records until when the server ran. */
export type Alerts = { stop(): Promise<void> };

/** The first run is over when it resolves: it records an absence of the server before anybody asks. */
export async function startAlerts({
  pool,
  log,
  healthy,
  now = () => Date.now() / 1000,
}: {
  pool: Pool;
  log: Logger;
  healthy?: Healthy;
  now?: () => number;
}): Promise<Alerts> {
  let gap = START_GAP_S;
  const run = async (): Promise<void> => {
    const absence = gap;
    gap = GAP_S;
    try {
      await runAlerts(pool, now(), healthy, absence);
    } catch (error) {
      log.error({ err: error }, 'alerts run failed; it is retried in a minute');
      await noteNodeAway(pool, now());
    }
  };
  // An earlier start may have failed before its first run: the server was last there with its last share.
  await pool.query(sql`insert into setting (name, value)
    select ${SETTING},
      jsonb_build_object('ranAt', extract(epoch from max(last_share_at)), 'up', '{}'::jsonb, 'outages', '{}'::jsonb)
    from worker_live
    having max(last_share_at) is not null
    on conflict do nothing`);
  const runs = every(EVERY_MS, run, log, 'the database is away: the time without a run is an absence');
  await runs.now();
  return {
    stop: async () => {
      await runs.stop();
      await pool.query(sql`
        update setting set value = jsonb_set(value, '{ranAt}', to_jsonb(${now()}::float8)) where name = ${SETTING}`);
    },
  };
}
