/** A cache of values with a lifetime. Concurrent calls for the same key share one read. Failures are not cached. */
import { LRUCache } from 'lru-cache';

/** Options of an LRUCache of so many values. Its own `max` takes the memory of all of them at the start. */
const capacity = (values: number) => ({ maxSize: values, sizeCalculation: () => 1 });

export class TtlCache<T> {
  private readonly values: LRUCache<string, Promise<T>>;

  /** `ms`: lifetime of a value. `max`: number of values; drops the least recently used. */
  constructor(ms: number, max = 1000) {
    this.values = new LRUCache({ ...capacity(max), ttl: ms, ttlResolution: 0 });
  }

  clear(): void {
    this.values.clear();
  }

  forget(key: string): void {
    this.values.delete(key);
  }

  get(key: string, read: () => Promise<T>): Promise<T> {
    const known = this.values.get(key);
    if (known) return known;
    const value = read();
    this.values.set(key, value);
    value.catch(() => {
      if (this.values.peek(key) === value) this.values.delete(key);
    });
    return value;
  }
}
