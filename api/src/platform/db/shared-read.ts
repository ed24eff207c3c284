type Running = { ended: Promise<unknown>; next?: Promise<unknown> };
const running = new WeakMap<object, Map<string, Running>>();

/**
 * A read that many may ask for at once. Whoever asks while one runs gets the next one, together with all others who
 * wait: it begins after they asked, so nobody is told what was true before. The callers share the value: do not change
 * it.
 *
 * `owner`: what is read from, such as a pool. `key`: what is read.
 */
export function sharedRead<T>(owner: object, key: string, read: () => Promise<T>): Promise<T> {
  const reads = running.get(owner) ?? new Map<string, Running>();
  running.set(owner, reads);
  const start = (): Promise<T> => {
    const value = read();
    const own: Running = {
      ended: value.then(
        () => undefined,
        () => undefined,
      ),
    };
    reads.set(key, own);
    void own.ended.then(() => own.next ?? reads.delete(key));
    return value;
  };
  const current = reads.get(key);
  if (!current) return start();
  current.next ??= current.ended.then(start);
  return current.next as Promise<T>;
}
