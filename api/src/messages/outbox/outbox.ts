/**
 * Messages to people in the database: they survive a restart and are sent in order per target, at least once. A message
 * that was being sent when the server died is sent again after its lease ends. A target never gets the same `dedupe`
 * key twice.
 */
import type { Pool } from 'pg';
import { hasRow, oneValue, type Querier, raw, rowsOf, type Sql, sql } from '../../platform/db/querier';
import { announce } from '../../platform/bus';

export type Channel = 'telegram' | 'mail' | 'webhook' | 'push';
/** `lifeS`: how long it is worth sending, a day unless given. */
export type Message = {
  channel: Channel;
  target: string;
  connectionId?: number | null;
  dedupe: string;
  content: string;
  lifeS?: number;
};
/** `token`: random, of this message. */
export type Due = { id: number; target: string; content: string; attempts: number; token: string };

/** How long a taken message is reserved for its sender; longer than the timeout of a call. */
const LEASE_S = 60;
const LIFE_S = 86_400;
const KEPT_S = 7 * 86_400;
/** A webhook's owner is shown what was sent; a mail may contain a code. */
const FORGET = "content = case when channel = 'webhook' then content end";

/** Queues messages in the caller's transaction; their senders hear of it after its commit. `now`: Unix seconds. */
export async function enqueue(db: Querier, messages: readonly Message[], now: number): Promise<void> {
  if (messages.length === 0) return;
  await db.query(sql`
    insert into outbox (channel, target, connection_id, dedupe, content, next_at, created_at, expires_at)
    select u.channel, u.target, u.connection, u.dedupe, u.content, to_timestamp(${now}::float8),
      to_timestamp(${now}::float8),
      to_timestamp(${now}::float8 + u.life)
    from unnest(${messages.map((m) => m.channel)}::text[], ${messages.map((m) => m.target)}::text[],
      ${messages.map((m) => m.connectionId ?? null)}::int[], ${messages.map((m) => m.dedupe)}::text[],
        ${messages.map((m) => m.content)}::text[], ${messages.map((m) => m.lifeS ?? LIFE_S)}::float8[])
      with ordinality as u(channel, target, connection, dedupe, content, life, n)
    order by u.n
    on conflict do nothing`);
  for (const channel of new Set(messages.map((message) => message.channel)))
    announce(db, { type: 'queued', data: { channel } });
}

/** Seconds between two messages to one target. `strays`: how many of them may wait for another try; 1 keeps the order. */
export type Order = { gapS: number; strays: number };
/** What waits of the channel for each target. `next`: null when nothing of it is due. */
const targets = (channel: Channel, strays: number, now: number): Sql => sql`
  select target, count(*) filter (where attempts > 0 and next_at > to_timestamp(${now}::float8)) >= ${strays}::int
      as held,
    min(id) filter (where next_at <= to_timestamp(${now}::float8)) as next, min(next_at) as at,
    min(next_at) filter (where attempts > 0 and next_at > to_timestamp(${now}::float8)) as again
  from outbox where channel = ${channel} and status = 'waiting' and expires_at > to_timestamp(${now}::float8)
  group by target`;

/** Reserves the first due message of each target of a channel, at most `limit`, until the lease ends. */
export async function takeDue(
  pool: Pool,
  channel: Channel,
  { limit, gapS, strays }: Order & { limit: number },
  now: number,
): Promise<Due[]> {
  const rows = await rowsOf<Due>(pool)`
    update outbox o set attempts = o.attempts + 1, next_at = to_timestamp(${now}::float8 + ${raw(LEASE_S)})
    from (
      select next as id from (${targets(channel, strays, now)}) t
      where not held and next is not null
        and not exists (
          select from outbox s
          where s.channel = ${channel} and s.target = t.target
            and s.sent_at > to_timestamp(${now}::float8 - ${gapS}::float8)
        )
      order by id
      limit ${limit}
    ) due
    where o.id = due.id and o.status = 'waiting' and o.next_at <= to_timestamp(${now}::float8)
    returning o.id, o.target, o.content, o.attempts, o.token`;
  return rows.sort((a, b) => a.id - b.id);
}

export const sent = (pool: Pool, id: number, now: number): Promise<unknown> =>
  pool.query(sql`update outbox set status = 'sent', ${raw(FORGET)}, sent_at = to_timestamp(${now}::float8), error = null
    where id = ${id}`);

const FAILURE = 'outbox.failure.';
/** The last failed try of a channel. `at`: Unix seconds; `isDown`: its server did not answer. */
export type Failure = { channel: Channel; reason: string; at: number; isDown: boolean };

export const noteFailure = (pool: Pool, { channel, ...failure }: Failure): Promise<unknown> =>
  pool.query(sql`
    insert into setting (name, value) values (${FAILURE + channel}, ${JSON.stringify(failure)}) on conflict (name)
    do update set value = excluded.value`);

export async function lastFailures(pool: Pool): Promise<Failure[]> {
  const rows = await rowsOf<{ channel: Channel; value: Omit<Failure, 'channel'> }>(pool)`
    select substr(name, length(${FAILURE}) + 1) as channel, value from setting where starts_with(name, ${FAILURE})
    order by name`;
  return rows.map(({ channel, value }) => ({ channel, ...value }));
}

/** Whether the channel's server was away at the last try, within the time after which a waiting message is tried again. */
export async function isDown(pool: Pool, channel: Channel): Promise<boolean> {
  const failure = (await lastFailures(pool)).find((each) => each.channel === channel && each.isDown);
  if (!failure) return false;
  return hasRow(pool)`
    select where to_timestamp(${failure.at}::float8) > now() - interval '15 minutes' and not exists (
    select from outbox where channel = ${channel} and sent_at > to_timestamp(${failure.at}::float8))`;
}

export const tryLater = (pool: Pool, id: number, error: string, at: number): Promise<unknown> =>
  pool.query(sql`update outbox set next_at = to_timestamp(${at}::float8), error = ${error} where id = ${id}`);

export const failed = (pool: Pool, id: number, error: string): Promise<unknown> =>
  pool.query(sql`update outbox set status = 'failed', ${raw(FORGET)}, error = ${error} where id = ${id}`);

/** The target refuses all messages: those that wait for it fail. */
export const refused = (db: Querier, channel: Channel, target: string, error: string): Promise<unknown> =>
  db.query(sql`update outbox set status = 'failed', ${raw(FORGET)}, error = ${error}
    where channel = ${channel} and target = ${target} and status = 'waiting'`);

/** Seconds until the next message of a channel is due; null when none is queued. */
export const nextDue = (pool: Pool, channel: Channel, strays: number, now: number): Promise<number | null> =>
  oneValue<number | null>(pool)`
    select extract(epoch from min(case when held then again else at end))::float8 - ${now}::float8
    from (${targets(channel, strays, now)}) t`;

export async function cleanOutbox(pool: Pool, channel: Channel, now: number): Promise<void> {
  await pool.query(sql`update outbox set status = 'failed', ${raw(FORGET)}, error = coalesce(error, 'too old')
    where channel = ${channel} and status = 'waiting' and expires_at < to_timestamp(${now}::float8)`);
  await pool.query(sql`
    delete from outbox where channel = ${channel} and status <> 'waiting'
      and created_at < to_timestamp(${now}::float8 - ${raw(KEPT_S)})`);
}
