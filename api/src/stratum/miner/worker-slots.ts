/**
 * What the workers of one account share: places for their names, and how many shares they may send together. Anybody may
 * name an account, so no place is for ever and no address has them all (docs/adr/0010-strangers.md).
 */
import { Rate } from '../wire/limits';

/** A name mines for so long after a share, in milliseconds: connected or not, it keeps its place. */
const MINES_MS = 3_600_000;
/** Who has just come has so long for a first share. */
const FIRST_SHARE_MS = 600_000;

type Slot = {
  /** That took the place. */
  address: string;
  since: number;
  minedAt: number | null;
  /** Ends a connection, for each there is. */
  connections: Set<() => void>;
};
type Account = { slots: Map<string, Slot>; rate: Rate };

/** One connection's hold on its worker's place. */
export type Place = {
  /** A share of it was accepted. */
  mined(): void;
  /** Connections the worker still has. */
  release(): number;
};

export class WorkerSlots {
  private readonly accounts = new Map<number, Account>();
  constructor(
    private readonly most: number,
    private readonly sharesPerSecond: number,
    private readonly now = () => performance.now(),
  ) {}

  /** Null when the account has too many names and none has to give way. `evict` ends the connection when its place is needed. */
  claim(subAccountId: number, worker: string, address: string, evict: () => void): Place | null {
    const known = this.accounts.get(subAccountId);
    const account = known ?? { slots: new Map<string, Slot>(), rate: new Rate(this.sharesPerSecond) };
    if (!account.slots.has(worker) && account.slots.size >= this.most && !this.makeRoom(account, address)) return null;
    const slot = account.slots.get(worker) ?? { address, since: this.now(), minedAt: null, connections: new Set() };
    account.slots.set(worker, slot);
    this.accounts.set(subAccountId, account);
    // A function of its own: the same one may be given twice.
    const end = (): void => evict();
    slot.connections.add(end);
    return {
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

  /** One share more; false when the account sends too many. A pool of a user's own may ask for next to no work. */
  share(subAccountId: number): boolean {
    return this.accounts.get(subAccountId)?.rate.take() ?? true;
  }

  /** Takes the place of a name that aged out, or of one at the address that holds more than half of the places. */
  private makeRoom({ slots }: Account, address: string): boolean {
    const now = this.now();
    const held = new Map<string, number>();
    for (const slot of slots.values()) held.set(slot.address, (held.get(slot.address) ?? 0) + 1);
    const [crowded] = [...held].find(([, count]) => count * 2 > this.most) ?? [];
    const mines = ({ minedAt }: Slot): boolean => minedAt !== null && now - minedAt <= MINES_MS;
    const agedOut = (slot: Slot): boolean => !mines(slot) && now - slot.since > FIRST_SHARE_MS;
    const [first] = [...slots]
      .filter(([, slot]) => agedOut(slot) || (slot.address === crowded && crowded !== address))
      .sort(([, a], [, b]) => Number(mines(a)) - Number(mines(b)) || b.since - a.since);
    if (!first) return false;
    const [worker, { connections }] = first;
    slots.delete(worker);
    for (const end of [...connections]) end();
    return true;
  }
}
