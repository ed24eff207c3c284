/** Codes of two-step sign-in: those of an authenticator app (TOTP, RFC 6238), and backup codes for when it is lost. */
import { createHash, randomBytes } from 'node:crypto';
import { westernDigits } from '@pool/shared/domain';
import { Secret, TOTP } from 'otpauth';

/** The codes before and after are accepted too: clocks differ, and typing takes time. */
const WINDOW = 1;
const BACKUP_CODES = 10;
/** 32 letters and digits that are not mistaken for each other: 16 of them are 80 random bits. */
const LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789';
const LENGTH = 16;

/** 160 random bits in Base32, as people type it into an app that cannot scan. */
export const newTotpSecret = (): string => new Secret().base32;

const totpOf = (secret: string, names: { issuer?: string; label?: string } = {}): TOTP =>
  new TOTP({ ...names, secret: Secret.fromBase32(secret) });

/** The `otpauth://` address in the QR code. */
export const totpUri = (secret: string, issuer: string, label: string): string =>
  totpOf(secret, { issuer, label }).toString();

/** The digits of a typed code: apps show it in two halves, and Arabic keyboards have digits of their own. */
export const digitsOf = (code: string): string => westernDigits(code).replaceAll(/\D/g, '');

/** The 30 seconds since 1970 whose code this is; null: no current one. The library compares in constant time. */
export function totpStep(secret: string, code: string, timestamp = Date.now()): number | null {
  const delta = totpOf(secret).validate({ token: digitsOf(code), timestamp, window: WINDOW });
  return delta === null ? null : TOTP.counter({ timestamp }) + delta;
}

export const newBackupCodes = (): string[] =>
  Array.from({ length: BACKUP_CODES }, () =>
    [...randomBytes(LENGTH)]
      .map((byte) => LETTERS[byte % LETTERS.length])
      .join('')
      .replaceAll(/(.{4})(?!$)/g, '$1-'),
  );

/** One round of a fast hash is enough: nobody tries 80 random bits. Case, spaces and dashes do not count. */
export const backupCodeHash = (userId: string, code: string): string =>
  createHash('sha256')
    .update(`backup code ${userId} ${code.toLowerCase().replaceAll(/[^a-z0-9]/g, '')}`)
    .digest('base64url');
