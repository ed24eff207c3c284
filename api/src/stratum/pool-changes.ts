/** Events after commits, in this process; nodes/relay.ts tells the others. Listeners read the database again. */
import { EventEmitter } from 'node:events';

export class PoolChanges {
  private readonly emitter = new EventEmitter().setMaxListeners(0);

  /** The lists of these sub-accounts changed. */
  lists(subAccountIds: readonly number[]): void {
    if (subAccountIds.length) this.emitter.emit('lists', subAccountIds);
  }
  ports(): void {
    this.emitter.emit('ports');
  }
  /** Accounts were closed or opened. Miners of those in `reconnect` have to authorise again. */
  accounts(reconnect: readonly number[] = []): void {
    this.emitter.emit('accounts', reconnect);
  }

  /** Sessions of the sign-in service were ended, or, without any, roles, tokens or users changed. */
  callers(endedSessions: readonly string[] = []): void {
    this.emitter.emit('callers', endedSessions);
  }

  /** The `on` functions return the function that unsubscribes. */
  onLists(listener: (subAccountIds: readonly number[]) => void): () => void {
    return this.on('lists', listener);
  }
  onPorts(listener: () => void): () => void {
    return this.on('ports', listener);
  }

  onAccounts(listener: (reconnect: readonly number[]) => void): () => void {
    return this.on('accounts', listener);
  }

  onCallers(listener: (endedSessions: readonly string[]) => void): () => void {
    return this.on('callers', listener);
  }

  private on<T>(event: 'lists' | 'ports' | 'accounts' | 'callers', listener: (changed: T) => void): () => void {
    this.emitter.on(event, listener);
    return () => this.emitter.off(event, listener);
  }
}
