/** Calls that redirect money or give access need a recent sign-in: an unattended session is not enough. */
import { RECENT_S } from '../../identity';
import { problems, type HttpProblem } from '../server/problem';
import type { Principal } from './principal';

/** Whether the password, and the code of two-step sign-in, were entered in the last ten minutes. */
export const signedInRecently = ({ signedInAt }: Principal): boolean =>
  Date.now() - signedInAt.getTime() <= RECENT_S * 1000;

export const reverify = (): HttpProblem =>
  problems.forbidden('reverification_required', 'Give your password again, then repeat it.');

export function checkRecent(me: Principal): void {
  if (!signedInRecently(me)) throw reverify();
}
