import { forgetUser } from './user-storage';

/**
 * Removes what this browser keeps of the user and loads a new page, `path` or this one again: a page has one user for
 * its life, so that nothing in its memory (answers, drafts, modules of remotes) is ever another's.
 */
export function endSession(path?: string): void {
  document.title = 'Mining Pool';
  const load = () => (path ? location.assign(path) : location.reload());
  void forgetUser().then(load, load);
}
