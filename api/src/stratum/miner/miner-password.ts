/**
 * The password an account's miners have to give. It keeps strangers from mining for the account and opens nothing else, and
 * it comes over the wire in clear text: a salted hash that is quick, so that ten thousand miners can come back at once.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const digest = (salt: string, password: string): Buffer => createHmac('sha256', salt).update(password).digest();

/** `<salt>:<hash>`, both base64url. */
export function hashMinerPassword(password: string): string {
  const salt = randomBytes(16).toString('base64url');
  return `${salt}:${digest(salt, password).toString('base64url')}`;
}

/** `given`: as `mining.authorize` has it; a `d=<difficulty>` beside the password (`difficultyOfPassword`) is no part of it. */
export function isMinerPassword(stored: string, given: unknown): boolean {
  if (typeof given !== 'string') return false;
  const [salt = '', hash = ''] = stored.split(':');
  const password = given
    .split(/[\s,;]+/)
    .filter((part) => part && !/^d=/i.test(part))
    .join(',');
  const expected = Buffer.from(hash, 'base64url');
  const found = digest(salt, password);
  return expected.length === found.length && timingSafeEqual(expected, found);
}
