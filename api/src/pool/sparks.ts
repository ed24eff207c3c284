/**
 * The last 24 h of each worker in 48 half-hours. Half-hours that are over do not change any more, so they are kept in
 * memory and only the newest are read again: ten thousand workers cost a moment once, then nearly nothing.
 */
import type { Pool } from 'pg';
import type { AlgorithmName } from '@pool/shared/domain';

export const SLOT_S = 1800;
export const SLOTS = 48;
/** A slot stays open this long after its end: late shares of a proxy that could not reach the database. */
const SETTLED_AFTER_S = 900;
const MOST_ACCOUNTS = 200;
const KINDS = 4;

/** Per worker, per slot: accepted, stale, rejected work and accepted shares. NaN in `accepted`: no data. */
export type Spark = Float64Array;
export const at = (spark: Spark, slot: number): { accepted: number; stale: number; rejected: number; shares: number } => ({
  accepted: spark[slot * KINDS] ?? NaN, stale: spark[slot * KINDS + 1] ?? 0, rejected: spark[slot * KINDS + 2] ?? 0, shares: spark[slot * KINDS + 3] ?? 0,
});

type Kept = { firstSlot: number; settledUntil: number; sparks: Map<number, Spark> };

const empty = (): Spark => new Float64Array(SLOTS * KINDS).fill(NaN);

export class Sparks {
  private readonly kept = new Map<string, Kept>();
  constructor(private readonly pool: Pool) {}

  /** Sparks by worker id; slot 47 is the half-hour under way. `since` is the start of slot 0, Unix seconds. */
  async of(subAccountId: number, algorithm: AlgorithmName, now: number): Promise<{ since: number; sparks: ReadonlyMap<number, Spark> }> {
    const firstSlot = Math.floor(now / SLOT_S) - SLOTS + 1;
    const key = `${subAccountId} ${algorithm}`;
    const before = this.kept.get(key);
    const entry: Kept = before ? shifted(before, firstSlot) : { firstSlot, settledUntil: firstSlot, sparks: new Map() };
    const { rows } = await this.pool.query<{ id: number; slots: [number, number, number, number, number][] }>({
      name: 'sparks',
      text: `select id, json_agg(json_build_array((extract(epoch from slot) / ${SLOT_S})::int, accepted, stale, rejected, shares)) as slots from (
               select s.worker_id as id, date_bin(interval '${SLOT_S} seconds', s.at, to_timestamp(0)) as slot, sum(s.accepted) as accepted, sum(s.stale) as stale, sum(s.rejected) as rejected, sum(s.shares) as shares
               from share_10m s join worker w on w.id = s.worker_id
               where w.sub_account_id = $1 and w.algorithm = $2 and s.at >= to_timestamp($3::float8) group by 1, 2) x group by id`,
      values: [subAccountId, algorithm, entry.settledUntil * SLOT_S],
    });
    for (const { id, slots } of rows) {
      const spark = entry.sparks.get(id) ?? empty();
      for (const [slot, ...values] of slots) if (slot >= firstSlot && slot < firstSlot + SLOTS) spark.set(values, (slot - firstSlot) * KINDS);
      entry.sparks.set(id, spark);
    }
    entry.settledUntil = Math.max(firstSlot, Math.floor((now - SETTLED_AFTER_S) / SLOT_S));
    this.kept.delete(key);
    this.kept.set(key, entry);
    if (this.kept.size > MOST_ACCOUNTS) this.kept.delete(this.kept.keys().next().value ?? '');
    return { since: firstSlot * SLOT_S, sparks: entry.sparks };
  }
}

/** What is kept, moved to a later first slot. Copied: an answer under way may still read the old arrays. */
function shifted(kept: Kept, firstSlot: number): Kept {
  const by = firstSlot - kept.firstSlot;
  if (by < 0 || by >= SLOTS) return { firstSlot, settledUntil: firstSlot, sparks: new Map() };
  const sparks = new Map<number, Spark>();
  for (const [id, spark] of kept.sparks) {
    const moved = by === 0 ? spark : empty();
    if (by > 0) moved.set(spark.subarray(by * KINDS));
    sparks.set(id, moved);
  }
  return { firstSlot, settledUntil: Math.max(kept.settledUntil, firstSlot), sparks };
}
