/** Changes that wait, for another person or for a time: one table, and one life of each. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Call, ShownChange } from '@pool/shared/api/contract';
import { firstRow, oneRow, type Querier, raw, rowsOf, sql } from '../../platform/db/querier';
import { mayDo, type Decided, type Decider } from './who-decides';
import { problems } from '../../platform/refused';

/** A row of `waiting_change`, as it is at this time, with the name of the person who asks. */
export type Waiting = Decided & {
  id: number;
  call: Call;
  userId: number | null;
  confirmedBy: number | null;
  subject: string | null;
  content: string | null;
  shown: ShownChange;
  askedAt: Date;
  state: 'waits' | 'taken' | 'done' | 'taken_back' | 'replaced' | 'expired';
  endsAt: Date;
  name: string | null;
};
type Asked = Pick<Waiting, 'call' | 'organizationId' | 'userId' | 'against' | 'shown'> & {
  askedBy: number;
  content: string;
};
type Held = Pick<Waiting, 'call' | 'userId' | 'shown' | 'askedBy'> &
  Partial<Pick<Waiting, 'organizationId' | 'against'>> & { subject: string; until: Date; at?: Date };

const DAYS = 7;
/** Changes of one person that wait for others: nobody takes the places of another. */
const MAX_EACH = 30;

/** What the content of a change is encrypted for. */
export const contentOwner = (organizationId: string | null): string =>
  organizationId === null ? 'request of an admin' : `request in organization ${organizationId}`;

/** The change that the call which runs now confirms: another person has asked for it. */
export const confirming = new AsyncLocalStorage<Pick<Waiting, 'askedBy'>>();

const SELECT = raw(`
  select w.*, coalesce(i.user_name, u.user_name) as name,
    case when w.state = 'waits' and w.ends_at <= now() then w.ends_as else w.state end as state
  from waiting_change w left join app_user u on u.id = w.asked_by left join identity_user i on i.id = u.identity_id`);
const OPEN = raw("w.state = 'waits' and w.ends_at > now()");

/** What waits in an organization, or with null at the pool's admins; oldest first. */
export const waitingIn = (db: Querier, organizationId: string | null): Promise<Waiting[]> =>
  rowsOf<Waiting>(db)`${SELECT}
    where ${OPEN} and w.organization_id is not distinct from ${organizationId}
      and (w.organization_id is not null or w.content is not null) order by w.id`;

/** The changes of one thing that were held, newest first. */
export const changesOf = (db: Querier, call: Call, subject: string | number, limit: number): Promise<Waiting[]> =>
  rowsOf<Waiting>(db)`${SELECT}
    where w.call = ${call} and w.subject = ${String(subject)} and w.ends_as = 'done' order by w.id desc limit ${limit}`;

/** Keeps a call for another person; asked again by the same one, it replaces what waits. Throws `Refused`. */
export async function askAnother(tx: Querier, asked: Asked): Promise<void> {
  const { call, organizationId, userId, askedBy, against, content } = asked;
  const shown = JSON.stringify(asked.shown);
  const own = sql`w.state = 'waits' and w.asked_by = ${askedBy} and w.ends_as = 'expired'
    and w.organization_id is not distinct from ${organizationId}`;
  await tx.query(sql`update waiting_change w set state = 'replaced', content = null
    where ${own} and w.call = ${call} and w.shown = ${shown}::jsonb`);
  const { open } = await oneRow<{ open: number }>(tx)`
    select count(*) as open from waiting_change w where ${own} and ${OPEN}`;
  if (open >= MAX_EACH) throw problems.conflict('too_many_requests');
  await tx.query(sql`
    insert into waiting_change (call, organization_id, user_id, asked_by, against, content, shown, ends_at, ends_as)
    values (${call}, ${organizationId}, ${userId}, ${askedBy}, ${against}, ${content}, ${shown},
      now() + make_interval(days => ${raw(DAYS)}), 'expired')`);
}

/** Keeps that a change is in force at `until` only; a second person has confirmed it where one had to. */
export async function holdUntil(tx: Querier, held: Held): Promise<void> {
  const first = confirming.getStore()?.askedBy;
  const { call, userId, subject, shown, organizationId = null, against = null, until, at = new Date() } = held;
  await tx.query(sql`
    insert into waiting_change
      (call, organization_id, user_id, asked_by, confirmed_by, against, subject, shown, asked_at, ends_at, ends_as)
    values (${call}, ${organizationId}, ${userId}, ${first ?? held.askedBy}, ${first ? held.askedBy : null}, ${against},
      ${subject}, ${JSON.stringify(shown)}, ${at}, ${until}, 'done')`);
}

/** Ends what is held of one thing, if anything is, before its time. */
export const endHeld = (
  tx: Querier,
  { call, subject, at = new Date() }: Pick<Held, 'call' | 'subject' | 'at'>,
  state: 'taken_back' | 'replaced',
): Promise<unknown> =>
  tx.query(sql`update waiting_change w set state = ${state}
    where w.state = 'waits' and w.ends_at > ${at} and w.call = ${call} and w.subject = ${subject}
      and w.ends_as = 'done'`);

/** Takes a change for the person who confirms it, so that two confirmations make one. Throws `Refused`. */
export async function take(db: Querier, id: number, by: Decider): Promise<Waiting> {
  const found = await find(db, id, by);
  if (found.askedBy === by.id) throw problems.conflict('same_person');
  if (!mayDo(found, by).confirm || !(await settle(db, id, 'waits', 'taken', by.id)))
    throw problems.notFound('unknown_request');
  return found;
}

/** Declines a change, or takes the own one back. Throws `Refused`. */
export async function takeBack(db: Querier, id: number, by: Decider): Promise<Waiting> {
  const found = await find(db, id, by);
  if (!mayDo(found, by).end || !(await settle(db, id, 'waits', 'taken_back', null)))
    throw problems.notFound('unknown_request');
  return found;
}

async function find(db: Querier, id: number, by: Decider): Promise<Waiting> {
  const row = await firstRow<Waiting>(db)`${SELECT} where w.id = ${id} and ${OPEN}`;
  if (!row || !mayDo(row, by).see) throw problems.notFound('unknown_request');
  return row;
}

/** A change that is over keeps nothing of its call. */
export async function settle(
  db: Querier,
  id: number,
  from: Waiting['state'],
  to: Waiting['state'],
  confirmedBy: number | null,
): Promise<boolean> {
  const { rowCount } = await db.query(sql`update waiting_change
    set state = ${to}, confirmed_by = ${confirmedBy},
      content = case when ${to} in ('waits', 'taken') then content end
    where id = ${id} and state = ${from}`);
  return rowCount === 1;
}
