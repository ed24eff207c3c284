import type { Logger } from './log';

/** Does `work` now and every `ms`; what fails is logged as `failed`. `stop` waits for the last run. */
export function every(
  ms: number,
  work: () => Promise<unknown>,
  log: Pick<Logger, 'warn'>,
  failed: string,
): { stop(): Promise<void> } {
  let running: Promise<unknown> = Promise.resolve();
  const run = (): void => {
    running = work().catch((error: unknown) => log.warn({ err: error }, failed));
  };
  run();
  const timer = setInterval(run, ms).unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
}
