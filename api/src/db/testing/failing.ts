/** For tests: lets one statement of a database fail, with an error of the database itself. */
import type pg from 'pg';
import { eventually } from '../../testing/eventually';
import { cut } from '../bounded';

/** What a database that is full, starting, read-only, broken or too busy says. */
export const STATES = [
  '53100',
  '53200',
  '53300',
  '57P01',
  '57P03',
  '58030',
  '25006',
  '57014',
  '08006',
  '55P03',
  '40001',
  '40P01',
];

/** `lost`: the connection is. */
type Failure = (typeof STATES)[number] | 'lost';

export class FailingStatements {
  private left = 0;
  private failure: Failure = 'lost';

  constructor(private readonly pool: pg.Pool) {
    const watched = new WeakSet<pg.PoolClient>();
    pool.on('acquire', (client) => {
      if (watched.has(client)) return;
      watched.add(client);
      const query = client.query;
      client.query = ((...args: unknown[]) => {
        if (this.left === 0 || (this.left -= 1) > 0) return Reflect.apply(query, client, args);
        if (this.failure === 'lost') {
          cut(client);
          return Reflect.apply(query, client, args);
        }
        const last = args.at(-1);
        const raise = `do $$ begin raise exception 'made for a test' using errcode = '${this.failure}'; end $$`;
        return Reflect.apply(query, client, typeof last === 'function' ? [raise, last] : [raise]);
      }) as typeof query;
    });
  }

  /** Lets the `n`th statement of `work` fail, from 1. `failed`: it had as many. */
  async during<T>(n: number, failure: Failure, work: () => Promise<T>): Promise<{ answer: T; failed: boolean }> {
    this.left = n;
    this.failure = failure;
    try {
      const answer = await work();
      return { answer, failed: this.left === 0 };
    } finally {
      this.left = 0;
      // What was asked for beside the one that failed is not of the next work.
      const { pool } = this;
      await eventually(() => pool.waitingCount === 0 && pool.idleCount === pool.totalCount, 'an idle database');
    }
  }
}
