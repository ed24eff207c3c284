/** Answers kept for a moment: who asks for the same meanwhile waits for the same one. Failures are not kept. */
import { LRUCache } from 'lru-cache';

export class Remembered<T> {
  private readonly answers: LRUCache<string, Promise<T>>;

  /** `ms`: how long an answer is good; `most`: how many are kept, the longest unused goes first. */
  constructor(ms: number, most = 1000) {
    this.answers = new LRUCache({ max: most, ttl: ms, ttlResolution: 0 });
  }

  clear(): void {
    this.answers.clear();
  }

  get(key: string, read: () => Promise<T>): Promise<T> {
    const known = this.answers.get(key);
    if (known) return known;
    const answer = read();
    this.answers.set(key, answer);
    answer.catch(() => {
      if (this.answers.peek(key) === answer) this.answers.delete(key);
    });
    return answer;
  }
}
