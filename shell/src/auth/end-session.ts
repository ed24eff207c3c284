import { FORGET } from '../service-worker/names';
import { userStorage } from './user-storage';

/**
 * Removes what this browser keeps of the user and loads a new page, `path` or this one again: a page has one user for
 * its life, so that nothing in its memory (answers, drafts, modules of remotes) is ever another's.
 */
export function endSession(path?: string): void {
  navigator.serviceWorker?.controller?.postMessage(FORGET);
  userStorage.clear();
  document.title = 'Mining Pool';
  if (path) location.assign(path);
  else location.reload();
}
