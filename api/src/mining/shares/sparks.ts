/** The last 24 hours of each worker, cached, as past slots rarely change; late batches tell which to read again. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Absence } from '@pool/shared/api/contract';
import type { Pool } from 'pg';
import { hashrateOfWork, type AlgorithmName } from '@pool/shared/domain';
import { rowsOf } from '../../platform/db/querier';
import { rounded } from '../../platform/rounded';
import { MIN_S, presentSeconds, windowStart } from '../../accounts/mined-time/mined-time';

const SLOT_S = 3600;
const SLOTS = 24;
/** A slot is read again until this long after its end, when most of its shares are counted. */
const SETTLED_AFTER_S = 900;
/** A batch is committed at most this long after its start. */
const COUNTING_S = 120;
const MAX_ACCOUNTS = 200;
/** Workers processed before other work in this process gets a turn. */
const WORKERS_PER_TURN = 500;

/** Slots read in one query: few, so that other queries get a turn and the sums fit into memory. */
const SLOTS_PER_QUERY = 6;

/** Enough for a line 24 pixels high. */
const POINT_DIGITS = 3;
/** `91e12` for 91000000000000: half of a long list on the wire was zeros. */
const pointText = (point: number | null): string => String(point).replace(/0{3,}$/, (zeros) => `e${zeros.length}`);

/** Numbers of a slot: accepted, stale and rejected work, and accepted shares. NaN: no data. */
const KINDS = ['accepted', 'stale', 'rejected', 'shares'] as const;
type Kind = (typeof KINDS)[number];
type Slots = Float64Array;
type SlotRow = Record<'ids' | Kind, number[]> & { slot: number };

/** The settled slots of a worker's day: sums, points, and the points as JSON. */
type Head = { slots: number; sums: Sums; points: (number | null)[]; text: string };
type Sums = Record<Kind, number>;
/** Cached slots of one account and algorithm, numbered since 1970. `readAt`: `performance.now` of the last read. */
type CachedDay = {
  firstSlot: number;
  settledUntil: number;
  readAt: number;
  workers: Map<number, { slots: Slots; head: Head | null }>;
};

/** A worker's last 24 h; `text` is `points` as JSON. Work as sums of difficulty, points in H/s. */
export type Day = Sums & { points: (number | null)[]; text: string };

const empty = (): Slots => new Float64Array(SLOTS * KINDS.length).fill(NaN);
const NOTHING: Sums = { accepted: 0, stale: 0, rejected: 0, shares: 0 };

export class Sparks {
  private readonly cache = new LRUCache<string, CachedDay>({ max: MAX_ACCOUNTS });
  constructor(private readonly pool: Pool) {}

  /** The last 24 h of each worker with shares, by id, from `since` (Unix seconds) on, without absences. */
  async of(
    subAccountId: number,
    algorithm: AlgorithmName,
    now: number,
    absences: readonly Absence[],
  ): Promise<{ since: number; days: Map<number, Day> }> {
    const firstSlot = windowStart('h24', now) / SLOT_S;
    const entry = await this.read(`${subAccountId} ${algorithm}`, [subAccountId, algorithm], firstSlot);
    entry.settledUntil = Math.max(firstSlot, Math.floor((now - SETTLED_AFTER_S) / SLOT_S));
    const days = new Map<number, Day>();
    const seconds = Array.from({ length: SLOTS }, (_, slot) => {
      const from = (firstSlot + slot) * SLOT_S;
      return Math.max(MIN_S, presentSeconds(from, Math.min(now, from + SLOT_S), absences));
    });
    for (const [id, worker] of entry.workers) {
      if (days.size % WORKERS_PER_TURN === WORKERS_PER_TURN - 1) await nextTurn();
      const settled = entry.settledUntil - firstSlot;
      if (worker.head?.slots !== settled) worker.head = headOf(worker.slots, settled, algorithm, seconds);
      days.set(id, dayOf(worker.slots, worker.head, algorithm, seconds));
    }
    return { since: firstSlot * SLOT_S, days };
  }

  private async read(key: string, [subAccountId, algorithm]: [number, string], firstSlot: number): Promise<CachedDay> {
    const readAt = performance.now();
    const entry = shifted(this.cache.get(key), firstSlot);
    const late = entry.settledUntil > firstSlot ? await this.oldestCounted((readAt - entry.readAt) / 1000) : Infinity;
    const end = firstSlot + SLOTS;
    const first = Math.max(firstSlot, Math.min(entry.settledUntil, late));
    const slotsFrom = (from: number): Promise<SlotRow[]> =>
      this.slots(subAccountId, algorithm, from, Math.min(from + SLOTS_PER_QUERY, end));
    let next = slotsFrom(first);
    for (let from = first; from < end; from += SLOTS_PER_QUERY) {
      const rows = await next;
      // The database reads the next slots while these are taken over.
      if (from + SLOTS_PER_QUERY < end) next = slotsFrom(from + SLOTS_PER_QUERY);
      // Work that was moved to another worker has no row any more.
      const start = (from - firstSlot) * KINDS.length;
      for (const worker of entry.workers.values()) {
        worker.slots.fill(NaN, start, start + SLOTS_PER_QUERY * KINDS.length);
        if (from < entry.settledUntil) worker.head = null;
      }
      for (const { slot, ids, ...columns } of rows)
        ids.forEach((id, row) => {
          let worker = entry.workers.get(id);
          if (!worker) entry.workers.set(id, (worker = { slots: empty(), head: null }));
          const { slots } = worker;
          const at = (slot - firstSlot) * KINDS.length;
          KINDS.forEach((kind, place) => {
            slots[at + place] = columns[kind][row] ?? NaN;
          });
        });
    }
    entry.readAt = readAt;
    this.cache.set(key, entry);
    return entry;
  }

