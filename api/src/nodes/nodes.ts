/** The processes that share a database: who they are, whose shares are not counted yet, retiring one. */
import type { Pool } from 'pg';
import type { WaitingDay } from '@pool/shared/api/contract';
import { writeAudit, type Actor } from '../platform/audit';
import type { Role } from '../platform/config';
import { dayOf } from '../platform/days';
import { type Querier, rowsOf, sql, valuesOf } from '../platform/db/querier';
import { transaction } from '../platform/db/transaction';
import { CLOSE_AFTER_S } from '../money/jobs/close-days';
import type { JobRun } from '../money/jobs/jobs';
import { endPresences } from '../mining/shares/worker-rows';
import type { Uncounted } from '../mining/shares/uncounted';
import type { StratumPort, StratumProxy } from '../stratum';
import { Seat, seatOf } from './seat';

/** A node that was not heard for so long is treated as gone. */
export const SILENT_S = 20;

/** What a node tells the others of itself. */
export type NodeState = {
  ports?: readonly StratumPort[];
  tlsPorts?: readonly StratumPort[];
  upstreams?: ReturnType<StratumProxy['upstreams']>;
  connections?: number;
  /** Last run of the jobs, at the node that does them. */
  job?: JobRun | null;
  botName?: string | null;
  waiting?: WaitingDay | null;
};

/** Times are Unix seconds. */
export type Node = {
  id: string;
  roles: Role[];
  place: string;
  build: string;
  heartbeat: number;
  /** Seconds since its heartbeat. */
  silentS: number;
  countedThrough: number | null;
  uncounted: Pick<Uncounted, 'day' | 'why' | 'lines'>[];
  state: NodeState | null;
};

export const readNodes = (db: Querier): Promise<Node[]> =>
  rowsOf<Node>(db)`
    select id, roles, place, build, uncounted, state, extract(epoch from heartbeat)::float8 as heartbeat,
      extract(epoch from clock_timestamp() - heartbeat)::float8 as silent_s,
      extract(epoch from counted_through)::float8 as counted_through
    from node
    order by started_at, id`;

/** Nodes as admins see them. `now`: Unix seconds. */
export function shownNode({ id, roles, place, build, heartbeat, silentS, countedThrough }: Node, now: number) {
  const day = countedThrough === null ? null : dayOf(countedThrough);
  return {
    id,
    roles,
    place,
    build,
    heartbeat: new Date(heartbeat * 1000).toISOString(),
    isSilent: silentS >= SILENT_S,
    holds: day !== null && day < dayOf(now - CLOSE_AFTER_S) ? day : null,
  };
}

const nameOf = ({ id, place }: Pick<Node, 'id' | 'place'>): string => `node ${id}, ${place}`;

/** What keeps days open: work known not to be counted, and the first day that a `node` has not counted. */
const uncountedOf = (nodes: readonly Node[]): Uncounted[] =>
  nodes.flatMap((node) => [
    ...node.uncounted.map((entry) => ({ ...entry, paths: [nameOf(node)] })),
    ...(node.countedThrough === null
      ? []
      : [{ day: dayOf(node.countedThrough), why: 'node' as const, lines: 0, paths: [nameOf(node)] }]),
  ]);

/** The same for who asks the journal of this DATA_DIR itself. */
export async function uncountedElsewhere(pool: Pool, dataDir: string): Promise<Uncounted[]> {
  const own = seatOf(dataDir);
  return uncountedOf((await readNodes(pool)).filter(({ id }) => id !== own));
}

/** A server that is alone asks the journal of its DATA_DIR itself: nobody waits for the node that had it. */
export async function leaveAlone(pool: Pool, dataDir: string): Promise<void> {
  const own = seatOf(dataDir);
  if (own === null) return;
  Seat.open(dataDir).setJoined(false);
  await pool.query(sql`delete from node where id = ${own}`);
}

/** Shows the miners of nodes that were not heard for a minute as gone. */
export async function endSilent(pool: Pool): Promise<void> {
  const silent = await valuesOf<string>(pool)`
    update node set shown_gone = true
    where heartbeat < clock_timestamp() - interval '60 s' and not shown_gone
    returning id`;
  for (const id of silent) await transaction(pool, (client) => endPresences(client, id));
}

/** Takes a lost node out of the register, so that days close without its uncounted work. Null: done, else why not. */
export function retireNode(pool: Pool, id: string, actor: Actor): Promise<string | null> {
  return transaction(pool, async (client) => {
    await client.query(sql`select from node where id = ${id} for update`);
    const node = (await readNodes(client)).find((each) => each.id === id);
    if (!node) return `There is no node "${id}".`;
    if (node.silentS < SILENT_S) return `The ${nameOf(node)} runs: stop it, and it leaves by itself.`;
    await endPresences(client, id);
    await client.query(sql`delete from node where id = ${id}`);
    const { roles, place, uncounted, countedThrough } = node;
    await writeAudit(client, actor, 'node.retire', id, { before: { roles, place, uncounted, countedThrough } });
    return null;
  });
}
