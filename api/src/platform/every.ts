import type { Logger } from './log';

/** Does `work` now and every `ms`, one run at a time; what fails is logged as `failed`. `stop` waits for the last run. */
export function every(
  ms: number,
  work: () => Promise<unknown>,
  log: Pick<Logger, 'warn'>,
  failed: string,
): { now(): void; stop(): Promise<void> } {
  let running: Promise<unknown> | null = null;
  const now = (): void => {
    running ??= work()
      .catch((error: unknown) => log.warn({ err: error }, failed))
      .finally(() => {
        running = null;
      });
  };
  now();
  const timer = setInterval(now, ms).unref();
  return {
    now,
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
}
