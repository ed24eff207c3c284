/** What the database has of an account's workers, for their list. */
import type { Pool } from 'pg';
import { STEADY, type AlgorithmName } from '@pool/shared/domain';
import { rowsOf } from '../../platform/db/querier';
import { OFFLINE_AFTER } from '../../platform/offline';

export type Row = {
  id: number;
  name: string;
  group: string | null;
  muted: boolean;
  /** Infinite: until it mines again. */
  mutedUntil: number | null;
  strange: boolean | null;
  alertLimit: number;
  lastShareAt: number | null;
  miningSince: number | null;
  connectedAt: number | null;
  connected: boolean;
  disconnectedAt: number | null;
  offlineAfter: number;
  difficulty: number | null;
  software: string | null;
  address: string | null;
  port: number | null;
  tls: boolean | null;
  m5: number;
  shares5: number;
  firstAt: number | null;
  h1: number;
  /** Bit n: shares in step n of the hour; the sixth step is the current one. */
  steps: number;
};

/** Number of workers from which a list counts as long: reading it takes noticeable time. */
export const LONG = 1000;
/** Seconds of a step of `steps`. */
export const STEP_S = 600;
/** Lateral joins sum worker by worker, because the table of minutes is huge; long lists read the minutes at once. */
const STEPS_WITH_SHARES = `bit_or(1 << floor((extract(epoch from s.at) - $4::float8) / ${STEP_S})::int) filter (where s.accepted > 0)`;
export const WHOLE_STEPS = 2 ** STEADY.steps - 1;

function listQuery(long: boolean): string {
  const m5 = 'filter (where s.at >= to_timestamp($3::float8))';
  const recent = (table: string, sums: string, since: string): string =>
    long
      ? `(
    select s.worker_id, ${sums}
    from ${table} s
    join worker o on o.sub_account_id = $1 and o.id = s.worker_id
    where s.sub_account_id = $1 and o.algorithm = $2 and s.at >= to_timestamp(${since})
    group by 1
  )`
      : `lateral (
    select w.id as worker_id, ${sums}
    from ${table} s
    where s.sub_account_id = $1 and s.worker_id = w.id and s.at >= to_timestamp(${since})
  )`;
  // Columns have their names in code, so that ten thousand rows stay as they are.
  return `
  select w.id, w.name, g.name as group, w.muted, extract(epoch from w.muted_until)::float8 as "mutedUntil",
    w.standing = 'strange' as strange, w.alert_limit as "alertLimit",
    extract(epoch from l.last_share_at)::float8 as "lastShareAt",
    extract(epoch from l.mining_since)::int as "miningSince",
    extract(epoch from l.connected_at)::float8 as "connectedAt",
    (l.connected_at is not null and l.disconnected_at is null) as connected,
    extract(epoch from l.disconnected_at)::float8 as "disconnectedAt",
    ${OFFLINE_AFTER} as "offlineAfter",
    l.difficulty, l.software, l.remote as address, l.port, l.tls,
    coalesce(m.accepted, 0) as m5,
    coalesce(m.shares, 0)::int as shares5,
    extract(epoch from m.first)::float8 as "firstAt",
    coalesce(h.accepted, 0) as h1, coalesce(h.steps, 0) as steps
  from worker w
  left join worker_group g on g.sub_account_id = $1 and g.id = w.group_id
  left join worker_live l on l.sub_account_id = $1 and l.worker_id = w.id
  left join ${recent('share_1m', `sum(s.accepted) ${m5} as accepted, sum(s.shares) ${m5} as shares, min(s.at) as first`, '$3::float8 - 60')} m
    on m.worker_id = w.id
  left join ${recent('share_10m', `sum(s.accepted) as accepted, ${STEPS_WITH_SHARES} as steps`, '$4::float8')} h on h.worker_id = w.id
  where w.sub_account_id = $1 and w.algorithm = $2`;
}
const SHORT_LIST = { name: 'workers', text: listQuery(false) };
const LONG_LIST = { name: 'long list of workers', text: listQuery(true) };

/** `since5`, `since60`: starts of the means of five minutes and of an hour, Unix seconds. */
export async function readRows(
  pool: Pool,
  ...values: [subAccountId: number, algorithm: AlgorithmName, since5: number, since60: number]
): Promise<Row[]> {
  const [long] = await rowsOf<object>(
    pool,
    `select from worker where sub_account_id = $1 and algorithm = $2 offset ${LONG - 1} limit 1`,
    values.slice(0, 2),
    'long',
  );
  const { name, text } = long ? LONG_LIST : SHORT_LIST;
  return rowsOf<Row>(pool, text, values, name);
}
