/** Updates paused by the user. The page then behaves like a hidden tab: nothing is refreshed until the pause ends. */
import { focusManager } from '@pool/shared/query';
import { useSyncExternalStore } from 'react';

let paused = false;

export function setPaused(next: boolean): void {
  paused = next;
  focusManager.setFocused(next ? false : undefined);
}

export const usePaused = (): boolean =>
  useSyncExternalStore(
    (changed) => focusManager.subscribe(changed),
    () => paused,
  );
