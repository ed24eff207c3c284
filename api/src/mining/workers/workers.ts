/** The workers of sub-accounts: state, hashrates, and the last day. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Pool } from 'pg';
import type { Worker } from '@pool/shared/api/contract';
import {
  hashrateOfWork,
  INACTIVE_AFTER_S,
  minedSeconds,
  hashrateError,
  isAlgorithm,
  STATE_ORDER,
  STEADY,
  workerState,
  type AlgorithmName,
} from '@pool/shared/domain';
import { rounded } from '../../platform/rounded';
import {
  absencesOf,
  earliest,
  MIN_HOUR_S,
  presentSeconds,
  windowMean,
  windowStart,
} from '../../accounts/mined-time/mined-time';
import { NO_DAY, Sparks } from '../shares/sparks';
import { ListChanges } from './list-changes';
import { OFFLINE_AFTER } from '../../platform/offline';
import { firstRow, sql } from '../../platform/db/querier';

type Row = {
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

const FRESH_MS = 3000;
/** A long list that expired less than this ago is returned from the cache, and read again in the background. */
const STALE_MS = 12_000;
/** Number of workers from which a list counts as long: reading it takes noticeable time. */
const LONG = 1000;
const MAX_LISTS = 100;
/** Digits of hashrates: more than any number of shares can measure. */
const DIGITS = 6;
/** Parts are multiples of a thousandth of a percent. */
const STEPS = 100_000;
const partOf = (all: number, some: number): number => (all > 0 ? Math.round((some / all) * STEPS) / STEPS : 0);

/** `until`: Unix milliseconds until which the list is fresh. `ready`: the list to return without waiting, if any. */
type CachedList = { until: number; workers: Promise<Worker[]>; ready: Worker[] | null };
/** Lists of several sub-accounts, and their workers as one list. */
type JoinedList = { of: readonly Worker[][]; workers: Worker[] };

/** Lateral joins sum worker by worker, because the table of minutes is huge; long lists read the minutes at once. */
const STEP_S = 600;
const STEPS_WITH_SHARES = `bit_or(1 << floor((extract(epoch from s.at) - $4::float8) / ${STEP_S})::int) filter (where s.accepted > 0)`;
const WHOLE_STEPS = 2 ** STEADY.steps - 1;
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

/** Rows processed before other work in this process gets a turn. */
const ROWS_PER_TURN = 500;

const WORKER_SORTS = [
  'name',
  'account',
  'group',
  'state',
  'm5',
  'h1',
  'h24',
  'rejectRate',
  'staleRate',
  'difficulty',
  'lastShareAt',
] as const;
type SortField = (typeof WORKER_SORTS)[number];
export type WorkerSort = { field: SortField; descending: boolean };

/** Parses `name` or `-m5`: a field, with `-` for descending order. Null for an unknown field. */
export function parseSort(text: string): WorkerSort | null {
  const descending = text.startsWith('-');
  const field = WORKER_SORTS.find((name) => name === text.slice(descending ? 1 : 0));
  return field ? { field, descending } : null;
}

const value = (worker: Worker, field: SortField): number | string =>
  field === 'state' ? STATE_ORDER[worker.state] : (worker[field] ?? (field === 'group' ? '' : -1));
const names = new Intl.Collator('en', { numeric: true });

/** `workers` must be sorted by name; equal values keep that order. */
export function sorted(workers: readonly Worker[], { field, descending }: WorkerSort): Worker[] {
  if (field === 'name') return descending ? workers.toReversed() : [...workers];
  const sign = descending ? -1 : 1;
  return workers.toSorted((a, b) => {
    const [left, right] = [value(a, field), value(b, field)];
    return sign * (typeof left === 'string' ? names.compare(left, String(right)) : left - Number(right));
  });
}

const stepAfter = (mask: number): number => 32 - Math.clz32(mask);

export class WorkerLists {
  private readonly lists = new LRUCache<string, CachedList>({ max: MAX_LISTS });
  private readonly joined = new LRUCache<string, JoinedList>({ max: MAX_LISTS });
  private readonly sparks: Sparks;
  readonly changes = new ListChanges();
  private readonly texts = new WeakMap<Worker, string>();
  constructor(private readonly pool: Pool) {
    this.sparks = new Sparks(pool);
  }

