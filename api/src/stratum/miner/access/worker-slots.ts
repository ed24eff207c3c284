/**
 * Limits that the workers of one account share: places for worker names, and lines a second. Anybody may name an
 * account, so no name keeps its place for ever and no network gets all places (docs/adr/0010-strangers.md).
 */
import { Rate, type Throttle } from '../../wire/limits';

/** Milliseconds a name keeps its place after its last share, connected or not. */
const KEEPS_PLACE_MS = 3_600_000;
/** Milliseconds a new name has for its first share. */
const FIRST_SHARE_MS = 600_000;

type Slot = {
  /** Networks of the first connection. */
  networks: readonly string[];
  since: number;
  minedAt: number | null;
  /** One function per connection, which ends it. */
  connections: Set<() => void>;
};
type Account = { slots: Map<string, Slot>; lines: Rate };

/** One connection's use of its worker's place. */
export type Place = {
  /** Of all connections of the account: a user's own pool may ask for very little work per share. */
  lines: Throttle;
  /** Call when a share of it was accepted. */
  mined(): void;
  /** Call when it has ended. Returns how many connections the worker has left. */
  release(): number;
};

export class WorkerSlots {
  private readonly accounts = new Map<number, Account>();
  constructor(
    private readonly maxWorkers: number,
    private readonly linesPerSecond: number,
    private readonly now = () => performance.now(),
  ) {}

  /**
   * Null when the account has too many names and none can be removed. `evict` ends the connection when its place is
   * needed.
   */
  claim(subAccountId: number, worker: string, networks: readonly string[], evict: () => void): Place | null {
    const known = this.accounts.get(subAccountId);
    const account = known ?? { slots: new Map<string, Slot>(), lines: new Rate(this.linesPerSecond) };
    if (!account.slots.has(worker) && account.slots.size >= this.maxWorkers && !this.makeRoom(account, networks))
      return null;
    const slot = account.slots.get(worker) ?? { networks, since: this.now(), minedAt: null, connections: new Set() };
    account.slots.set(worker, slot);
    this.accounts.set(subAccountId, account);
    // A new function: two connections may pass the same `evict`.
    const end = (): void => evict();
    slot.connections.add(end);
    return {
      lines: account.lines,
      mined: () => {
        slot.minedAt = this.now();
      },
      release: () => {
        slot.connections.delete(end);
        const isIn = account.slots.get(worker) === slot;
        if (isIn && slot.connections.size === 0 && slot.minedAt === null) account.slots.delete(worker);
        if (account.slots.size === 0 && this.accounts.get(subAccountId) === account) this.accounts.delete(subAccountId);
        return slot.connections.size + (isIn ? 0 : (account.slots.get(worker)?.connections.size ?? 0));
      },
    };
  }

  /** Removes a name that expired, or one of a network that holds more than half of the places. */
  private makeRoom({ slots }: Account, networks: readonly string[]): boolean {
    const now = this.now();
    const held = new Map<string, number>();
    for (const slot of slots.values())
      for (const network of slot.networks) held.set(network, (held.get(network) ?? 0) + 1);
    const crowded = [...held].flatMap(([network, count]) =>
      count * 2 > this.maxWorkers && !networks.includes(network) ? [network] : [],
    );
    const mines = ({ minedAt }: Slot): boolean => minedAt !== null && now - minedAt <= KEEPS_PLACE_MS;
    const expired = (slot: Slot): boolean => !mines(slot) && now - slot.since > FIRST_SHARE_MS;
    const [first] = [...slots]
      .filter(([, slot]) => expired(slot) || crowded.some((network) => slot.networks.includes(network)))
      .sort(([, a], [, b]) => Number(mines(a)) - Number(mines(b)) || b.since - a.since);
    if (!first) return false;
    const [worker, { connections }] = first;
    slots.delete(worker);
    for (const end of [...connections]) end();
    return true;
  }
}
