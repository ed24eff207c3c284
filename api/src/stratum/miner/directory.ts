/** Accounts a miner may name. */
import type { Pool } from 'pg';
import type { AccountDirectory } from '../ports';

const SELECT =
  'select s.id, s.name, s.user_id from sub_account s join app_user u on u.id = s.user_id where s.deleted_at is null and not u.disabled and';

export function pgAccountDirectory(pool: Pick<Pool, 'query'>): AccountDirectory {
  const read = async (where: string, value: string | number) => {
    const {
      rows: [row],
    } = await pool.query<{ id: number; name: string; user_id: number }>(`${SELECT} ${where}`, [value]);
    return row ? { name: row.name, subAccountId: row.id, userId: row.user_id } : null;
  };
  return { find: (name) => read('s.name = $1', name), byId: (id) => read('s.id = $1', id) };
}

type Entry<T> = { at: number; answer: Promise<T | null> };

const FRESH_MS = 15_000;
const MOST_ENTRIES = 10_000;

/** Answers of one question, remembered for a moment; what was known holds while asking fails. */
class Remembered<K, T> {
  private readonly entries = new Map<K, Entry<T>>();
  private readonly lastGood = new Map<K, T>();
  constructor(private readonly read: (key: K) => Promise<T | null>) {}

  async get(key: K): Promise<T | null> {
    const known = this.entries.get(key);
    if (known && Date.now() - known.at < FRESH_MS) return known.answer;
    const answer = this.ask(key);
    this.entries.delete(key);
    this.entries.set(key, { at: Date.now(), answer });
    const [oldest] = this.entries.keys();
    if (this.entries.size > MOST_ENTRIES && oldest !== undefined) this.entries.delete(oldest);
    return answer;
  }

  private async ask(key: K): Promise<T | null> {
    try {
      const found = await this.read(key);
      if (found) this.lastGood.set(key, found);
      else this.lastGood.delete(key);
      return found;
    } catch (error) {
      this.entries.delete(key);
      const found = this.lastGood.get(key);
      if (found) return found;
      throw error;
    }
  }
}

/** Thousands of miners of one farm come back at once. While the database is down, known accounts still mine. */
export class CachedDirectory implements AccountDirectory {
  private readonly byName: Remembered<string, { subAccountId: number; userId: number }>;
  private readonly ids: Remembered<number, { name: string; subAccountId: number; userId: number }>;

  constructor(directory: AccountDirectory) {
    this.byName = new Remembered((name) => directory.find(name));
    this.ids = new Remembered((id) => directory.byId(id));
  }

  find(name: string): ReturnType<AccountDirectory['find']> {
    return this.byName.get(name);
  }
  byId(subAccountId: number): ReturnType<AccountDirectory['byId']> {
    return this.ids.get(subAccountId);
  }
}
