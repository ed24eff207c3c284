type Running = { ended: Promise<unknown>; next?: Promise<unknown> };
const running = new WeakMap<object, Map<string, Running>>();

/** A read of `key` from `owner`: callers while one runs share the next one, which begins after they asked. */
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
