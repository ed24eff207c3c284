/** Calls that redirect money or give access need a recent sign-in: an unattended session is not enough. */
import { RECENT_S } from '../../identity';
import { problems } from '../../platform/refused';
import type { Principal } from './principal';

/** Whether the password, and the code of two-step sign-in, were entered in the last ten minutes. */
export const signedInRecently = ({ signedInAt }: Principal): boolean =>
  Date.now() - signedInAt.getTime() <= RECENT_S * 1000;

export function checkRecent(me: Principal): void {
  if (!signedInRecently(me)) throw problems.reverify();
}
