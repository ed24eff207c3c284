/** In-process events, typed by `PoolEvents`. A lost event is harmless: pages refetch. */
import { EventEmitter } from 'node:events';
import type { PoolEvents } from '@pool/shared/api/contract';
import type { AlgorithmName } from '@pool/shared/domain';

/** Accepted shares of a batch that was counted, and a sample of them; `at`: Unix seconds. */
export type CountedShares = {
  algorithm: AlgorithmName;
  count: number;
  sample: { at: number; difficulty: number }[];
};
/** What open pages are told, and what only the pool's own processes hear. */
type Events = PoolEvents & { shares: CountedShares };
export type BusEvent = { [K in keyof Events]: { type: K; data: Events[K]; userId?: number } }[keyof Events];

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