  /** Slots `from` to `until`, each as columns of numbers: faster than a row for each of ten thousand workers. */
  private slots(subAccountId: number, algorithm: string, from: number, until: number): Promise<SlotRow[]> {
    return rowsOf<SlotRow>(
      this.pool,
      `
        select (extract(epoch from s.at) / ${SLOT_S})::int as slot, json_agg(s.worker_id) as ids,
          ${KINDS.map((kind) => `json_agg(s.${kind}) as ${kind}`).join(', ')}
        from share_1h s
        join worker w on w.sub_account_id = s.sub_account_id and w.id = s.worker_id
        where s.sub_account_id = $1
          and w.algorithm = $2
          and s.at >= to_timestamp($3::float8)
          and s.at < to_timestamp($4::float8)
        group by s.at`,
      [subAccountId, algorithm, from * SLOT_S, until * SLOT_S],
      'sparks',
    );
  }

  /** The oldest slot with work counted, or moved to another worker, in the last `seconds`; infinite without any. */
  private async oldestCounted(seconds: number): Promise<number> {
    const [row] = await rowsOf<{ oldest: number | null }>(
      this.pool,
      `select extract(epoch from least(
         (select min(oldest) from ingest_batch where at > now() - make_interval(secs => $1)),
         (select min(since) from worker_join where changed_at > now() - make_interval(secs => $1))
       ))::float8 as oldest`,
      [seconds + COUNTING_S],
      'oldest-counted',
    );
    return row?.oldest == null ? Infinity : Math.floor(row.oldest / SLOT_S);
  }
}

/** Shifts a cached day to a later first slot; returns an empty one when no slot remains. */
function shifted(cached: CachedDay | undefined, firstSlot: number): CachedDay {
  const by = cached ? firstSlot - cached.firstSlot : SLOTS;
  if (!cached || by < 0 || by >= SLOTS) return { firstSlot, settledUntil: firstSlot, readAt: 0, workers: new Map() };
  if (by === 0) return cached;
  for (const worker of cached.workers.values()) {
    worker.slots.copyWithin(0, by * KINDS.length);
    worker.slots.fill(NaN, (SLOTS - by) * KINDS.length);
    worker.head = null;
  }
  return { ...cached, firstSlot, settledUntil: Math.max(cached.settledUntil, firstSlot) };
}

/** Adds a slot to the sums; returns its point. `seconds`: how long the pool was there in each slot. */
function add(
  sums: Sums,
  slots: Slots,
  slot: number,
  algorithm: AlgorithmName,
  seconds: readonly number[],
): number | null {
  const accepted = slots[slot * KINDS.length] ?? NaN;
  if (Number.isNaN(accepted)) return null;
  sums.accepted += accepted;
  sums.stale += slots[slot * KINDS.length + 1] ?? 0;
  sums.rejected += slots[slot * KINDS.length + 2] ?? 0;
  sums.shares += slots[slot * KINDS.length + 3] ?? 0;
  return rounded(hashrateOfWork(algorithm, accepted, seconds[slot] ?? SLOT_S), POINT_DIGITS);
}

function headOf(slots: Slots, settled: number, algorithm: AlgorithmName, seconds: readonly number[]): Head {
  const sums = { ...NOTHING };
  const points = Array.from({ length: settled }, (_, slot) => add(sums, slots, slot, algorithm, seconds));
  return { slots: settled, sums, points, text: points.map(pointText).join(',') };
}

function dayOf(slots: Slots, head: Head, algorithm: AlgorithmName, seconds: readonly number[]): Day {
  const sums = { ...head.sums };
  const tail: (number | null)[] = [];
  for (let slot = head.slots; slot < SLOTS; slot += 1) {
    tail.push(add(sums, slots, slot, algorithm, seconds));
  }
  return {
    ...sums,
    points: [...head.points, ...tail],
    text: `[${head.text}${head.text && ','}${tail.map(pointText).join(',')}]`,
  };
}

export const NO_DAY: Day = {
  ...NOTHING,
  points: Array<null>(SLOTS).fill(null),
  text: JSON.stringify(Array<null>(SLOTS).fill(null)),
};
