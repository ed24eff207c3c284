import type { Logger } from './log';

/**
 * Does `work` now and every `ms`, one run at a time; what fails is logged as `failed`. `now` resolves when the run that it
 * begins, or finds, is over; `stop` waits for the last run.
 */
export function every(
  ms: number,
  work: () => Promise<unknown>,
  log: Pick<Logger, 'warn'>,
  failed: string,
): { now(): Promise<unknown>; stop(): Promise<void> } {
  let running: Promise<unknown> | null = null;
  const now = (): Promise<unknown> => {
    running ??= work()
      .catch((error: unknown) => log.warn({ err: error }, failed))
      .finally(() => {
        running = null;
      });
    return running;
  };
  void now();
  const timer = setInterval(() => void now(), ms).unref();
  return {
    now,
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
}
