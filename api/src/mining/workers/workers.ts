/** The workers of sub-accounts: state, hashrates, and the last day. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Pool } from 'pg';
import type { Worker } from '@pool/shared/api/contract';
import { INACTIVE_AFTER_S, isAlgorithm, type AlgorithmName } from '@pool/shared/domain';
import { absencesOf, earliest, windowStart } from '../../accounts/mined-time/mined-time';
import { NO_DAY, Sparks } from '../shares/sparks';
import { ListChanges } from './list-changes';
import { names } from './list-order';
import { LONG, readRows } from './list-rows';
import { factsOf } from './worker-facts';
import { rowsOf, valueOf } from '../../platform/db/querier';

const FRESH_MS = 3000;
/** A long list that expired less than this ago is returned from the cache, and read again in the background. */
const STALE_MS = 12_000;
const MAX_LISTS = 100;
/** `until`: Unix milliseconds until which the list is fresh. `ready`: the list to return without waiting, if any. */
type CachedList = { until: number; workers: Promise<Worker[]>; ready: Worker[] | null };
/** Lists of several sub-accounts, and their workers as one list. */
type JoinedList = { of: readonly Worker[][]; workers: Worker[] };

/** Rows processed before other work in this process gets a turn. */
const ROWS_PER_TURN = 500;

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
    const [{ since, days }, rows, account] = await Promise.all([
      this.sparks.of(subAccountId, algorithm, now, absences),
      readRows(this.pool, subAccountId, algorithm, since5, since60),
      valueOf<string>(this.pool)`select name from sub_account where id = ${subAccountId}`,
    ]);
    const recent = rows.filter(({ lastShareAt }) => lastShareAt !== null && lastShareAt > now - INACTIVE_AFTER_S);
    const mined = { since: earliest(recent.map(({ miningSince }) => ({ since: miningSince }))), absences };
    const times = { algorithm, now, since5, since60, daySince: since, mined };
    rows.sort((a, b) => names.compare(a.name, b.name));
    const workers: Worker[] = [];
    for (const row of rows) {
      if (workers.length % ROWS_PER_TURN === ROWS_PER_TURN - 1) await nextTurn();
      const day = days.get(row.id) ?? NO_DAY;
      const facts = factsOf(row, day, times);
      const worker = { ...facts, account, address: row.address, spark: day.points };
      this.texts.set(worker, `${JSON.stringify(facts).slice(0, -1)},"spark":${day.text}`);
      workers.push(worker);
    }
    return workers;
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
    const rows = await rowsOf<{ id: number; algorithm: string }>(this.pool)`
      select w.sub_account_id as id, w.algorithm
      from worker w
      join worker_live l on l.sub_account_id = w.sub_account_id and l.worker_id = w.id
      where l.last_share_at > to_timestamp(${now()}::float8) - interval '1 day'
      group by 1, 2
      having count(*) >= ${LONG}
      order by count(*) desc
      limit ${MAX_LISTS}`;
    for (const { id, algorithm } of rows) if (isAlgorithm(algorithm)) await this.list(id, algorithm, now());
  }
}
