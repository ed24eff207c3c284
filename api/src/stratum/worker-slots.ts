/** Names of workers an account may use. A name that never had a share is given back when its last connection ends. */
type Slot = { connections: number; kept: boolean };

export class WorkerSlots {
  private readonly accounts = new Map<number, Map<string, Slot>>();
  constructor(private readonly most: number) {}

  /** False when the account has too many names. */
  claim(subAccountId: number, worker: string): boolean {
    const slots = this.accounts.get(subAccountId) ?? new Map<string, Slot>();
    const slot = slots.get(worker);
    if (slot) slot.connections += 1;
    else if (slots.size >= this.most) return false;
    else slots.set(worker, { connections: 1, kept: false });
    this.accounts.set(subAccountId, slots);
    return true;
  }

  keep(subAccountId: number, worker: string): void {
    const slot = this.accounts.get(subAccountId)?.get(worker);
    if (slot) slot.kept = true;
  }

  /** Connections the worker still has. */
  release(subAccountId: number, worker: string): number {
    const slots = this.accounts.get(subAccountId);
    const slot = slots?.get(worker);
    if (!slots || !slot) return 0;
    slot.connections -= 1;
    if (slot.connections === 0 && !slot.kept) slots.delete(worker);
    if (slots.size === 0) this.accounts.delete(subAccountId);
    return slot.connections;
  }
}
