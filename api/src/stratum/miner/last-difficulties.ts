/** Difficulty at which each worker mined last: of this run of the server in memory, of an earlier one from its shares. */
import type { AlgorithmName } from '@pool/shared/domain';
import { LRUCache } from 'lru-cache';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { capacity } from '../../ttl-cache';

/** What the workers of an account did last: the difficulty of their shares by worker. Rejects when it cannot be read. */
export type LastWork = (algorithm: AlgorithmName, subAccountId: number) => Promise<ReadonlyMap<string, number>>;

/** Mean difficulty of each worker's shares in the ten minutes of its last one, if that was within a week. */
export const pgLastWork =
  (pool: Pick<Pool, 'query'>): LastWork =>
  async (algorithm, subAccountId) => {
    const { rows } = await pool.query<{ name: string; difficulty: number }>({
      name: 'last work',
      text: `
        select w.name, s.difficulty
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
    return new Map(rows.map(({ name, difficulty }) => [name, difficulty]));
  };

const MAX_WORKERS = 100_000;
const MAX_ACCOUNTS = 10_000;
/** Milliseconds that miners wait for it: without it the search for their difficulty takes seconds as well. */
const WAIT_MS = 1000;

export class LastDifficulties {
  private readonly known = new LRUCache<string, number>(capacity(MAX_WORKERS));
  /** Accounts whose earlier work was read, or is being read. */
  private readonly accounts = new LRUCache<string, Promise<void>>(capacity(MAX_ACCOUNTS));

  constructor(
    private readonly lastWork: LastWork | undefined,
    private readonly log: Logger,
  ) {}

  get(algorithm: AlgorithmName, subAccountId: number, worker: string): number | null {
    return this.known.get(keyOf(algorithm, subAccountId, worker)) ?? null;
  }
  set(algorithm: AlgorithmName, subAccountId: number, worker: string, difficulty: number): void {
    this.known.set(keyOf(algorithm, subAccountId, worker), difficulty);
  }

  /** Reads the account's earlier work once. Resolves when it is known, at the latest after a second; never rejects. */
  ready(algorithm: AlgorithmName, subAccountId: number): Promise<void> {
    const key = `${algorithm} ${subAccountId}`;
    const reading = this.accounts.get(key) ?? this.read(key, algorithm, subAccountId);
    this.accounts.set(key, reading);
    return reading;
  }

  private async read(key: string, algorithm: AlgorithmName, subAccountId: number): Promise<void> {
    const found = this.lastWork?.(algorithm, subAccountId).then(
      (difficulties) => {
        for (const [worker, difficulty] of difficulties)
          if (this.get(algorithm, subAccountId, worker) === null) this.set(algorithm, subAccountId, worker, difficulty);
      },
      (error: unknown) => {
        this.accounts.delete(key);
        this.log.warn({ err: error }, 'what workers mined last cannot be read');
      },
    );
    let timer: NodeJS.Timeout | undefined;
    const waited = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, WAIT_MS);
    });
    await Promise.race([found, waited]);
    clearTimeout(timer);
  }
}

const keyOf = (algorithm: AlgorithmName, subAccountId: number, worker: string): string =>
  `${algorithm} ${subAccountId} ${worker}`;
