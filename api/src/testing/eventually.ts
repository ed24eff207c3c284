/**
 * Test helper: polls until `holds` returns something truthy, which is the result. Rejects after `withinMs`, naming
 * `what` it waited for. Where an event announces the change, wait for the event.
 */
export async function eventually<T>(
  holds: () => T | Promise<T>,
  what: string,
  withinMs = 120_000,
): Promise<Exclude<T, false | null | undefined>> {
  const deadline = performance.now() + withinMs;
  // What is looked at is asked of a server or a database, which have work to do meanwhile.
  for (let pauseMs = 10; ; pauseMs = Math.min(100, pauseMs * 1.2)) {
    const result = await holds();
    if (result) return result as Exclude<T, false | null | undefined>;
    if (performance.now() > deadline) throw new Error(`still not there after ${withinMs / 1000} s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/** Test helper: an error, in place of its result, when `work` takes longer than `withinMs`. */
export async function within<T>(work: Promise<T>, what: () => string, withinMs = 120_000): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`still not there after ${withinMs / 1000} s: ${what()}`)), withinMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
