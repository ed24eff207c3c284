/** Semaphore for work that keeps a processor busy, with a short queue and a limit per key. Throws `Busy`. */
export class Busy extends Error {
  override readonly name = 'Busy';
}

export type Share = readonly [key: string, max: number];

export class Semaphore {
  private running = 0;
  private readonly queue: (() => void)[] = [];
  private readonly byKey = new Map<string, number>();

  constructor(private readonly limits: { atOnce: number; waiting: number }) {}

  async run<T>(shares: readonly Share[], work: () => Promise<T>): Promise<T> {
    const { atOnce, waiting } = this.limits;
    if (shares.some(([key, max]) => (this.byKey.get(key) ?? 0) >= max)) throw new Busy();
    // Nobody waits while a place is free.
    if (this.queue.length >= waiting) throw new Busy();
    for (const [key] of shares) this.byKey.set(key, (this.byKey.get(key) ?? 0) + 1);
    try {
      if (this.running >= atOnce) await new Promise<void>((resolve) => this.queue.push(resolve));
      else this.running += 1;
      try {
        return await work();
      } finally {
        // The next one takes over the place.
        const next = this.queue.shift();
        if (next) next();
        else this.running -= 1;
      }
    } finally {
      for (const [key] of shares) {
        const left = (this.byKey.get(key) ?? 1) - 1;
        if (left > 0) this.byKey.set(key, left);
        else this.byKey.delete(key);
      }
    }
  }
}
