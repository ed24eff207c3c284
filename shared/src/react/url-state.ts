import { useCallback, useContext, useMemo } from 'react';
import { UNSAFE_NavigationContext, useSearchParams } from 'react-router-dom';
import type { RemoteNavigator } from '../contract';

type Value = string | number | boolean | null | undefined;
/** Reads a parameter: null is one that the URL has not, whose value is the default. Invalid texts are the default too. */
type Param = (text: string | null) => Value;
type Schema = Readonly<Record<string, Param>>;
type State<S extends Schema> = { [Name in keyof S]: ReturnType<S[Name]> };

/** A copy of `params` with `change`: null, undefined and the defaults of `schema` remove a parameter, others stay. */
export function changeParams(
  params: URLSearchParams,
  change: Readonly<Record<string, Value>>,
  schema: Schema = {},
): URLSearchParams {
  const next = new URLSearchParams(params);
  for (const [name, value] of Object.entries(change)) {
    const read = schema[name];
    if (value === null || value === undefined || (read && read(String(value)) === read(null))) next.delete(name);
    else next.set(name, String(value));
  }
  return next;
}

/** One of `values`. */
export const oneOf =
  <T extends string, Usual extends T | undefined = undefined>(values: readonly T[], usual?: Usual) =>
  (text: string | null): T | Usual =>
    values.find((value) => value === text) ?? (usual as Usual);

/** A text of at most 64 characters, as a search or an id; undefined: none. */
export const shortText = (text: string | null): string | undefined => text?.trim().slice(0, 64) || undefined;

/** `2026-11-20` */
export const dayText = (text: string | null): string | undefined =>
  text && text.length === 10 && new Date(`${text}T00:00Z`).toJSON()?.startsWith(text) ? text : undefined;

/** A page's state in the URL, by a constant `schema`: the state, `set(change, { replace })`, `searchOf(change)`. */
export function useUrlState<S extends Schema>(schema: S) {
  const [params] = useSearchParams();
  const { navigator } = useContext(UNSAFE_NavigationContext);
  const state = useMemo(
    () => Object.fromEntries(Object.entries(schema).map(([name, read]) => [name, read(params.get(name))])) as State<S>,
    [params, schema],
  );
  const set = useCallback(
    (change: Partial<State<S>>, { replace = false } = {}) => {
      // The location of the page that a link has just led to, even when it is not drawn yet: this must not lead back.
      const { pathname, search } = (navigator as unknown as RemoteNavigator).location;
      const changed = changeParams(new URLSearchParams(search), change, schema).toString();
      const to = { pathname, search: changed && `?${changed}` };
      if (replace) navigator.replace(to);
      else navigator.push(to);
    },
    [navigator, schema],
  );
  return [state, set, (change: Partial<State<S>>) => changeParams(params, change, schema).toString()] as const;
}
