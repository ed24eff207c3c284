import { setTimeout } from 'node:timers/promises';

/** A page too many is answered after this time: who loads them without a pause then loads few, and calls are answered. */
export const REFUSED_AFTER_MS = 500;
/** Refused pages that wait; more are answered at once. */
export const REFUSED_WAITING = 1000;

export class LateRefusals {
  private waiting = 0;
  constructor(private readonly sleep: (ms: number) => Promise<unknown> = setTimeout) {}

  /** Resolves when the refusal may be sent. */
  async wait(): Promise<void> {
    if (this.waiting === REFUSED_WAITING) return;
    this.waiting += 1;
    await this.sleep(REFUSED_AFTER_MS);
    this.waiting -= 1;
  }
}
