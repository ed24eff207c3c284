/**
 * Devices an account has signed in from, recognised by a cookie: an id of the browser, signed with the stored hash of
 * the password, so that a new password invalidates them all. It grants no access; it only exempts the device from the
 * delays that others' guesses cause. The id alone tells a new browser from an old one (sign-in-notice.ts).
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { UserRow } from './store';

const sign = (id: string, user: UserRow): Buffer =>
  createHmac('sha256', user.passwordHash).update(`known device ${user.id} ${id}`).digest();

/** The browser's id, whichever account it was signed in to last; a new one without the cookie. */
export const browserId = (cookie: string | undefined): string =>
  /^([\w-]{16})\./.exec(cookie ?? '')?.[1] ?? randomBytes(12).toString('base64url');

/** The cookie value of a device that has just signed in. */
export const knownDevice = (id: string, user: UserRow): string => `${id}.${sign(id, user).toString('base64url')}`;

/** The device's id, if the account has signed in from it. */
export function deviceIdOf(cookie: string | undefined, user: UserRow | undefined): string | undefined {
  const [id = '', mac = ''] = cookie?.split('.') ?? [];
  if (!id || !user) return undefined;
  const [given, right] = [Buffer.from(mac, 'base64url'), sign(id, user)];
  return given.length === right.length && timingSafeEqual(given, right) ? id : undefined;
}
