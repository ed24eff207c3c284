/** Accounts a miner may name. */
import type { Pool } from 'pg';
import type { AccountDirectory } from '../pool/types';

export function pgAccountDirectory(pool: Pick<Pool, 'query'>): AccountDirectory {
  return {
    async find(name) {
      const { rows } = await pool.query<{ id: number; user_id: number }>(
        'select s.id, s.user_id from sub_account s join app_user u on u.id = s.user_id where s.name = $1 and s.deleted_at is null and not u.disabled', [name]);
      const [row] = rows;
      return row ? { subAccountId: row.id, userId: row.user_id } : null;
    },
  };
}

type Found = Awaited<ReturnType<AccountDirectory['find']>>;
type Entry = { at: number; answer: Promise<Found> };

const FRESH_MS = 15_000;
const MOST_ENTRIES = 10_000;

/** Remembers answers for a moment: thousands of miners of one farm come back at once. While the database is down, known accounts still mine. */
export class CachedDirectory {
  private readonly entries = new Map<string, Entry>();
  private readonly lastGood = new Map<string, Found>();
  constructor(private readonly directory: AccountDirectory) {}

  async find(name: string): Promise<Found> {
    const known = this.entries.get(name);
    if (known && Date.now() - known.at < FRESH_MS) return known.answer;
    const answer = this.ask(name);
    this.entries.delete(name);
    this.entries.set(name, { at: Date.now(), answer });
    if (this.entries.size > MOST_ENTRIES) this.entries.delete(this.entries.keys().next().value ?? '');
    return answer;
  }

  private async ask(name: string): Promise<Found> {
    try {
      const found = await this.directory.find(name);
      if (found) this.lastGood.set(name, found);
      else this.lastGood.delete(name);
      return found;
    } catch (error) {
      this.entries.delete(name);
      const found = this.lastGood.get(name);
      if (found) return found;
      throw error;
    }
  }
}
