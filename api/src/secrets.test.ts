import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError, readConfig } from './config';
import { parseKeys, SecretUnreadable, Secrets, SecretsError } from './secrets';

const [old, current] = [randomBytes(32), randomBytes(32)];

test('a secret can be decrypted only with its key, for its owner, and unchanged', () => {
  const secrets = new Secrets([current]);
  const sealed = secrets.seal('hünter2', 'a');
  expect(sealed).toMatch(/^[0-9a-f]{16}:[\w-]+$/);
  expect(sealed).not.toBe(secrets.seal('hünter2', 'a'));
  expect(secrets.open(sealed, 'a')).toBe('hünter2');
  expect(() => secrets.open(sealed, 'b')).toThrow(SecretUnreadable);
  expect(() => new Secrets([old]).open(sealed, 'a')).toThrow(/encrypted with the key [0-9a-f]{16}, and SECRETS_KEY/);
  const at = sealed.length - 5;
  const changed = sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1);
  expect(() => secrets.open(changed, 'a')).toThrow(SecretUnreadable);
  for (const broken of [`${secrets.keyId}:`, `${secrets.keyId}:AAAA`, secrets.keyId, '', ':'])
    expect(() => secrets.open(broken, 'a')).toThrow(SecretUnreadable);
});

test('keys are replaced: the first encrypts, the others still decrypt', () => {
  const before = new Secrets([old]).seal('x', 'a');
  const both = new Secrets([current, old]);
  expect(both.open(before, 'a')).toBe('x');
  expect(both.seal('x', 'a').startsWith(`${both.keyId}:`)).toBe(true);
  expect(both.keyId).toBe(new Secrets([current]).keyId);
});

test('a key is 32 bytes of base64', () => {
  expect(parseKeys(`${old.toString('base64')}, ${current.toString('base64')}`)).toEqual([old, current]);
  for (const text of ['', 'short', randomBytes(16).toString('base64'), `${old.toString('base64')},x`]) {
    expect(() => parseKeys(text)).toThrow(SecretsError);
    if (text) expect(() => readConfig({ SECRETS_KEY: text })).toThrow(ConfigError);
  }
  expect(() => readConfig({ SECRETS_KEY: 'very secret' })).not.toThrow(/very secret/);
});

describe('the key file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pool-secrets-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('is made once, for its owner only, and kept', () => {
    const DATA_DIR = join(folder, 'new');
    const sealed = Secrets.open({ DATA_DIR }).seal('x', 'a');
    const file = join(DATA_DIR, 'secrets.key');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const text = readFileSync(file, 'utf8');
    expect(Secrets.open({ DATA_DIR }).open(sealed, 'a')).toBe('x');
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect(Secrets.open({ DATA_DIR, SECRETS_KEY: text.trim() }).open(sealed, 'a')).toBe('x');
  });

  test('that is broken causes an error, and is not overwritten', () => {
    const file = join(folder, 'secrets.key');
    writeFileSync(file, 'half a ke');
    expect(() => Secrets.open({ DATA_DIR: folder })).toThrow(/secrets\.key: a key is 32 bytes/);
    expect(readFileSync(file, 'utf8')).toBe('half a ke');
  });
});
