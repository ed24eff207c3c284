/** What the workers of one account share: their names, and how many shares they may send together. A name that never had a share is given back when its last connection ends. */
import { Rate } from '../wire/limits';

type Slot = { connections: number; kept: boolean };
type Account = { slots: Map<string, Slot>; rate: Rate };

export class WorkerSlots {
  private readonly accounts = new Map<number, Account>();
  constructor(
    private readonly most: number,
    private readonly sharesPerSecond: number,
  ) {}

  /** False when the account has too many names. */
  claim(subAccountId: number, worker: string): boolean {
    const account = this.accounts.get(subAccountId) ?? {
      slots: new Map<string, Slot>(),
      rate: new Rate(this.sharesPerSecond),
    };
    const slot = account.slots.get(worker);
    if (slot) slot.connections += 1;
    else if (account.slots.size >= this.most) return false;
    else account.slots.set(worker, { connections: 1, kept: false });
    this.accounts.set(subAccountId, account);
    return true;
  }

  /** One share more; false when the account sends too many. A pool of a user's own may ask for next to no work. */
  share(subAccountId: number): boolean {
    return this.accounts.get(subAccountId)?.rate.take() ?? true;
  }

  keep(subAccountId: number, worker: string): void {
    const slot = this.accounts.get(subAccountId)?.slots.get(worker);
    if (slot) slot.kept = true;
  }

  /** Connections the worker still has. */
  release(subAccountId: number, worker: string): number {
    const slots = this.accounts.get(subAccountId)?.slots;
    const slot = slots?.get(worker);
    if (!slots || !slot) return 0;
    slot.connections -= 1;
    if (slot.connections === 0 && !slot.kept) slots.delete(worker);
    if (slots.size === 0) this.accounts.delete(subAccountId);
    return slot.connections;
  }
}
