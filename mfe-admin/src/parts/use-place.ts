import { useSearchParams } from '@pool/shared/router';

type Change = Record<string, string | undefined>;

/**
 * The page's place in the URL, which links share and Back restores. `set`: undefined or an empty text removes a
 * parameter; `replace` makes no entry in the browser's history.
 */
export function usePlace() {
  const [params, setParams] = useSearchParams();
  const set = (change: Change, { replace = false } = {}): void => {
    const next = new URLSearchParams(params);
    for (const [name, value] of Object.entries(change)) {
      if (value) next.set(name, value);
      else next.delete(name);
    }
    setParams(next, { replace });
  };
  const get = (name: string): string | undefined => params.get(name) || undefined;
  const oneOf = <T extends string>(name: string, values: readonly T[]): T | undefined =>
    values.find((value) => value === params.get(name));
  return { get, oneOf, set };
}
