/**
 * The last 24 h of each worker in 48 half-hours. Half-hours that are over rarely change, so they are kept in memory, even
 * as text, and only the newest are read again: ten thousand workers cost a moment once, then little. Work that was
 * counted late (after an outage, or by hand) is asked for by its batch, and what it touches is read again.
 */
import { setImmediate as breathe } from 'node:timers/promises';
import type { Pool } from 'pg';
import { hashrateOfWork, type AlgorithmName } from '@pool/shared/domain';

const SLOT_S = 1800;
const SLOTS = 48;
/** A slot stays open this long after its end: in this time most of its shares are counted. */
const SETTLED_AFTER_S = 900;
/** A batch that was begun by then is counted, or never was. */
const COUNTING_S = 120;
const MOST_ACCOUNTS = 200;
/** Workers looked at before everybody else in this process gets a turn. */
const AT_ONCE = 500;

/** Slots read in one query: others want the database too, and sums of a few fit into memory. */
const SLOTS_A_QUERY = 6;

/** Numbers of a slot: accepted, stale, rejected work; accepted shares. NaN: no data. */
const KINDS = 4;
type Slots = Float64Array;

/** What is over of a worker's day: sums and points of the slots that do not change, and the points as JSON. */
type Head = { slots: number; sums: Sums; points: (number | null)[]; text: string };
type Sums = { accepted: number; stale: number; rejected: number; shares: number };
/** `readAt`: of `performance.now`. */
type Kept = {
  firstSlot: number;
  settledUntil: number;
  readAt: number;
  workers: Map<number, { slots: Slots; head: Head | null }>;
};

/** A worker's last 24 h; `text` is `points` as JSON. Work as sums of difficulty, points in H/s. */
export type Day = Sums & { points: (number | null)[]; text: string };

const empty = (): Slots => new Float64Array(SLOTS * KINDS).fill(NaN);
const NOTHING: Sums = { accepted: 0, stale: 0, rejected: 0, shares: 0 };

export class Sparks {
  private readonly kept = new Map<string, Kept>();
  constructor(private readonly pool: Pool) {}

  /** The day of each worker that had one, by id; `since` is its start (Unix seconds), the half-hour under way is its end. */
  async of(
    subAccountId: number,
    algorithm: AlgorithmName,
    now: number,
  ): Promise<{ since: number; days: Map<number, Day> }> {
    const firstSlot = Math.floor(now / SLOT_S) - SLOTS + 1;
    const entry = await this.read(`${subAccountId} ${algorithm}`, [subAccountId, algorithm], firstSlot);
    entry.settledUntil = Math.max(firstSlot, Math.floor((now - SETTLED_AFTER_S) / SLOT_S));
    const days = new Map<number, Day>();
    for (const [id, worker] of entry.workers) {
      if (days.size % AT_ONCE === AT_ONCE - 1) await breathe();
      const settled = entry.settledUntil - firstSlot;
      if (worker.head?.slots !== settled) worker.head = headOf(worker.slots, settled, algorithm);
      days.set(id, dayOf(worker.slots, worker.head, algorithm, now - firstSlot * SLOT_S));
    }
    return { since: firstSlot * SLOT_S, days };
  }