  private async read(subAccountId: number, algorithm: AlgorithmName, now: number): Promise<Worker[]> {
    const since5 = windowStart('m5', now);
    const since60 = windowStart('h1', now);
    const absences = await absencesOf(this.pool, now);
    const [{ since, days }, rows, of] = await Promise.all([
      this.sparks.of(subAccountId, algorithm, now, absences),
      this.rows(subAccountId, algorithm, since5, since60),
      firstRow<{ name: string }>(this.pool)`select name from sub_account where id = ${subAccountId}`,
    ]);
    const recent = rows.filter(({ lastShareAt }) => lastShareAt !== null && lastShareAt > now - INACTIVE_AFTER_S);
    const mined = { since: earliest(recent.map(({ miningSince }) => ({ since: miningSince }))), absences };
    const mayJudge = presentSeconds(since60, now, absences) >= MIN_HOUR_S;
    rows.sort((a, b) => names.compare(a.name, b.name));
    const workers: Worker[] = [];
    for (const { connected, ...row } of rows) {
      if (workers.length % ROWS_PER_TURN === ROWS_PER_TURN - 1) await nextTurn();
      const { accepted, stale, rejected, shares, points, text } = days.get(row.id) ?? NO_DAY;
      const all = accepted + stale + rejected;
      const start = row.miningSince;
      const h1 = windowMean(algorithm, row.h1, 'h1', mined, now);
      const h24 = windowMean(algorithm, accepted, 'h24', mined, now);
      const isNew = start !== null && start > since;
      const connectedAt = connected ? row.connectedAt : null;
      const liveSeconds = minedSeconds({ since: since5, connectedAt, firstAt: row.firstAt }, now);
      const lastShareAt = row.lastShareAt === null ? null : Math.floor(row.lastShareAt);
      const silent = ~row.steps & WHOLE_STEPS;
      const mayCompare = !isNew && mayJudge && shares >= STEADY.shares;
      // Silence of the server is not the worker's.
      const at = lastShareAt === null ? now : lastShareAt + presentSeconds(lastShareAt, now, absences);
      const compared = workerState(
        { lastShareAt, h1, h24: mayCompare ? h24 : 0, alertLimit: row.alertLimit, offlineAfter: row.offlineAfter },
        at,
      );
      const isBack = compared === 'low' && silent > 0;
      const facts = {
        id: row.id,
        name: row.name,
        group: row.group,
        muted: row.muted,
        ...(row.mutedUntil === null ? {} : { mutedUntil: Number.isFinite(row.mutedUntil) ? row.mutedUntil : null }),
        ...(row.strange ? { strange: true } : {}),
        alertLimit: row.alertLimit,
        state: isBack ? ('online' as const) : compared,
        m5: rounded(hashrateOfWork(algorithm, row.m5, liveSeconds), DIGITS),
        ...(liveSeconds < now - since5 ? { measuring: hashrateError(row.shares5) ?? 1 } : {}),
        h1: rounded(h1, DIGITS),
        h24: rounded(h24, DIGITS),
        ...(isBack ? { backSince: Math.floor(Math.max(since60 + stepAfter(silent) * STEP_S, connectedAt ?? 0)) } : {}),
        ...(isNew ? { minedSince: start } : {}),
        ...(row.disconnectedAt !== null && (compared === 'online' || compared === 'low')
          ? { disconnectedAt: Math.floor(row.disconnectedAt) }
          : {}),
        rejectRate: partOf(all, rejected),
        staleRate: partOf(all, stale),
        difficulty: connected ? row.difficulty : null,
        lastShareAt,
        connectedAt: connectedAt === null ? null : Math.floor(connectedAt),
        software: row.software,
        ...(row.port === null ? {} : { port: row.port }),
        ...(row.tls ? { tls: true } : {}),
        shares24h: shares,
      };
      const worker = { ...facts, account: of?.name, address: row.address, spark: points };
      this.texts.set(worker, `${JSON.stringify(facts).slice(0, -1)},"spark":${text}`);
      workers.push(worker);
    }
    return workers;
  }

