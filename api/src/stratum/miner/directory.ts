/** Looks up the accounts miners mine for. */
import { LRUCache } from 'lru-cache';
import type { Pool } from 'pg';
import { capacity, TtlCache } from '../../platform/ttl-cache';
import type { PoolChanges } from '../pool-changes';
import type { AccountDirectory, MinerAccount } from '../ports';
import { sql } from '../../platform/db/querier';

/** What is known of the accounts while they cannot be read. */
export type KnownAccounts = {
  account: NonNullable<AccountDirectory['known']>;
  forget(subAccountIds: readonly number[]): void;
};

const SELECT = `
  select s.id as "subAccountId", s.name, s.user_id as "userId", s.miner_password as "minerPassword"
  from sub_account s join app_user u on u.id = s.user_id
  where s.deleted_at is null and not u.disabled`;
type Row = { subAccountId: number; name: string; userId: number; minerPassword: string | null };

/** Every account that may be mined for, by id. */
export const allAccounts = async (pool: Pick<Pool, 'query'>): Promise<Row[]> =>
  (await pool.query<Row>(`${SELECT} order by s.id`)).rows;

export function pgAccountDirectory(
  pool: Pick<Pool, 'query'>,
  changes?: Pick<PoolChanges, 'onAccounts'>,
  known?: KnownAccounts,
): AccountDirectory {
  const read = async (where: string, value: string | number): Promise<Row | null> =>
    (await pool.query<Row>(`${SELECT} and ${where}`, [value])).rows[0] ?? null;
  return {
    find: (name) => read('s.name = $1', name),
    byId: (id) => read('s.id = $1', id),
    known: (by) => known?.account(by) ?? null,
    ownWorkers: async ({ subAccountId, algorithm }) => {
      const { rows } = await pool.query<{ name: string }>(sql`
        select name from worker
        where sub_account_id = ${subAccountId} and algorithm = ${algorithm}
          and (standing = 'owned' or standing is null and created_at < now() - interval '1 day')
        limit ${MAX_OWN_WORKERS}`);
      return new Set(rows.map(({ name }) => name));
    },
    closed: async (ids) => {
      const { rows } = await pool.query<{ id: number }>(sql`
        select s.id from sub_account s join app_user u on u.id = s.user_id
        where s.id = any(${ids}::int[]) and (s.deleted_at is not null or u.disabled)`);
      const closed = rows.map(({ id }) => id);
      known?.forget(closed);
      return closed;
    },
    onChange: (listener) => changes?.onAccounts(listener) ?? (() => undefined),
  };
}

/** More than the machines of the largest account. */
const MAX_OWN_WORKERS = 100_000;
const FRESH_MS = 15_000;
const MAX_ENTRIES = 10_000;
const NO_NAMES: ReadonlySet<string> = new Set();
/** A miner whose account is known waits so long for a database that is silent. */
const PATIENCE_MS = 2000;

/** Rejects when the answer takes longer than `PATIENCE_MS`. */
async function inTime<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), PATIENCE_MS);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}

/** A short cache of one kind of lookup; while lookups fail, the last result is used. */
class CachedLookup<T extends object> {
  private readonly fresh = new TtlCache<T | null>(FRESH_MS, MAX_ENTRIES);
  private readonly lastGood = new LRUCache<string, T>(capacity(MAX_ENTRIES));

  /** `known`: what an earlier process knew. */
  async get(key: string, read: () => Promise<T | null>, known: () => T | null): Promise<T | null> {
    const last = (): T | null => this.lastGood.get(key) ?? known();
    try {
      const answer = this.fresh.get(key, read);
      const found = await (last() ? inTime(answer) : answer);
      if (found) this.lastGood.set(key, found);
      else this.lastGood.delete(key);
      return found;
    } catch (error) {
      const found = last();
      if (found) return found;
      throw error;
    }
  }

  /** Empties the cache, and the last results for which `gone` is true. */
  forget(gone: (known: T) => boolean): void {
    this.fresh.clear();
    for (const [key, known] of this.lastGood.entries()) if (gone(known)) this.lastGood.delete(key);
  }
}

/**
 * Caches lookups, because thousands of miners of one farm reconnect at once. While the database is down, known accounts
 * can still mine.
 */
export class CachedDirectory implements Pick<AccountDirectory, 'find' | 'byId' | 'ownWorkers'> {
  private readonly byName = new CachedLookup<MinerAccount>();
  private readonly ids = new CachedLookup<MinerAccount & { name: string }>();

  private readonly own = new CachedLookup<ReadonlySet<string>>();

  constructor(private readonly directory: Pick<AccountDirectory, 'find' | 'byId' | 'known' | 'ownWorkers'>) {}

  /** Reads every account again when it is next needed; `closed` ones are unknown while reading fails. */
  forget(closed: ReadonlySet<number>): void {
    const gone = ({ subAccountId }: MinerAccount): boolean => closed.has(subAccountId);
    this.byName.forget(gone);
    this.ids.forget(gone);
  }

  find(name: string): ReturnType<AccountDirectory['find']> {
    return this.byName.get(
      name,
      () => this.directory.find(name),
      () => this.directory.known?.(name) ?? null,
    );
  }
  byId(subAccountId: number): ReturnType<AccountDirectory['byId']> {
    return this.ids.get(
      String(subAccountId),
      () => this.directory.byId(subAccountId),
      () => this.directory.known?.(subAccountId) ?? null,
    );
  }
  /** Never rejects: unknown names then share the places. */
  ownWorkers(account: Parameters<AccountDirectory['ownWorkers']>[0]): Promise<ReadonlySet<string>> {
    return this.own
      .get(
        `${account.subAccountId} ${account.algorithm}`,
        () => this.directory.ownWorkers(account),
        () => null,
      )
      .then(
        (names) => names ?? NO_NAMES,
        () => NO_NAMES,
      );
  }
}
