/** Each worker's last difficulty. One that nobody asked for helps where a pool starts too low, and hurts elsewhere. */
import type { AlgorithmName } from '@pool/shared/domain';
import { LRUCache } from 'lru-cache';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { inTime } from '../../platform/in-time';
import { capacity } from '../../platform/ttl-cache';

/** `rate`: difficulty a second; null: unknown. */
export type Last = { difficulty: number; software: string | null; rate: number | null };
/** What the workers of an account did last, by worker. Rejects when it cannot be read. */
export type LastWork = (algorithm: AlgorithmName, subAccountId: number) => Promise<ReadonlyMap<string, Last>>;

/** Mean difficulty of each worker's shares in the ten minutes of its last one, if that was within a week. */
export const pgLastWork =
  (pool: Pick<Pool, 'query'>): LastWork =>
  async (algorithm, subAccountId) => {
    const { rows } = await pool.query<{ name: string; difficulty: number; software: string | null }>({
      name: 'last work',
      text: `
        select w.name, s.difficulty, l.software
        from worker w
        join worker_live l on l.sub_account_id = w.sub_account_id and l.worker_id = w.id
        cross join lateral (
          -- A row for each worker by its key: the planner would read all rows of the account.
          select accepted / shares as difficulty
          from share_10m
          where sub_account_id = w.sub_account_id and worker_id = w.id and shares > 0
            and at = to_timestamp(floor(extract(epoch from l.last_share_at) / 600) * 600)
          limit 1
        ) s
        where w.sub_account_id = $1 and w.algorithm = $2 and l.last_share_at > now() - interval '7 days'`,
      values: [subAccountId, algorithm],
    });
    return new Map(rows.map(({ name, ...last }) => [name, { ...last, rate: null }]));
  };

type Named = { algorithm: AlgorithmName; subAccountId: number; worker: string };
const MAX_WORKERS = 100_000;
const MAX_ACCOUNTS = 10_000;
/** Part of the difficulty that was reached: a start that is too low is raised within seconds. */
const SUGGESTED_PART = 1 / 4;
/** Milliseconds that miners wait for it: without it the search for their difficulty takes seconds as well. */
const WAIT_MS = 1000;

export class LastDifficulties {
  private readonly known = new LRUCache<string, Last>(capacity(MAX_WORKERS));
  /** Accounts and upstreams. */
  private readonly hurting = new LRUCache<string, true>(capacity(MAX_ACCOUNTS));
  /** Accounts whose earlier work was read, or is being read. */
  private readonly accounts = new LRUCache<string, Promise<void>>(capacity(MAX_ACCOUNTS));

  constructor(
    private readonly lastWork: LastWork | undefined,
    private readonly log: Logger,
  ) {}

  /** The rate is that of the same software: another machine may have the worker's name now. */
  get({ algorithm, subAccountId, worker }: Named, software: string | null): Last | null {
    const last = this.known.get(keyOf(algorithm, subAccountId, worker));
    return last?.software === software ? last : null;
  }
  set({ algorithm, subAccountId, worker }: Named, last: Last): void {
    this.known.set(keyOf(algorithm, subAccountId, worker), last);
  }

  /** What may be suggested to this upstream for a machine that reached the difficulty; null: it hurt there. */
  suggestion(difficulty: number, subAccountId: number, url: string): number | null {
    return this.hurting.has(`${subAccountId} ${url}`) ? null : difficulty * SUGGESTED_PART;
  }
  /** What was suggested for a machine of the account led to nothing there. */
  hurts(subAccountId: number, url: string): void {
    this.hurting.set(`${subAccountId} ${url}`, true);
  }

  /** Reads the account's earlier work once. Resolves when it is known, at the latest after a second; never rejects. */
  ready(algorithm: AlgorithmName, subAccountId: number): Promise<void> {
    const key = `${algorithm} ${subAccountId}`;
    const reading = this.accounts.get(key) ?? this.read(key, algorithm, subAccountId);
    this.accounts.set(key, reading);
    return reading;
  }

  private async read(key: string, algorithm: AlgorithmName, subAccountId: number): Promise<void> {
    const done = this.lastWork?.(algorithm, subAccountId).then(
      (found) => {
        for (const [worker, last] of found)
          if (!this.known.has(keyOf(algorithm, subAccountId, worker)))
            this.set({ algorithm, subAccountId, worker }, last);
      },
      (error: unknown) => {
        this.accounts.delete(key);
        this.log.warn({ err: error }, 'what workers mined last cannot be read');
      },
    );
    if (done) await inTime(done, WAIT_MS).catch(() => undefined);
  }
}

const keyOf = (algorithm: AlgorithmName, subAccountId: number, worker: string): string =>
  `${algorithm} ${subAccountId} ${worker}`;