  private async rows(
    ...values: [subAccountId: number, algorithm: string, since5: number, since60: number]
  ): Promise<Row[]> {
    const { rowCount: long } = await this.pool.query({
      name: 'long',
      text: `select from worker where sub_account_id = $1 and algorithm = $2 offset ${LONG - 1} limit 1`,
      values: values.slice(0, 2),
    });
    return (await this.pool.query<Row>({ ...(long ? LONG_LIST : SHORT_LIST), values })).rows;
  }

  /** A worker of a list as JSON, which is made once when the list is read; with some of its facts only on demand. */
  textOf(worker: Worker, shown: Record<'account' | 'address', boolean>): string {
    const text =
      this.texts.get(worker) ?? JSON.stringify({ ...worker, account: undefined, address: undefined }).slice(0, -1);
    const account = shown.account ? `,"account":${JSON.stringify(worker.account)}` : '';
    const address = shown.address && worker.address ? `,"address":${JSON.stringify(worker.address)}` : '';
    return `${text}${account}${address}}`;
  }

  /** Has the lists read again after a change of the workers (POST /workers/bulk), and compared with what they were. */
  forget(subAccountId: number, algorithm?: AlgorithmName): void {
    for (const [key, list] of this.lists.entries())
      if (key.startsWith(`${subAccountId} ${algorithm ?? ''}`)) list.until = -Infinity;
  }

  /** All workers by name, three seconds old, or fifteen where a long list is asked for again and again. */
  async list(subAccountId: number, algorithm: AlgorithmName, now: number): Promise<Worker[]> {
    const key = `${subAccountId} ${algorithm}`;
    const known = this.lists.get(key);
    const ms = now * 1000;
    if (known && known.until > ms && known.until <= ms + FRESH_MS) return known.ready ?? known.workers;
    const recent = known && ms >= known.until && ms - known.until <= STALE_MS ? known.ready : null;
    const entry: CachedList = {
      until: ms + FRESH_MS,
      workers: this.read(subAccountId, algorithm, now),
      ready: recent && recent.length >= LONG ? recent : null,
    };
    this.lists.set(key, entry);
    entry.workers.then(
      (workers) => {
        if (workers.length >= LONG) this.changes.follow(workers, known?.ready);
        entry.ready = workers;
      },
      () => {
        if (this.lists.peek(key) === entry) this.lists.delete(key);
      },
    );
    return entry.ready ?? entry.workers;
  }

  /** The workers of several sub-accounts as one list by name, made anew when one of theirs was read again. */
  async all(ids: readonly number[], algorithm: AlgorithmName, now: number): Promise<Worker[]> {
    const of = await Promise.all(ids.map((id) => this.list(id, algorithm, now)));
    if (of.length === 1) return of[0]!;
    const key = `${ids.join()} ${algorithm}`;
    const known = this.joined.get(key);
    if (known && of.every((list, i) => list === known.of[i])) return known.workers;
    // Each is in this order already, which a sort makes use of.
    const workers = of.flat().sort((a, b) => names.compare(a.name, b.name));
    if (workers.length >= LONG) this.changes.follow(workers, known?.workers);
    this.joined.set(key, { of, workers });
    return workers;
  }

  /** Reads the long lists at the start, one after another, so that the first request need not wait. */
  async warm(now: () => number): Promise<void> {
    const { rows } = await this.pool.query<{ id: number; algorithm: string }>(sql`
      select w.sub_account_id as id, w.algorithm
      from worker w
      join worker_live l on l.sub_account_id = w.sub_account_id and l.worker_id = w.id
      where l.last_share_at > to_timestamp(${now()}::float8) - interval '1 day'
      group by 1, 2
      having count(*) >= ${LONG}
      order by count(*) desc
      limit ${MAX_LISTS}`);
    for (const { id, algorithm } of rows) if (isAlgorithm(algorithm)) await this.list(id, algorithm, now());
  }
}
