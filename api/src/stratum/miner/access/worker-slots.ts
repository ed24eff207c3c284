/** Places for the worker names of an account, shared between networks by work (docs/adr/0010-strangers.md). */
import type { AlgorithmName } from '@pool/shared/domain';
import { networksOf } from '../../../platform/network-of';

/** Milliseconds after which a name without a share loses its place. Half of its work is forgotten in this time. */
const KEEPS_PLACE_MS = 3_600_000;

type Slot = {
  /** Network of the last share; before the first one that of the first connection. */
  network: string;
  /** The owner knows the name: it needs no place. */
  own: boolean;
  /** Difficulty of the accepted shares, as it counted at `at`. */
  work: number;
  /** Time of the last accepted share, or of the first connection. */
  at: number;
  /** One function per connection, which ends it. */
  connections: Set<() => void>;
};
type Slots = Map<string, Slot>;

/** One connection's use of its worker's place. */
export type Place = {
  /** Call when a share of it was accepted. */
  mined(difficulty: number): void;
  /** Call when it has ended. Returns how many connections the worker has left. */
  release(): number;
};

export type Claim = {
  subAccountId: number;
  algorithm: AlgorithmName;
  worker: string;
  address: string;
  /** Names that the owner knows; needed when the account `isFull`. */
  own: ReadonlySet<string>;
  /** Ends the connection when its place is needed. */
  evict(): void;
};

const keyOf = ({ subAccountId, algorithm }: Pick<Claim, 'subAccountId' | 'algorithm'>): string =>
  `${subAccountId} ${algorithm}`;
/** The address; for IPv6 the site, because one customer may have all addresses of it. */
const siteOf = (address: string): string => networksOf(address).at(-1)?.network ?? address;

export class WorkerSlots {
  private readonly accounts = new Map<string, Slots>();

  constructor(
    private readonly maxWorkers: number,
    private readonly now = () => performance.now(),
  ) {}

  isFull(account: Pick<Claim, 'subAccountId' | 'algorithm'>): boolean {
    return (this.accounts.get(keyOf(account))?.size ?? 0) >= this.maxWorkers;
  }

  /** Null when the account is full and the claim's own network has the least right to its places. */
  claim(claim: Claim): Place | null {
    const { worker, own, evict } = claim;
    const key = keyOf(claim);
    const network = siteOf(claim.address);
    const slots = this.accounts.get(key) ?? new Map<string, Slot>();
    if (!slots.has(worker) && slots.size >= this.maxWorkers) {
      for (const [name, slot] of slots) slot.own = own.has(name);
      if (!own.has(worker) && !this.makeRoom(slots, network)) return null;
    }
    const fresh = { network, own: own.has(worker), work: 0, at: this.now(), connections: new Set<() => void>() };
    const slot = slots.get(worker) ?? fresh;
    slots.set(worker, slot);
    this.accounts.set(key, slots);
    // A new function: two connections may pass the same `evict`.
    const end = (): void => evict();
    slot.connections.add(end);
    return {
      mined: (difficulty) => {
        const at = this.now();
        Object.assign(slot, { work: workOf(slot, at) + difficulty, at, network });
      },
      release: () => {
        slot.connections.delete(end);
        const isIn = slots.get(worker) === slot;
        if (isIn && slot.connections.size === 0 && slot.work === 0) slots.delete(worker);
        if (slots.size === 0 && this.accounts.get(key) === slots) this.accounts.delete(key);
        return slot.connections.size + (isIn ? 0 : (slots.get(worker)?.connections.size ?? 0));
      },
    };
  }

  /** Ends all connections of a name and frees its place. */
  dismiss(account: Pick<Claim, 'subAccountId' | 'algorithm'>, worker: string): void {
    const slots = this.accounts.get(keyOf(account));
    if (slots) remove(slots, worker);
  }

  /** Removes an expired name, or the one with the least work of the network furthest above its share. */
  private makeRoom(slots: Slots, newcomer: string): boolean {
    const now = this.now();
    const strangers = [...slots].filter(([, { own }]) => !own);
    if (strangers.length < this.maxWorkers) return true;
    const expired = strangers.find(([, { at }]) => now - at > KEEPS_PLACE_MS);
    if (expired) return remove(slots, expired[0]);
    const networks = new Map([[newcomer, { names: 1, work: 0 }]]);
    let total = 0;
    for (const [, slot] of strangers) {
      const sum = networks.get(slot.network) ?? { names: 0, work: 0 };
      const work = workOf(slot, now);
      networks.set(slot.network, { names: sum.names + 1, work: sum.work + work });
      total += work;
    }
    const excess = ({ names, work }: { names: number; work: number }): number => {
      const equal = 1 / networks.size;
      return names - (this.maxWorkers / 2) * (equal + (total > 0 ? work / total : equal));
    };
    const [crowd] = [...networks].reduce((most, one) => (excess(one[1]) > excess(most[1]) ? one : most));
    if (crowd === newcomer) return false;
    const [worker] = strangers
      .filter(([, { network }]) => network === crowd)
      .reduce((least, one) => (workOf(one[1], now) <= workOf(least[1], now) ? one : least));
    return remove(slots, worker);
  }
}

const workOf = ({ work, at }: Slot, now: number): number => work * 2 ** ((at - now) / KEEPS_PLACE_MS);

function remove(slots: Slots, worker: string): true {
  const connections = [...(slots.get(worker)?.connections ?? [])];
  slots.delete(worker);
  for (const end of connections) end();
  return true;
}
