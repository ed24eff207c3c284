import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError, readConfig } from './config';
import { parseKeys, SecretUnreadable, Secrets, SecretsError } from './secrets';
import { newFolder } from '../testing/folder';

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
  const said = (() => {
    try {
      return readConfig({ SECRETS_KEY: 'very secret' });
    } catch (error) {
      return String(error);
    }
  })();
  expect(said).toMatch(/SECRETS_KEY/);
  expect(said).not.toMatch(/very secret/);
});

describe('a key kept elsewhere', () => {
  const folder = newFolder();
  const DATA_DIR = join(folder, 'data');
  const SECRETS_KEY_FILE = join(folder, 'key');
  const OTHER_FILE = join(folder, 'other');
  writeFileSync(OTHER_FILE, 'hunter2');
  const keys = `${current.toString('base64')}\n${old.toString('base64')}\n`;
  const sealed = new Secrets([current]).seal('x', 'a');

  test('comes from a file, and leaves none in DATA_DIR', () => {
    writeFileSync(SECRETS_KEY_FILE, keys);
    const config = readConfig({ DATA_DIR, SECRETS_KEY_FILE });
    expect(Secrets.open(config).open(sealed, 'a')).toBe('x');
    expect(Secrets.open(config, { make: false }).open(sealed, 'a')).toBe('x');
    expect(existsSync(DATA_DIR)).toBe(false);
  });

  test.each([
    ['a file that is not there', { SECRETS_KEY_FILE: join(folder, 'none') }, 'SECRETS_KEY_FILE cannot be read: ENOENT'],
    ['a file with another text', { SECRETS_KEY_FILE: OTHER_FILE }, 'a key is 32 bytes'],
  ])('%s: an error without the key, and no other key is made', (_, given, message) => {
    const open = (): Secrets => Secrets.open({ DATA_DIR, ...given });
    expect(open).toThrow(SecretsError);
    expect(open).toThrow(message);
    expect(open).not.toThrow(/hunter2/);
    expect(open).not.toThrow(current.toString('base64'));
    expect(existsSync(DATA_DIR)).toBe(false);
  });

  test('two places exclude each other', () =>
    expect(() => readConfig({ SECRETS_KEY: old.toString('base64'), SECRETS_KEY_FILE })).toThrow(
      'SECRETS_KEY and SECRETS_KEY_FILE exclude each other',
    ));
});

describe('the key file', () => {
  const folder = newFolder();

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
