/** In-process events, typed by `PoolEvents`. A lost event is harmless: pages refetch. */
import { EventEmitter } from 'node:events';
import type { PoolEvents } from '@pool/shared/api/contract';
import type { AlgorithmName } from '@pool/shared/domain';
import type { Pool } from 'pg';
import type { Querier } from './db/querier';
import { afterCommit } from './db/transaction';

/** Accepted shares of a batch that was counted, and a sample of them; `at`: Unix seconds. */
export type CountedShares = {
  algorithm: AlgorithmName;
  count: number;
  sample: { at: number; difficulty: number }[];
};
/** What open pages are told, and what only the pool's own processes hear. `channel`: of the messages that wait. */
type Events = PoolEvents & { shares: CountedShares; queued: { channel: string } };
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

const buses = new WeakMap<Querier, Bus>();
/** Open pages and senders hear from now on, on this bus, of what is written through the pool. */
export const announceOn = (bus: Bus, pool: Pool): unknown => buses.set(pool, bus);
/** Publishes an event once the transaction of `db` is committed. */
export const announce = (db: Querier, event: BusEvent): void =>
  afterCommit(db, (pool) => buses.get(pool)?.publish(event));
