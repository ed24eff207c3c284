import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { UserRow } from './store';

/**
 * Devices an account has signed in from, recognised by a cookie: an id of the browser, signed with the stored hash of
 * the password, so that a new password invalidates them all. It grants no access; it only exempts the device from the
 * delays that others' guesses cause. The id alone tells a new browser from an old one (sign-in-notice.ts).
 */
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

/** Browser and kind of device from a User-Agent header, for a user's list of sessions. */
const BROWSERS: [name: string, pattern: RegExp][] = [
  ['Edge', /Edg(?:A|iOS)?\/([\d.]+)/],
  ['Opera', /OPR\/([\d.]+)/],
  ['Samsung Internet', /SamsungBrowser\/([\d.]+)/],
  ['Firefox', /(?:Firefox|FxiOS)\/([\d.]+)/],
  ['Chrome', /(?:Chrome|CriOS)\/([\d.]+)/],
  ['Safari', /Version\/([\d.]+).*Safari/],
];
const SYSTEMS: [name: string, pattern: RegExp][] = [
  ['iPhone', /iPhone/],
  ['iPad', /iPad/],
  ['Android', /Android/],
  ['Windows', /Windows/],
  ['Macintosh', /Mac OS X/],
  ['Linux', /Linux/],
];

export function deviceOf(userAgent: string | null) {
  const text = userAgent ?? '';
  const browser = BROWSERS.find(([, pattern]) => pattern.test(text));
  return {
    browser_name: browser?.[0] ?? '',
    browser_version: (browser && browser[1].exec(text)?.[1]) ?? '',
    device_type: SYSTEMS.find(([, pattern]) => pattern.test(text))?.[0] ?? '',
    is_mobile: /Mobile|iPhone|Android/.test(text),
  };
}
