/** What happened to a worker: its faults (alerts/workers.ts), and its owner's changes, from the audit log. */
import { LIST_LIMITS } from '@pool/shared/domain';
import type { WorkerEvent } from '@pool/shared/api/contract';
import type { Querier } from '../../platform/db/querier';

/** Newest first. `subject`: `<account>.<worker>`. */
export async function workerEvents(
  db: Querier,
  { id, owner, account, subject }: { id: number; owner: number; account: number; subject: string },
): Promise<WorkerEvent[]> {
  const { rows } = await db.query<WorkerEvent>(
    `select extract(epoch from at)::int as at, kind, value
     from (
       select at, kind, null::jsonb as value
       from worker_event
       where sub_account_id = $4 and worker_id = $1
       union all
       select at, substr(action, length('worker.') + 1),
         case action
           when 'worker.group' then after -> 'groupName'
           when 'worker.alert_limit' then after -> 'alertLimit'
         end
       from audit
       where user_id = $2
         and (
           action in ('worker.group', 'worker.mute', 'worker.unmute') and after -> 'ids' @> to_jsonb($1::int)
           or action = 'worker.alert_limit' and subject = $3
         )
     ) events
     order by events.at desc
     limit ${LIST_LIMITS.workerEvents}`,
    [id, owner, subject, account],
  );
  return rows;
}
