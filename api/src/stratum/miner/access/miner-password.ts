/** The password of an account's miners. It travels in clear text and opens nothing else: a fast hash is enough. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const digest = (salt: string, password: string): Buffer => createHmac('sha256', salt).update(password).digest();

/** `<salt>:<hash>`, both base64url. */
export function hashMinerPassword(password: string): string {
  const salt = randomBytes(16).toString('base64url');
  return `${salt}:${digest(salt, password).toString('base64url')}`;
}

/** `given`: the password of `mining.authorize`; a `d=<difficulty>` in it (`difficultyOfPassword`) is ignored. */
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
