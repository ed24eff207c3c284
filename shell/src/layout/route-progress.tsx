import { useSyncExternalStore } from 'react';
import styles from './route-progress.module.css';

/** How many page loads are under way; the bar shows while there is one. */
let loads = 0;
const listeners = new Set<() => void>();
const changed = () => listeners.forEach((listener) => listener());

/** Says that a page is loading; call the result when it is there. */
export function beginLoad(): () => void {
  let open = true;
  loads += 1;
  changed();
  return () => {
    if (!open) return;
    open = false;
    loads -= 1;
    changed();
  };
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export function RouteProgress() {
  const loading = useSyncExternalStore(subscribe, () => loads > 0);
  return loading ? <div className={styles.bar} aria-hidden data-progress="" /> : null;
}
