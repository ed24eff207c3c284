/** Encrypts users' secrets: AES-256-GCM. The first key of `SECRETS_KEY` encrypts, the others decrypt older ones. */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from './operator-error';
import { succeeds } from './succeeds';

const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const FILE = 'secrets.key';

export class SecretsError extends OperatorError {
  override readonly name = 'SecretsError';
}

/** Key id of secrets whose key the operator has declared lost; no key has this id. */
export const LOST_KEY = '0'.repeat(16);

/** Thrown for a secret that was encrypted with a missing key, or was changed since. */
export class SecretUnreadable extends Error {
  override readonly name = 'SecretUnreadable';
}

const idOf = (key: Buffer): string =>
  createHash('sha256').update('secrets key id').update(key).digest('hex').slice(0, 16);

/** Parses keys: base64 of 32 bytes each, the current one first. Throws `SecretsError`. */
export function parseKeys(text: string): Buffer[] {
  const keys = text
    .split(/[\s,]+/)
    .filter(Boolean)
    .map((word) => Buffer.from(word, 'base64'));
  if (!keys.length || keys.some((key) => key.length !== KEY_BYTES))
    throw new SecretsError(
      'a key is 32 bytes in base64, as "openssl rand -base64 32" makes it; ' +
        'several are separated by commas, the current one first',
    );
  return keys;
}

export const areKeys = (text: string): boolean => succeeds(() => parseKeys(text));

function makeFile(folder: string): void {
  mkdirSync(folder, { recursive: true });
  try {
    // Fails when the file exists, so that a key is never overwritten.
    writeFileSync(join(folder, FILE), `${randomBytes(KEY_BYTES).toString('base64')}\n`, {
      mode: 0o600,
      flag: 'wx',
      flush: true,
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Places of the key; at most one of the first two is set (config.ts). */
export type SecretsConfig = {
  SECRETS_KEY?: string;
  SECRETS_KEY_FILE?: string;
  DATA_DIR: string;
};

/** Keys that are kept outside of DATA_DIR, and what names them; null: none are. */
function keysElsewhere({ SECRETS_KEY, SECRETS_KEY_FILE }: SecretsConfig): [string, string] | null {
  if (SECRETS_KEY) return [SECRETS_KEY, 'SECRETS_KEY'];
  if (!SECRETS_KEY_FILE) return null;
  try {
    return [readFileSync(SECRETS_KEY_FILE, 'utf8'), SECRETS_KEY_FILE];
  } catch (error) {
    throw new SecretsError(`SECRETS_KEY_FILE cannot be read: ${(error as Error).message}`);
  }
}

function keysOf(text: string, source: string): Secrets {
  try {
    return new Secrets(parseKeys(text));
  } catch (error) {
    throw error instanceof SecretsError ? new SecretsError(`${source}: ${error.message}`) : error;
  }
}

export class Secrets {
  private readonly keys: ReadonlyMap<string, Buffer>;
  readonly keyId: string;

  constructor(keys: readonly Buffer[]) {
    this.keys = new Map(keys.map((key) => [idOf(key), key]));
    this.keyId = keys[0] ? idOf(keys[0]) : '';
  }

  /** Uses the given key, else that of `DATA_DIR`, which is made unless `make` is false. Throws `SecretsError`. */
  static open(config: SecretsConfig, { make = true } = {}): Secrets {
    const elsewhere = keysElsewhere(config);
    if (elsewhere) return keysOf(...elsewhere);
    const file = join(config.DATA_DIR, FILE);
    if (make) makeFile(config.DATA_DIR);
    else if (!existsSync(file)) return new Secrets([]);
    return keysOf(readFileSync(file, 'utf8'), file);
  }

  static keyIdOf(sealed: string): string {
    return sealed.split(':', 1).join('');
  }

  /** Encrypts to `<key id>:<base64url>`. `owner`: what the secret belongs to; decryption needs the same owner. */
  seal(text: string, owner: string): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.key(this.keyId), iv).setAAD(Buffer.from(owner));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return `${this.keyId}:${Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')}`;
  }

  open(sealed: string, owner: string): string {
    const [keyId = '', text = ''] = sealed.split(':');
    const key = this.key(keyId);
    const bytes = Buffer.from(text, 'base64url');
    try {
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(owner))
        .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
    } catch {
      throw new SecretUnreadable(`a secret encrypted with the key ${keyId} was changed since`);
    }
  }

  /** Like `open`, but returns null instead of throwing `SecretUnreadable`. */
  tryOpen(sealed: string, owner: string): string | null {
    try {
      return this.open(sealed, owner);
    } catch (error) {
      if (error instanceof SecretUnreadable) return null;
      throw error;
    }
  }

  private key(id: string): Buffer {
    const key = this.keys.get(id);
    if (!key)
      throw new SecretUnreadable(
        `a secret was encrypted with the key ${id}, and SECRETS_KEY (or the key file) does not have it`,
      );
    return key;
  }
}
