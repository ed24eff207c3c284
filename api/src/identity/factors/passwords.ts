/** Passwords: scrypt off the main thread, parameters stored beside the hash so that they can be raised later. */
import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';
import { fieldError, weakPassword } from '../errors';

/** Parameters of new hashes, 0.1 to 0.3 s of a core. Tests that make many users lower them. */
export const passwordCost = { N: 2 ** 14, r: 8, p: 5 };
const KEY_BYTES = 32;
export const PASSWORD_MIN = 8;
export const PASSWORD_MAX = 72;
const PASSWORD_MAX_BYTES = 200;

/** Minimum zxcvbn score (0 to 4): lower ones are guessed within a million tries. */
export const MIN_SCORE = 2;
/** Only the beginning is checked: if it is strong the password is, and long texts take long to check. */
const CHECKED_LENGTH = 32;
/** Our own suggestion beside those of zxcvbn; its sentence is in the shell (`shell/src/auth/forms/clerk-texts.ts`). */
const OWN_WORDS = 'ownWords';
const POOL_WORDS = [
  'bitcoin',
  'litecoin',
  'satoshi',
  'crypto',
  'mining',
  'miner',
  'antminer',
  'stratum',
  'pool',
  'wallet',
];
// The dictionaries are unpacked at the start of the process: during requests it would block all of them.
const strength = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });

const derive = (password: string, salt: Buffer, options: ScryptOptions): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    // Normalised: the same letters typed on another keyboard may be composed differently.
    scrypt(password.normalize('NFC'), salt, KEY_BYTES, options, (error, key) => (error ? reject(error) : resolve(key)));
  });

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const { N, r, p } = passwordCost;
  const key = await derive(password, salt, { N, r, p });
  return ['scrypt', N, r, p, salt.toString('base64url'), key.toString('base64url')].join('$');
}

// The hash of a random password that an unknown user is compared with: the response takes as long as for a known one.
let dummy: Promise<string> | undefined;

/** Whether `password` matches `stored`; without `stored` it does the same work and returns false. */
export async function verifyPassword(password: string, stored: string | undefined): Promise<boolean> {
  dummy ??= hashPassword(randomBytes(16).toString('hex'));
  const [scheme, N, r, p, salt = '', key = ''] = (stored ?? (await dummy)).split('$');
  if (scheme !== 'scrypt') return false;
  const expected = Buffer.from(key, 'base64url');
  const actual = await derive(password, Buffer.from(salt, 'base64url'), { N: Number(N), r: Number(r), p: Number(p) });
  return timingSafeEqual(actual, expected);
}

/** Throws the fault of a new password. `param`: its field on the wire; `own`: names of the user, guessed first. */
export function checkPassword(password: string, own: readonly (string | null | undefined)[], param = 'password'): void {
  // An empty password counts as short: clerk-js has no words for one that is missing.
  if (password.length < PASSWORD_MIN)
    throw fieldError('form_password_length_too_short', param, `Passwords must be ${PASSWORD_MIN} characters or more.`);
  if (password.length > PASSWORD_MAX)
    throw fieldError('form_password_length_too_long', param, `Passwords must be at most ${PASSWORD_MAX} characters.`);
  if (Buffer.byteLength(password) > PASSWORD_MAX_BYTES)
    throw fieldError(
      'form_password_size_in_bytes_exceeded',
      param,
      'Your password has exceeded the maximum number of bytes allowed, ' +
        'please shorten it or remove some special characters.',
    );
  const names = own.flatMap((name) => (name ? [name, ...name.split('@')] : []));
  const { score, sequence, feedback } = strength.check(password.slice(0, CHECKED_LENGTH), [...names, ...POOL_WORDS]);
  if (score >= MIN_SCORE) return;
  // The list of common passwords is made from breaches.
  if (sequence.length === 1 && sequence[0]?.dictionaryName === 'passwords-common')
    throw fieldError('form_password_pwned', param, 'Password has been found in an online data breach.');
  // The form knows the common words, not these: it has to be told why.
  const isOwn = sequence.some((match) => match.dictionaryName === 'userInputs');
  throw weakPassword(param, isOwn ? [OWN_WORDS] : feedback.suggestions);
}
