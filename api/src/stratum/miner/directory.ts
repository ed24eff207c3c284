import type { Pool } from 'pg';
import { inTime } from '../../platform/in-time';
import { TtlCache } from '../../platform/ttl-cache';
import type { PoolChanges } from '../pool-changes';
import type { AccountDirectory, MinerAccount } from '../ports';
import { type Querier, raw, rowsOf, valuesOf } from '../../platform/db/querier';

/** What is known of the accounts while they cannot be read. */
export type KnownAccounts = {
  account: NonNullable<AccountDirectory['known']>;
  forget(subAccountIds: readonly number[]): void;
};

const SELECT = `
  select s.id as sub_account_id, s.name, s.user_id, s.miner_password
  from sub_account s join app_user u on u.id = s.user_id
  where s.deleted_at is null and not u.disabled`;

/** Every account that may be mined for, by id. */
export const allAccounts = (db: Querier): Promise<MinerAccount[]> =>
  rowsOf<MinerAccount>(db)`${raw(SELECT)} order by s.id`;

export function pgAccountDirectory(
  pool: Pick<Pool, 'query'>,
  changes?: Pick<PoolChanges, 'onAccounts'>,
  known?: KnownAccounts,
): AccountDirectory {
  const read = async (where: string, value: string | number): Promise<MinerAccount | null> =>
    (await rowsOf<MinerAccount>(pool, `${SELECT} and ${where}`, [value]))[0] ?? null;
  return {
    find: (name) => read('s.name = $1', name),
    byId: (id) => read('s.id = $1', id),
    known: (by) => known?.account(by) ?? null,
    ownWorkers: async ({ subAccountId, algorithm }) => {
      const names = await valuesOf<string>(pool)`
        select name from worker
        where sub_account_id = ${subAccountId} and algorithm = ${algorithm}
          and (standing = 'owned' or standing is null and created_at < now() - interval '1 day')
        limit ${MAX_OWN_WORKERS}`;
      return new Set(names);
    },
    closed: async (ids) => {
      const closed = await valuesOf<number>(pool)`
        select id from unnest(${ids}::int[]) id where id not in (select sub_account_id from (${raw(SELECT)}) open)`;
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

/** Cached lookups: a farm reconnects at once. While the database is down, known accounts can still mine. */
export class CachedDirectory implements Pick<AccountDirectory, 'find' | 'byId' | 'ownWorkers'> {
  private readonly accounts = new TtlCache<MinerAccount | null>(FRESH_MS, MAX_ENTRIES);
  private readonly own = new TtlCache<ReadonlySet<string>>(FRESH_MS, MAX_ENTRIES);

  constructor(private readonly directory: Pick<AccountDirectory, 'find' | 'byId' | 'known' | 'ownWorkers'>) {}

  /** Reads every account again when it is next needed. */
  forget(): void {
    this.accounts.clear();
  }

  find(name: string): Promise<MinerAccount | null> {
    return this.get(name, () => this.directory.find(name));
  }
  byId(subAccountId: number): Promise<MinerAccount | null> {
    return this.get(subAccountId, () => this.directory.byId(subAccountId));
  }
  /** Never rejects: unknown names then share the places. */
  ownWorkers(account: Parameters<AccountDirectory['ownWorkers']>[0]): Promise<ReadonlySet<string>> {
    const key = `${account.subAccountId} ${account.algorithm}`;
    return this.own.get(key, () => this.directory.ownWorkers(account)).catch(() => NO_NAMES);
  }

  private get(by: string | number, read: () => Promise<MinerAccount | null>): Promise<MinerAccount | null> {
    const answer = this.accounts.get(String(by), read);
    const known = this.directory.known?.(by);
    return known ? inTime(answer, PATIENCE_MS).catch(() => known) : answer;
  }
}
