/** Publishes events after a batch. Each `workers` makes open pages read the list again, so they are seldom. */
import type { Pool } from 'pg';
import { isAlgorithm } from '@pool/shared/domain';
import type { Bus } from '../../platform/bus';
import { traceparent } from '../../platform/traces/traces';
import type { Share } from '../../stratum/ports';
import { sampled } from './recent-shares';
import { workerKey } from './rollup';
import { rowsOf } from '../../platform/db/querier';

type Place = { subAccountId: number; algorithm: string };
type Account = { name: string; userId: number };

const LIST_INTERVAL_MS = 15_000;
const MANY = 1000;

export class Announcer {
  private readonly accounts = new Map<number, Account>();
  private readonly listAt = new Map<string, number>();
  constructor(
    private readonly pool: Pool,
    private readonly bus?: Bus,
  ) {}

  /** Tells the pool's processes of a batch, without whose it was. */
  shares(shares: readonly Share[]): void {
    for (const data of sampled(shares)) this.bus?.publish({ type: 'shares', data });
  }

  async counted(buckets: readonly (Place & { worker: string })[], made: ReadonlySet<string>): Promise<void> {
    const withNew = new Set(buckets.filter((bucket) => made.has(workerKey(bucket))).map(placeKey));
    const sizes = new Map<string, number>();
    for (const bucket of buckets) sizes.set(placeKey(bucket), (sizes.get(placeKey(bucket)) ?? 0) + 1);
    const now = performance.now();
    for (const { place, account } of await this.places(buckets)) {
      const data = { account: account.name, algorithm: place.algorithm, traceparent: traceparent() };
      this.bus?.publish({ type: 'hashrate', data, userId: account.userId });
      const key = placeKey(place);
      const interval = (sizes.get(key) ?? 0) > MANY ? 2 * LIST_INTERVAL_MS : LIST_INTERVAL_MS;
      if (!withNew.has(key) && now - (this.listAt.get(key) ?? -Infinity) < interval) continue;
      this.listAt.set(key, now);
      this.bus?.publish({ type: 'workers', data, userId: account.userId });
    }
  }

  async connections(lives: readonly Place[]): Promise<void> {
    for (const { place, account } of await this.places(lives)) {
      this.bus?.publish({
        type: 'workers',
        data: { account: account.name, algorithm: place.algorithm },
        userId: account.userId,
      });
    }
  }

  private async places(rows: readonly Place[]): Promise<{ place: Place; account: Account }[]> {
    if (!this.bus || rows.length === 0) return [];
    const places = new Map(rows.filter((row) => isAlgorithm(row.algorithm)).map((row) => [placeKey(row), row]));
    const unknown = [...new Set([...places.values()].map((p) => p.subAccountId))].filter(
      (id) => !this.accounts.has(id),
    );
    if (unknown.length) {
      // A lost event is harmless, but counting must not fail because of it.
      const found = await rowsOf<Account & { id: number }>(this.pool)`
        select id, name, user_id from sub_account where id = any(${unknown}::int[])`.catch(() => []);
      for (const { id, ...account } of found) this.accounts.set(id, account);
    }
    return [...places.values()].flatMap((place) => {
      const account = this.accounts.get(place.subAccountId);
      return account ? [{ place, account }] : [];
    });
  }
}

const placeKey = ({ subAccountId, algorithm }: Place): string => `${subAccountId} ${algorithm}`;
