/** Test helper: lets one statement of a piece of work fail, with an error of the database itself. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type pg from 'pg';
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
  /** What is left of the work that runs: statements until the one that fails, and how it fails. */
  private readonly works = new AsyncLocalStorage<{ left: number; failure: Failure }>();
  private turn = 0;

  /** `before`: done before each work. */
  constructor(
    pool: pg.Pool,
    private readonly before: () => Promise<void> | void = () => undefined,
  ) {
    const watched = new WeakSet<pg.PoolClient>();
    pool.on('acquire', (client) => {
      if (watched.has(client)) return;
      watched.add(client);
      const query = client.query;
      client.query = ((...args: unknown[]) => {
        const work = this.works.getStore();
        if (!work || work.left === 0 || (work.left -= 1) > 0) return Reflect.apply(query, client, args);
        if (work.failure === 'lost') {
          cut(client);
          return Reflect.apply(query, client, args);
        }
        const last = args.at(-1);
        if (work.failure === 'unheard') {
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
        const raise = `do $$ begin raise exception 'made for a test' using errcode = '${work.failure}'; end $$`;
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

  /**
   * Lets the `n`th statement of `work` fail, from 1; statements of others do not count. `failed`: it had as many before it
   * ended.
   */
  async during<T>(n: number, failure: Failure, work: () => Promise<T>): Promise<{ answer: T; failed: boolean }> {
    await this.before();
    const state = { left: n, failure };
    try {
      // A request of Fastify's `inject` begins when it is awaited.
      const answer = await this.works.run(state, async () => await work());
      return { answer, failed: state.left === 0 };
    } finally {
      state.left = 0;
    }
  }
}
