/** A file of accounts, pools and ports, secrets encrypted or hashed: it serves miners while PostgreSQL is away. */
import { readFileSync } from 'node:fs';
import type { Pool } from 'pg';
import type { AlgorithmName } from '@pool/shared/domain';
import { asInCode } from '../../platform/db/querier';
import { transaction } from '../../platform/db/transaction';
import { writeWhole } from '../../platform/files';
import type { Logger } from '../../platform/log';
import { allAccounts } from '../../stratum/miner/directory';
import type { MinerAccount, OwnPort } from '../../stratum/ports';
import { allPorts } from './own-ports';
import type { PoolChanges } from '../../stratum/pool-changes';
import { allPools, type ListedPool } from './pool-lists';

export const SNAPSHOT_FILE = 'snapshot.json';
/** Changes of one request come together. */
const AFTER_CHANGE_MS = 500;

/** The file as its own server writes it. */
type Facts = {
  version: 2;
  /** Id of the database: another one has other accounts with the same ids. */
  database: string;
  accounts: MinerAccount[];
  pools: ListedPool[];
  ports: OwnPort[];
};

export type SnapshotOptions = {
  file: string;
  /** Address of the database, without user and password. */
  database: string;
  log: Logger;
  everyMs: number;
};

export class Snapshot {
  private facts: Facts | null = null;
  private byName = new Map<string, MinerAccount>();
  private byId = new Map<number, MinerAccount>();
  private written = '';
  private timer: NodeJS.Timeout | null = null;
  private running: Promise<void> = Promise.resolve();
  private stopped = false;
  private changes: PoolChanges | null = null;
  /** Lists as those who use them last read them, and ports as they were last seen here. */
  private readonly inUse = new Map<string, { subAccountId: number; list: string }>();
  private seenPorts: string | null = null;

  constructor(private readonly options: SnapshotOptions) {
    try {
      const text = readFileSync(options.file, 'utf8');
      const facts = JSON.parse(text) as Omit<Facts, 'version'> & { version: number };
      if (![1, 2].includes(facts.version) || facts.database !== options.database) return;
      this.written = text;
      // Version 1 has the pools' columns by their names in the database.
      this.use({ ...facts, version: 2, pools: asInCode<ListedPool>(facts.pools) });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
        options.log.warn({ err: error, file: options.file }, 'the snapshot of accounts cannot be read');
    }
  }

  get isEmpty(): boolean {
    return this.facts === null;
  }

  /** Account by name or id; null: unknown. */
  account(by: string | number): MinerAccount | null {
    return (typeof by === 'string' ? this.byName.get(by) : this.byId.get(by)) ?? null;
  }

  /** Enabled pools of the sub-account, best first; null: the sub-account is unknown. */
  pools(subAccountId: number, of: AlgorithmName): ListedPool[] | null {
    if (!this.byId.has(subAccountId)) return null;
    return this.facts?.pools.filter((pool) => pool.subAccountId === subAccountId && pool.algorithm === of) ?? null;
  }

  /** Somebody uses this list, as it was read just now. */
  uses(subAccountId: number, of: AlgorithmName, pools: readonly ListedPool[]): void {
    this.inUse.set(keyOf(subAccountId, of), { subAccountId, list: JSON.stringify(pools) });
  }

  ports(): OwnPort[] | null {
    return this.facts?.ports ?? null;
  }

  /** These sub-accounts are closed or changed: unknown until they are read again. */
  forget(subAccountIds: readonly number[]): void {
    if (!this.facts || subAccountIds.length === 0) return;
    const gone = new Set(subAccountIds);
    const { accounts, pools } = this.facts;
    this.use({
      ...this.facts,
      accounts: accounts.filter(({ subAccountId }) => !gone.has(subAccountId)),
      pools: pools.filter(({ subAccountId }) => !gone.has(subAccountId)),
    });
    this.running = this.running.then(() => this.write());
  }

  /** Reads the database again from now on, by time and when a change is announced; announces what it finds changed by others. */
  follow(pool: Pool, changes: PoolChanges): void {
    this.changes = changes;
    changes.onAccounts((reconnect) => {
      this.forget(reconnect);
      this.plan(pool, AFTER_CHANGE_MS);
    });
    changes.onLists((ids) => {
      this.forget(ids);
      this.plan(pool, AFTER_CHANGE_MS);
    });
    changes.onPorts(() => this.plan(pool, AFTER_CHANGE_MS));
    this.plan(pool, 0);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    if (this.timer) clearTimeout(this.timer);
    await this.running;
  }

  private plan(pool: Pool, ms: number): void {
    if (this.stopped) return;
    if (this.timer) clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.running = this.running.then(() => this.renew(pool)).finally(() => this.plan(pool, this.options.everyMs));
    }, ms).unref();
  }

  /** Reads everything again. While the database is away, everything stays. */
  private async renew(pool: Pool): Promise<void> {
    try {
      const [accounts, pools, ports] = await transaction(pool, async (client) => {
        // An account that is closed between two reads must not look like one without pools.
        await client.query('set transaction isolation level repeatable read');
        return [await allAccounts(client), await allPools(client), await allPorts(client)];
      });
      this.use({ version: 2, database: this.options.database, accounts, pools, ports });
      this.tellChanges(pools, ports);
    } catch (error) {
      this.options.log.debug({ err: error }, 'the snapshot of accounts was not renewed');
      return;
    }
    await this.write();
  }

  /** Tells of each list that changed since its users last read it; a list without users is told of once. */
  private tellChanges(pools: readonly ListedPool[], ports: readonly OwnPort[]): void {
    const lists = new Map<string, ListedPool[]>();
    for (const pool of pools) {
      const key = keyOf(pool.subAccountId, pool.algorithm);
      lists.set(key, [...(lists.get(key) ?? []), pool]);
    }
    const changed = [...this.inUse].filter(([key, { list }]) => list !== JSON.stringify(lists.get(key) ?? []));
    for (const [key] of changed) this.inUse.delete(key);
    this.changes?.lists([...new Set(changed.map(([, { subAccountId }]) => subAccountId))]);
    const before = this.seenPorts;
    this.seenPorts = JSON.stringify(ports);
    if (before !== null && before !== this.seenPorts) this.changes?.ports();
  }

  private use(facts: Facts): void {
    this.facts = facts;
    this.byName = new Map(facts.accounts.map((account) => [account.name, account]));
    this.byId = new Map(facts.accounts.map((account) => [account.subAccountId, account]));
  }

  /** Replaces the file as a whole: a cut-off write leaves the old one. */
  private async write(): Promise<void> {
    const text = JSON.stringify(this.facts);
    if (text === this.written) return;
    const { file, log } = this.options;
    try {
      await writeWhole(file, Buffer.from(text));
      this.written = text;
    } catch (error) {
      log.warn({ err: error }, 'the snapshot of accounts cannot be written');
    }
  }
}

const keyOf = (subAccountId: number, algorithm: AlgorithmName): string => `${subAccountId} ${algorithm}`;
