/**
 * Devices an account has signed in from, recognised by a cookie: an id, signed with the stored hash of the password, so
 * that a new password invalidates them all. It grants no access; it only exempts the device from the delays that
 * others' guesses cause.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { UserRow } from './store';

const sign = (id: string, user: UserRow): Buffer =>
  createHmac('sha256', user.passwordHash).update(`known device ${user.id} ${id}`).digest();

/** The cookie value of a device that has just signed in. */
export function knownDevice(user: UserRow): string {
  const id = randomBytes(12).toString('base64url');
  return `${id}.${sign(id, user).toString('base64url')}`;
}

/** The device's id, if the account has signed in from it. */
export function deviceIdOf(cookie: string | undefined, user: UserRow | undefined): string | undefined {
  const [id = '', mac = ''] = cookie?.split('.') ?? [];
  if (!id || !user) return undefined;
  const [given, right] = [Buffer.from(mac, 'base64url'), sign(id, user)];
  return given.length === right.length && timingSafeEqual(given, right) ? id : undefined;
}
