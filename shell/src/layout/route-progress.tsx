import { useIsFetching, type QueryState } from '@pool/shared/query';
import { useSyncExternalStore } from 'react';
import { afterEffects } from '../after-effects';
import styles from './route-progress.module.css';

/** How many pages' code is loading. */
let loads = 0;
const listeners = new Set<() => void>();
const changed = () => afterEffects(() => listeners.forEach((listener) => listener()));

/** Reports that the code of a page is loading; call the returned function when it has loaded. */
export function beginLoad(): () => void {
  loads += 1;
  changed();
  return () => {
    loads -= 1;
    changed();
  };
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

const isFirst = ({ state }: { state: QueryState }) => state.data === undefined;

/** A bar at the top while a page or its first data loads; its style hides it for the first 150 ms. */
export function RouteProgress() {
  const code = useSyncExternalStore(subscribe, () => loads > 0);
  const data = useIsFetching({ predicate: isFirst }) > 0;
  return code || data ? <div className={styles.bar} aria-hidden data-progress="" /> : null;
}
