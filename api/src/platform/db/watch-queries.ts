import type pg from 'pg';

/** Calls `begin` with each query of a connection, and what it returns when that has its answer or error. */
export function watchQueries(
  client: pg.ClientBase,
  begin: (first: unknown) => ((error: unknown) => void) | undefined,
): void {
  const query = client.query;
  client.query = ((...args: unknown[]) => {
    const end = begin(args[0]) ?? (() => undefined);
    const last = args.at(-1);
    if (typeof last === 'function')
      args[args.length - 1] = (error: unknown, ...answer: unknown[]) => {
        end(error);
        Reflect.apply(last, undefined, [error, ...answer]);
      };
    const result: unknown = Reflect.apply(query, client, args);
    if (result instanceof Promise) result.then(() => end(null), end);
    else if (typeof last !== 'function') end(null);
    return result;
  }) as typeof query;
}
