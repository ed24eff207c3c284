import type { Logger } from '../platform/log';

/** Stops the started parts in reverse order, also after a failed start. */
export class Shutdown {
  private readonly steps: (() => Promise<unknown>)[] = [];
  add(step: () => Promise<unknown>): void {
    this.steps.unshift(step);
  }
  /** Stops the part, which is returned. */
  part<Part extends { stop(): Promise<unknown> }>(part: Part): Part {
    this.add(() => part.stop());
    return part;
  }
  addLast(step: () => Promise<unknown>): void {
    this.steps.push(step);
  }
  async run(log: Logger): Promise<void> {
    for (const step of this.steps.splice(0))
      await step().catch((error: unknown) => log.error({ err: error }, 'while stopping'));
  }
}
