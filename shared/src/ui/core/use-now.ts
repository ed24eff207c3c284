import { useSyncExternalStore } from 'react';
import { serverTime } from '../../api/clock';

const second = () => Math.floor(serverTime() / 1000);
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let now = second();

const tick = () => {
  // A hidden tab does not update; it updates when it becomes visible.
  if (document.visibilityState === 'hidden') return;
  now = second();
  listeners.forEach((changed) => changed());
};

function subscribe(changed: () => void): () => void {
  if (listeners.size === 0) {
    now = second();
    timer = setInterval(tick, 1000);
    document.addEventListener('visibilitychange', tick);
  }
  listeners.add(changed);
  return () => {
    listeners.delete(changed);
    if (listeners.size > 0) return;
    clearInterval(timer);
    document.removeEventListener('visibilitychange', tick);
  };
}

/** The server's Unix seconds, updated every second, with one timer for the whole page. */
export const useNow = (): number =>
  useSyncExternalStore(subscribe, () => (listeners.size === 0 ? (now = second()) : now), second);
