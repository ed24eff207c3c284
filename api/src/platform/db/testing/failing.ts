/** Test helper: lets one statement of a database fail, with an error of the database itself. */
import type pg from 'pg';
import { eventually } from '../../../testing/eventually';
import { cut } from '../bounded';

/** What a database that is full, starting, read-only, broken or too busy says. */
const STATES = [
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

/** A state; `lost`: the connection is lost before the statement; `unheard`: after it, so that its answer is not heard. */
type Failure = string;

export class FailingStatements {
  private left = 0;
  private failure: Failure = 'lost';

  private turn = 0;

  /** `before`: done before each work. */
  constructor(
    private readonly pool: pg.Pool,
    private readonly before: () => Promise<void> | void = () => undefined,
  ) {
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
        if (this.failure === 'unheard') {
          const unheard = (): Error => {
            cut(client);
            return new Error('Connection terminated unexpectedly');
          };
          if (typeof last === 'function')
            return Reflect.apply(
              query,
              client,
              args.with(-1, () => Reflect.apply(last, client, [unheard()])),
            );
          return (Reflect.apply(query, client, args) as Promise<unknown>).then(() => Promise.reject(unheard()));
        }
        const raise = `do $$ begin raise exception 'made for a test' using errcode = '${this.failure}'; end $$`;
        return Reflect.apply(query, client, typeof last === 'function' ? [raise, last] : [raise]);
      }) as typeof query;
    });
  }

  /**
   * Does `work` while its first statement fails, then its second, at most so many, in every way or in one. `work` is told
   * how often it was done; `good`: what came when no statement failed.
   */
  async each<T>(most: number, isWhole: boolean, work: (done: number) => Promise<T>): Promise<{ good: T; bad: T[] }> {
    const bad: T[] = [];
    for (let n = 1; n <= most; n += 1) {
      for (const state of isWhole ? STATES : [STATES[(this.turn += 1) % STATES.length] ?? '']) {
        const { answer, failed } = await this.during(n, state, () => work(bad.length));
        if (!failed) return { good: answer, bad };
        bad.push(answer);
      }
    }
    return { good: await work(bad.length), bad };
  }

  /** Lets the `n`th statement of `work` fail, from 1. `failed`: it had as many. */
  async during<T>(n: number, failure: Failure, work: () => Promise<T>): Promise<{ answer: T; failed: boolean }> {
    await this.before();
    // A sign-in writes some of what it counts after its answer.
    await this.idle();
    this.left = n;
    this.failure = failure;
    try {
      const answer = await work();
      return { answer, failed: this.left === 0 };
    } finally {
      this.left = 0;
      // Statements that were sent beside the one that failed do not count as those of the next work.
      await this.idle();
    }
  }

  private async idle(): Promise<void> {
    const { pool } = this;
    await eventually(() => pool.waitingCount === 0 && pool.idleCount === pool.totalCount, 'an idle database');
  }
}
