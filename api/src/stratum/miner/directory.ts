/** Looks up the accounts miners mine for. */
import { LRUCache } from 'lru-cache';
import type { Pool } from 'pg';
import { Remembered } from '../../remembered';
import type { PoolChanges } from '../../upstreams/pool-changes';
import type { AccountDirectory, MinerAccount } from '../ports';

const SELECT = `
  select s.id, s.name, s.user_id, s.miner_password
  from sub_account s join app_user u on u.id = s.user_id
  where s.deleted_at is null and not u.disabled and`;

export function pgAccountDirectory(
  pool: Pick<Pool, 'query'>,
  changes?: Pick<PoolChanges, 'onAccounts'>,
): AccountDirectory {
  const read = async (where: string, value: string | number) => {
    const {
      rows: [row],
    } = await pool.query<{ id: number; name: string; user_id: number; miner_password: string | null }>(
      `${SELECT} ${where}`,
      [value],
    );
    return row
      ? { name: row.name, subAccountId: row.id, userId: row.user_id, minerPassword: row.miner_password }
      : null;
  };
  return {
    find: (name) => read('s.name = $1', name),
    byId: (id) => read('s.id = $1', id),
    closed: async (ids) => {
      const { rows } = await pool.query<{ id: number }>(
        `select s.id from sub_account s join app_user u on u.id = s.user_id
         where s.id = any($1::int[]) and (s.deleted_at is not null or u.disabled)`,
        [ids],
      );
      return rows.map(({ id }) => id);
    },
    onChange: (listener) => changes?.onAccounts(listener) ?? (() => undefined),
  };
}

const FRESH_MS = 15_000;
const MAX_ENTRIES = 10_000;

/** A short cache of one kind of lookup; while lookups fail, the last result is used. */
class CachedLookup<T extends object> {
  private readonly fresh = new Remembered<T | null>(FRESH_MS, MAX_ENTRIES);
  private readonly lastGood = new LRUCache<string, T>({ max: MAX_ENTRIES });

  async get(key: string, read: () => Promise<T | null>): Promise<T | null> {
    try {
      const found = await this.fresh.get(key, read);
      if (found) this.lastGood.set(key, found);
      else this.lastGood.delete(key);
      return found;
    } catch (error) {
      const found = this.lastGood.get(key);
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
export class CachedDirectory implements Pick<AccountDirectory, 'find' | 'byId'> {
  private readonly byName = new CachedLookup<MinerAccount>();
  private readonly ids = new CachedLookup<MinerAccount & { name: string }>();

  constructor(private readonly directory: Pick<AccountDirectory, 'find' | 'byId'>) {}

  /** Reads every account again when it is next needed; `closed` ones are unknown while reading fails. */
  forget(closed: ReadonlySet<number>): void {
    const gone = ({ subAccountId }: MinerAccount): boolean => closed.has(subAccountId);
    this.byName.forget(gone);
    this.ids.forget(gone);
  }

  find(name: string): ReturnType<AccountDirectory['find']> {
    return this.byName.get(name, () => this.directory.find(name));
  }
  byId(subAccountId: number): ReturnType<AccountDirectory['byId']> {
    return this.ids.get(String(subAccountId), () => this.directory.byId(subAccountId));
  }
}
