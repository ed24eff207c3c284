import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import type { Database } from '../platform/db/database';
import { postgresDatabase } from '../platform/db/testing/postgres';
import { adminText, fill, server } from './testing/product';
import { parseKeys, Secrets, SecretsError, SecretUnreadable } from '../platform/secrets';
import { ownerOf } from '../mining/upstreams/pool-configs';
import { openSecrets } from './sealed-secrets';

let folder: string;
let database: Database & { url: string };
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pool-sealed-'));
  database = await postgresDatabase();
});
afterEach(async () => {
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

const newKey = (): string => randomBytes(32).toString('base64');

it('a start without the key, or with another, is refused with instructions; a new key re-encrypts', async () => {
  const env = { DATA_DIR: folder, DATABASE_URL: database.url };
  const open = (SECRETS_KEY?: string): Promise<Secrets> =>
    openSecrets({ DATA_DIR: folder, SECRETS_KEY }, database.pool, pino({ level: 'silent' }));
  const keyFile = join(folder, 'secrets.key');
  const password = async (): Promise<string> => {
    const { rows } = await database.pool.query<{ password: string }>('select password from pool_config');
    return rows[0]?.password ?? '';
  };
  await fill(database);
  // Nothing is encrypted yet: the first start makes a key.
  await open();
  const key = readFileSync(keyFile, 'utf8').trim();
  const old = new Secrets(parseKeys(key));
  const sealed = old.seal('hunter2', ownerOf(1));
  await database.pool.query(
    `insert into pool_config (user_id, name, algorithm, url, user_name, password)
     values (1, 'Own', 'SHA256_ASICBOOST', 'stratum+tcp://pool.example:3333', 'wallet', $1)`,
    [sealed],
  );

  renameSync(keyFile, `${keyFile}.aside`);
  const refused = expect.objectContaining({
    name: SecretsError.name,
    message: expect.stringMatching(
      new RegExp(`no key for: 1 \\(encrypted with the key ${old.keyId}\\)[^]*Put that key back[^]*forget-secrets`),
    ),
  });
  await expect(server(env)).rejects.toEqual(refused);
  expect(existsSync(keyFile)).toBe(false);
  const other = newKey();
  await expect(open(other)).rejects.toEqual(refused);
  expect(await password()).toBe(sealed);

  await open(`${other},${key}`);
  const renewed = await password();
  expect(new Secrets(parseKeys(other)).open(renewed, ownerOf(1))).toBe('hunter2');

  // The key is declared lost for good, and the next start succeeds.
  const third = newKey();
  await expect(open(third)).rejects.toThrow(SecretsError);
  const forget = (): Promise<string> => adminText({ ...env, SECRETS_KEY: third }, 'forget-secrets');
  expect(await forget()).toContain('1 passwords of upstream pools');
  expect(await forget()).toBe('None: every secret can be read.');
  await open(third);
  const left = await password();
  expect(() => new Secrets(parseKeys(other)).open(left, ownerOf(1))).toThrow(SecretUnreadable);
});
