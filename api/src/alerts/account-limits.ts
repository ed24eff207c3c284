/** Accounts whose whole hashrate is below the limit that their owner set. */
import type { AccountLimit } from '@pool/shared/api/contract';
import { hashrateOfWork } from '@pool/shared/domain';
import type { Pool } from 'pg';
import { type Actor, writeAudit } from '../platform/audit';
import type { Note } from '../messages/notifications';
import { type Querier, rowsOf, sql, valueOf } from '../platform/db/querier';
import { transaction } from '../platform/db/transaction';
import type { PoolState } from './outage';
import { advance, type Seen, type Watch, watchIn, watchSet } from './transitions';
import { worded } from './farm-events';

/** The hashrate is the mean of so long: of less, chance alone crosses a limit. */
const WINDOW_S = 1800;
/** So much above the limit it is over: a hashrate near the limit is not told again and again. */
const BACK = 1.05;

type Row = Watch & AccountLimit & { subAccountId: number; userId: number; work: number };
type Change = Pick<AccountLimit, 'account' | 'algorithm'> & { subAccountId: number; hashrate: number | null };

export async function limitsOf(db: Querier, userId: number): Promise<AccountLimit[]> {
  return rowsOf<AccountLimit>(db)`
    select s.name as account, l.algorithm, l.hashrate
    from account_limit l join sub_account s on s.id = l.sub_account_id and s.deleted_at is null
    where s.user_id = ${userId} order by s.id, l.algorithm`;
}

/** A limit that is set again is judged anew. */
export const setLimit = (pool: Pool, change: Change, actor: Actor): Promise<void> =>
  transaction(pool, async (client) => {
    const { subAccountId, account, algorithm, hashrate } = change;
    const before = await valueOf<number>(client)`
      delete from account_limit where sub_account_id = ${subAccountId} and algorithm = ${algorithm} returning hashrate`;
    if (hashrate !== null)
      await client.query(sql`
        insert into account_limit (sub_account_id, algorithm, hashrate) values (${subAccountId}, ${algorithm}, ${hashrate})`);
    const facts = { before: { hashrate: before ?? null }, after: { hashrate } };
    await writeAudit(client, actor, 'alerts.limit', `${account}/${algorithm}`, facts);
  });

/** What is to be told at `now`, Unix seconds. An outage of the pool, and the time after it, is nobody's low hashrate. */
export async function limitNotes(db: Querier, { up, outages }: PoolState, now: number): Promise<Note[]> {
  const until = Math.floor(now / 60) * 60;
  const rows = await rowsOf<Row>(db)`
    select l.sub_account_id, l.algorithm, l.hashrate, ${watchIn('l')}, s.name as account, s.user_id,
      (
        select coalesce(sum(m.accepted + m.own_accepted), 0)
        from account_1m m
        where m.sub_account_id = l.sub_account_id and m.algorithm = l.algorithm
          and m.at >= to_timestamp(${until - WINDOW_S}::float8) and m.at < to_timestamp(${until}::float8)
      ) as work
    from account_limit l
      join sub_account s on s.id = l.sub_account_id and s.deleted_at is null
      join app_user u on u.id = s.user_id and not u.disabled
    order by l.sub_account_id, l.algorithm for update of l`;
  const notes: Note[] = [];
  for (const { subAccountId, account, algorithm, hashrate: limit, userId, work, ...watch } of rows) {
    if (outages[algorithm] || (up[algorithm] ?? now) > until - WINDOW_S) continue;
    const rate = hashrateOfWork(algorithm, work, WINDOW_S);
    const state = rate < limit ? 'trouble' : rate >= limit * BACK ? 'fine' : 'unclear';
    const next = advance(watch, { state } satisfies Seen, now, { muted: false, lastAlertAt: watch.toldAt });
    if (next.say)
      notes.push({
        userId,
        kind: next.say === 'alert' ? 'account_low' : 'account_low_over',
        values: { account, algorithm, hashrate: worded(rate), limit: worded(limit) },
      });
    if (next.watch !== watch)
      await db.query(sql`
        update account_limit set ${watchSet(next.watch)}
        where sub_account_id = ${subAccountId} and algorithm = ${algorithm}`);
  }
  return notes;
}
