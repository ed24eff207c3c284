import { forgetUser } from './user-storage';

/** Removes what is kept of the user and loads a page anew: nothing in its memory is ever another's. */
export function endSession(path?: string): void {
  document.title = 'Mining Pool';
  const load = () => (path ? location.assign(path) : location.reload());
  void forgetUser().then(load, load);
}
