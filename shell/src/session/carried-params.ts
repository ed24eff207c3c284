/** The user's choices are in the URL (`?account=&algorithm=&timeframe=&tz=`) and carried from page to page. */
import type { RemoteNavigator } from '@pool/shared';
import { ACCOUNT_PARAM, ALGORITHM_PARAM, ZONE_PARAM } from '@pool/shared/selection';

const CARRIED = [ACCOUNT_PARAM, ALGORITHM_PARAM, 'timeframe', ZONE_PARAM];

/** Only the carried part of a URL's search: `?account=a&algorithm=SCRYPT`, or empty. */
export function carriedSearch(search: string): string {
  const from = new URLSearchParams(search);
  const carried = new URLSearchParams();
  for (const name of CARRIED) {
    const value = from.get(name);
    if (value !== null) carried.set(name, value);
  }
  const text = carried.toString();
  return text && `?${text}`;
}

function withCarried(search: string, carried: string): string {
  const params = new URLSearchParams(search);
  for (const [name, value] of new URLSearchParams(carried)) if (!params.has(name)) params.set(name, value);
  const text = params.toString();
  return text && `?${text}`;
}

type Path = { pathname?: string; search?: string; hash?: string };

/** `to` with the current choices added, unless it has its own. */
export function carry<T>(to: T, carried: string): T | string | Path {
  if (!carried) return to;
  if (typeof to === 'string') {
    const [, path = '', search = '', hash = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/.exec(to) ?? [];
    return `${path}${withCarried(search, carried)}${hash}`;
  }
  if (typeof to === 'object' && to !== null) {
    const path: Path = to;
    return { ...path, search: withCarried(path.search ?? '', carried) };
  }
  return to;
}

type Navigator = {
  location?: RemoteNavigator['location'];
  createHref(to: never): string;
  go(delta: number): void;
  push(to: never, state?: unknown, options?: never): void;
  replace(to: never, state?: unknown, options?: never): void;
};

/** The navigator of remotes, which keeps the user's choices. `basename`: where the shell's own pages begin. */
export function carryingNavigator(navigator: Navigator, carried: string, basename = '/'): RemoteNavigator {
  const base = basename.replace(/\/$/, '');
  const place = (to: unknown) => below(base, carry(to, carried)) as never;
  return {
    get location() {
      const { pathname, search } = navigator.location ?? location;
      return { pathname: pathname.startsWith(base) ? pathname.slice(base.length) : pathname, search };
    },
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
