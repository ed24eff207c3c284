import type { Answer } from '../wire/protocol';

/** `answer` null: it does not come. `ms`: since the call. */
type Done = (answer: Answer | null, ms: number) => void;

/** Shares that wait for an upstream's answer. One timer for all of them: nothing else has a deadline. */
export class Calls {
  private lastId = 0;
  private readonly pending = new Map<number, { sentAt: number; done: Done }>();
  private timer: NodeJS.Timeout | null = null;

  /** `silent`: a call had no answer for `limitMs`. */
  constructor(
    private readonly limitMs: number,
    private readonly silent: () => void,
  ) {}

  get size(): number {
    return this.pending.size;
  }

  newId(): number {
    return ++this.lastId;
  }

  /** Returns the id to call with. */
  add(done: Done): number {
    const id = this.newId();
    this.pending.set(id, { sentAt: performance.now(), done });
    this.watch();
    return id;
  }

  /** What an answer is given to, once; undefined: nobody waits for it. */
  take(id: number): ((answer: Answer) => void) | undefined {
    const call = this.pending.get(id);
    this.pending.delete(id);
    return call && ((answer) => call.done(answer, performance.now() - call.sentAt));
  }

  private watch(): void {
    const { value: oldest } = this.pending.values().next();
    if (this.timer || !oldest) return;
    this.timer = setTimeout(
      () => {
        this.timer = null;
        const { value: first } = this.pending.values().next();
        if (first && performance.now() - first.sentAt >= this.limitMs) this.silent();
        else this.watch();
      },
      Math.max(0, oldest.sentAt + this.limitMs - performance.now()) + 5,
    );
  }

  /** No answer comes any more. */
  end(): void {
    if (this.timer) clearTimeout(this.timer);
    const lost = [...this.pending.values()];
    this.pending.clear();
    for (const { done, sentAt } of lost) done(null, performance.now() - sentAt);
  }
}
