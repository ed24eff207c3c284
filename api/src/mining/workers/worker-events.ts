/** What happened to a worker: its faults (alerts/workers.ts), and its owner's changes, from the audit log. */
import type { WorkerEvent } from '@pool/shared/api/contract';
import { type Querier, rowsOf } from '../../platform/db/querier';

/** Between two times (Unix seconds), newest first. `subject`: `<account>.<worker>`. */
export const workerEvents = (
  db: Querier,
  { id, owner, account, subject }: { id: number; owner: number; account: number; subject: string },
  { since, until, limit }: { since: number; until: number; limit: number },
): Promise<(WorkerEvent & { id: string })[]> =>
  rowsOf<WorkerEvent & { id: string }>(
    db,
    `select id, extract(epoch from at)::int as at, kind, value
     from (
       select 'worker-' || id as id, at, kind, null::jsonb as value
       from worker_event
       where sub_account_id = $4 and worker_id = $1
       union all
       select 'change-' || id, at, substr(action, length('worker.') + 1),
         case action
           when 'worker.group' then after -> 'groupName'
           when 'worker.alert_limit' then after -> 'alertLimit'
         end
       from audit
       where user_id = $2
         and (
           action in ('worker.group', 'worker.mute', 'worker.unmute') and after -> 'ids' @> to_jsonb($1::int)
           or action = 'worker.alert_limit' and (
             subject = $3
             or subject in (
               select split_part($3, '.', 1) || '.' || former_name from worker_join
               where sub_account_id = $4 and worker_id = $1 and own is not null
             )
           )
         )
     ) events
     where at >= to_timestamp($5::float8) and at < to_timestamp($6::float8)
     order by events.at desc, id desc
     limit $7`,
    [id, owner, subject, account, since, until, limit],
  );