  private async read(key: string, [subAccountId, algorithm]: [number, string], firstSlot: number): Promise<Kept> {
    const readAt = performance.now();
    const entry = shifted(this.kept.get(key), firstSlot);
    const late = entry.settledUntil > firstSlot ? await this.oldestCounted((readAt - entry.readAt) / 1000) : Infinity;
    for (
      let from = Math.max(firstSlot, Math.min(entry.settledUntil, late));
      from < firstSlot + SLOTS;
      from += SLOTS_A_QUERY
    ) {
      const until = Math.min(from + SLOTS_A_QUERY, firstSlot + SLOTS);
      const { rows } = await this.pool.query<{ id: number; slots: [number, number, number, number, number][] }>({
        name: 'sparks',
        text: `select id, json_agg(json_build_array((extract(epoch from slot) / ${SLOT_S})::int, accepted, stale, rejected, shares)) as slots from (
                 select s.worker_id as id, date_bin(interval '${SLOT_S} seconds', s.at, to_timestamp(0)) as slot, sum(s.accepted) as accepted, sum(s.stale) as stale, sum(s.rejected) as rejected, sum(s.shares) as shares
                 from share_10m s join worker w on w.id = s.worker_id
                 where w.sub_account_id = $1 and w.algorithm = $2 and s.at >= to_timestamp($3::float8) and s.at < to_timestamp($4::float8) group by 1, 2) x group by id`,
        values: [subAccountId, algorithm, from * SLOT_S, until * SLOT_S],
      });
      for (const { id, slots } of rows) {
        const worker = entry.workers.get(id) ?? { slots: empty(), head: null };
        for (const [slot, ...values] of slots) {
          worker.slots.set(values, (slot - firstSlot) * KINDS);
          if (slot < entry.settledUntil) worker.head = null;
        }
        entry.workers.set(id, worker);
      }
    }
    entry.readAt = readAt;
    this.kept.delete(key);
    this.kept.set(key, entry);
    if (this.kept.size > MOST_ACCOUNTS) this.kept.delete(this.kept.keys().next().value ?? '');
    return entry;
  }

  /** The oldest slot that got work in the last `seconds`; infinite without work. */
  private async oldestCounted(seconds: number): Promise<number> {
    const {
      rows: [row],
    } = await this.pool.query<{ oldest: number | null }>(
      `select extract(epoch from min(oldest))::float8 as oldest from ingest_batch
       where at > now() - make_interval(secs => $1)`,
      [seconds + COUNTING_S],
    );
    return row?.oldest == null ? Infinity : Math.floor(row.oldest / SLOT_S);
  }
}

/** What is kept, moved to a later first slot; a new one when there is nothing to keep. */
function shifted(kept: Kept | undefined, firstSlot: number): Kept {
  const by = kept ? firstSlot - kept.firstSlot : SLOTS;
  if (!kept || by < 0 || by >= SLOTS) return { firstSlot, settledUntil: firstSlot, readAt: 0, workers: new Map() };
  if (by === 0) return kept;
  for (const worker of kept.workers.values()) {
    worker.slots.copyWithin(0, by * KINDS);
    worker.slots.fill(NaN, (SLOTS - by) * KINDS);
    worker.head = null;
  }
  return { ...kept, firstSlot, settledUntil: Math.max(kept.settledUntil, firstSlot) };
}

function add(sums: Sums, slots: Slots, slot: number, algorithm: AlgorithmName, seconds: number): number | null {
  const accepted = slots[slot * KINDS] ?? NaN;
  if (Number.isNaN(accepted)) return null;
  sums.accepted += accepted;
  sums.stale += slots[slot * KINDS + 1] ?? 0;
  sums.rejected += slots[slot * KINDS + 2] ?? 0;
  sums.shares += slots[slot * KINDS + 3] ?? 0;
  // Four figures are more than a line of 24 pixels can show, and a third of the bytes.
  return Number(hashrateOfWork(algorithm, accepted, seconds).toPrecision(4));
}

function headOf(slots: Slots, settled: number, algorithm: AlgorithmName): Head {
  const sums = { ...NOTHING };
  const points = Array.from({ length: settled }, (_, slot) => add(sums, slots, slot, algorithm, SLOT_S));
  return { slots: settled, sums, points, text: points.map((point) => String(point)).join(',') };
}

function dayOf(slots: Slots, head: Head, algorithm: AlgorithmName, elapsed: number): Day {
  const sums = { ...head.sums };
  const tail: (number | null)[] = [];
  for (let slot = head.slots; slot < SLOTS; slot += 1) {
    // The half-hour under way counts the time that has passed.
    const seconds = slot === SLOTS - 1 ? Math.max(60, elapsed - slot * SLOT_S) : SLOT_S;
    tail.push(add(sums, slots, slot, algorithm, seconds));
  }
  return {
    ...sums,
    points: [...head.points, ...tail],
    text: `[${head.text}${head.text && ','}${tail.map((point) => String(point)).join(',')}]`,
  };
}

/** The day of a worker that had none. */
export const NO_DAY: Day = {
  ...NOTHING,
  points: Array<null>(SLOTS).fill(null),
  text: JSON.stringify(Array<null>(SLOTS).fill(null)),
};
