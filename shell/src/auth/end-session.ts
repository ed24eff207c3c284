import { forgetUser } from './user-storage';

/** Removes what is kept of the user and loads a page anew: nothing in its memory is ever another's. */
export function endSession(path?: string): void {
  document.title = 'Mining Pool';
  const load = () => {
    if (!path) return location.reload();
    // An answer from before the sign-out may have marked the browser as signed in again, and `/` leads such a browser
    // to its pages.
    document.cookie = '__client_uat=0; path=/; max-age=10';
    location.assign(path);
  };
  void forgetUser().then(load, load);
}
