/**
 * The user's choices (account, algorithm, timeframe, time zone) are in the URL (`?account=&algorithm=&timeframe=&tz=`)
 * and are carried from page to page.
 */
import type { RemoteNavigator } from '@pool/shared';
import { ACCOUNT_PARAM, ALGORITHM_PARAM, ZONE_PARAM } from '@pool/shared/selection';

const CARRIED = [ACCOUNT_PARAM, ALGORITHM_PARAM, 'timeframe', ZONE_PARAM];

/** Only the carried part of a URL's search: `?account=a&algorithm=SCRYPT`, or empty. */
export function pickedSearch(search: string): string {
  const from = new URLSearchParams(search);
  const picked = new URLSearchParams();
  for (const name of CARRIED) {
    const value = from.get(name);
    if (value !== null) picked.set(name, value);
  }
  const text = picked.toString();
  return text && `?${text}`;
}

function withPicked(search: string, picked: string): string {
  const params = new URLSearchParams(search);
  for (const [name, value] of new URLSearchParams(picked)) if (!params.has(name)) params.set(name, value);
  const text = params.toString();
  return text && `?${text}`;
}

type Path = { pathname?: string; search?: string; hash?: string };

/** `to` with the current choices added, unless it has its own. */
export function carry<T>(to: T, picked: string): T | string | Path {
  if (!picked) return to;
  if (typeof to === 'string') {
    const [, path = '', search = '', hash = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/.exec(to) ?? [];
    return `${path}${withPicked(search, picked)}${hash}`;
  }
  if (typeof to === 'object' && to !== null) {
    const path: Path = to;
    return { ...path, search: withPicked(path.search ?? '', picked) };
  }
  return to;
}

type Navigator = {
  createHref(to: never): string;
  go(delta: number): void;
  push(to: never, state?: unknown, options?: never): void;
  replace(to: never, state?: unknown, options?: never): void;
};

/**
 * The shell's navigator as remotes get it: their links and navigations keep the user's choices. `basename`: where the
 * shell's own pages begin, which remotes do not know.
 */
export function carryingNavigator(navigator: Navigator, picked: string, basename = '/'): RemoteNavigator {
  const base = basename.replace(/\/$/, '');
  const place = (to: unknown) => below(base, carry(to, picked)) as never;
  return {
    createHref: (to) => navigator.createHref(place(to)),
    go: (delta) => navigator.go(delta),
    push: (to, state, options) => navigator.push(place(to), state, options as never),
    replace: (to, state, options) => navigator.replace(place(to), state, options as never),
  };
}

function below(base: string, to: unknown): unknown {
  if (typeof to === 'string') return base + to;
  const path = to as Path;
  return { ...path, pathname: base + (path.pathname ?? '') };
}
