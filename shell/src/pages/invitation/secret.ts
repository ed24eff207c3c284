import { INVITATION_PATH } from '@pool/shared/shell-pages';
import { tried } from '../../tried';

const KEY = 'invitation';

/**
 * The secret of an invitation's link. It is taken out of the address, which a sign-in carries on and every reload sends,
 * and kept by this tab until the invitation is used.
 */
export function takenInvitation(hash = location.hash): string {
  const { pathname, search } = location;
  // Links of mails before 1.1 have it in the query.
  const given = hash.slice(1) || new URLSearchParams(search).get('token');
  if (pathname.startsWith(INVITATION_PATH) && given) {
    history.replaceState(history.state, '', INVITATION_PATH);
    tried(() => sessionStorage.setItem(KEY, given));
  }
  return tried(() => sessionStorage.getItem(KEY)) ?? '';
}

export const usedInvitation = (): unknown => tried(() => sessionStorage.removeItem(KEY));
