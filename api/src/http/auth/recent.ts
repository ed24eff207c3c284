/**
 * Calls that redirect money or give access to others need a password entered a moment ago: an unattended session is not
 * enough.
 */
import { problems, type HttpProblem } from '../server/problem';
import type { Principal } from './principal';

const RECENT_S = 600;

/** Whether the password was entered in the last ten minutes. `now`: Unix seconds. */
export const signedInRecently = ({ signedInAt }: Principal, now: number): boolean =>
  now * 1000 - signedInAt.getTime() <= RECENT_S * 1000;

export const reverify = (): HttpProblem =>
  problems.forbidden('reverification_required', 'Give your password again, then repeat it.');

/** Throws unless the password was entered in the last ten minutes. */
export function checkRecent(me: Principal, now: number): void {
  if (!signedInRecently(me, now)) throw reverify();
}
