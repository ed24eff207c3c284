/** Tells the proxy of what was committed: accounts, lists of upstream pools, ports. In process: all are read again from the database. */
import { EventEmitter } from 'node:events';

export class PoolChanges {
  private readonly emitter = new EventEmitter().setMaxListeners(0);

  /** Lists of these sub-accounts are different now. */
  lists(subAccountIds: readonly number[]): void {
    if (subAccountIds.length) this.emitter.emit('lists', subAccountIds);
  }
  ports(): void {
    this.emitter.emit('ports');
  }
  /** Sub-accounts were deleted, or users disabled or enabled. Miners of those in `reconnect` have to authorise anew. */
  accounts(reconnect: readonly number[] = []): void {
    this.emitter.emit('accounts', reconnect);
  }

  /** These answer the function that unsubscribes. */
  onLists(listener: (subAccountIds: readonly number[]) => void): () => void {
    return this.on('lists', listener);
  }
  onPorts(listener: () => void): () => void {
    return this.on('ports', listener);
  }

  onAccounts(listener: (reconnect: readonly number[]) => void): () => void {
    return this.on('accounts', listener);
  }

  private on(event: 'lists' | 'ports' | 'accounts', listener: (subAccountIds: readonly number[]) => void): () => void {
    this.emitter.on(event, listener);
    return () => this.emitter.off(event, listener);
  }
}
