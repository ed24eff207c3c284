/** In-process events, typed by `PoolEvents`. A lost event is harmless: pages refetch. */
import { EventEmitter } from 'node:events';
import type { PoolEvents } from '@pool/shared/api/contract';

export type BusEvent = { [K in keyof PoolEvents]: { type: K; data: PoolEvents[K]; userId?: number } }[keyof PoolEvents];

export class Bus {
  private readonly emitter = new EventEmitter().setMaxListeners(0);
  publish(event: BusEvent): void {
    this.emitter.emit('event', event);
  }
  /** Returns the function that unsubscribes. */
  subscribe(listener: (event: BusEvent) => void): () => void {
    this.emitter.on('event', listener);
    return () => this.emitter.off('event', listener);
  }
}
