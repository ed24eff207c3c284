/** Tells the proxy of what was committed: lists of upstream pools, ports of sub-accounts. In process: both are read again from the database. */
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

  /** These answer the function that unsubscribes. */
  onLists(listener: (subAccountIds: readonly number[]) => void): () => void {
    return this.on('lists', listener);
  }
  onPorts(listener: () => void): () => void {
    return this.on('ports', listener);
  }

  private on(event: 'lists' | 'ports', listener: (subAccountIds: readonly number[]) => void): () => void {
    this.emitter.on(event, listener);
    return () => this.emitter.off(event, listener);
  }
}
