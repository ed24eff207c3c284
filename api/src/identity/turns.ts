/**
 * Turns at work that fills a processor: a few at a time, a short queue, and nobody may fill it alone. `run` says
 * for whom the work is (an account, an address) and how many turns each may have or wait for; without room it throws `Busy`.
 */
export class Busy extends Error {
  override readonly name = 'Busy';
}

export type Share = readonly [key: string, most: number];

export class Turns {
  private running = 0;
  private readonly queue: (() => void)[] = [];
  private readonly byKey = new Map<string, number>();

  constructor(private readonly limits: { atOnce: number; waiting: number }) {}

  async run<T>(shares: readonly Share[], work: () => Promise<T>): Promise<T> {
    const { atOnce, waiting } = this.limits;
    if (shares.some(([key, most]) => (this.byKey.get(key) ?? 0) >= most)) throw new Busy();
    if (this.running >= atOnce && this.queue.length >= waiting) throw new Busy();
    for (const [key] of shares) this.byKey.set(key, (this.byKey.get(key) ?? 0) + 1);
    try {
      if (this.running >= atOnce) await new Promise<void>((resolve) => this.queue.push(resolve));
      else this.running += 1;
      try {
        return await work();
      } finally {
        // Whoever waits takes the place over.
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
