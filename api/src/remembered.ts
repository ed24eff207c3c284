/** Answers kept for a moment: who asks for the same meanwhile waits for the same one. Failures are not kept. */
export class Remembered<T> {
  private readonly answers = new Map<string, { until: number; answer: Promise<T> }>();

  /** `ms`: how long an answer is good; `most`: how many are kept, the oldest goes first. */
  constructor(
    private readonly ms: number,
    private readonly most = 1000,
  ) {}

  clear(): void {
    this.answers.clear();
  }

  get(key: string, read: () => Promise<T>): Promise<T> {
    const known = this.answers.get(key);
    if (known && known.until > Date.now()) return known.answer;
    const answer = read();
    this.answers.delete(key);
    this.answers.set(key, { until: Date.now() + this.ms, answer });
    if (this.answers.size > this.most) this.answers.delete(this.answers.keys().next().value ?? '');
    answer.catch(() => {
      if (this.answers.get(key)?.answer === answer) this.answers.delete(key);
    });
    return answer;
  }
}
