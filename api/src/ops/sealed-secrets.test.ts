/**
 * The server starts only with the key that decrypts the stored passwords: without it miners would lose their own pools.
 * They run on a real PostgreSQL, which runs on between the starts.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../platform/db/database';
import { postgresDatabase } from '../platform/db/testing/postgres';
import { fill, script, server } from './testing/product';
import { parseKeys, Secrets, SecretsError, SecretUnreadable } from '../platform/secrets';
import type { Running } from '../app/start';
import { ownerOf } from '../mining/upstreams/pool-configs';

let folder: string;
let database: Database & { url: string };
let running: Running | undefined;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pool-sealed-'));
  database = await postgresDatabase();
});
afterEach(async () => {
  await running?.stop();
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

const newKey = (): string => randomBytes(32).toString('base64');

it('a start without the key, or with another, is refused with instructions; a new key re-encrypts', async () => {
  const env = { DATA_DIR: folder, DATABASE_URL: database.url };
  const keyFile = join(folder, 'secrets.key');
  const password = async (): Promise<string> => {
    const { rows } = await database.pool.query<{ password: string }>('select password from pool_config');
    return rows[0]?.password ?? '';
  };
  await fill(database);
  // Nothing is encrypted yet: the first start makes a key.
  await (await server(env)).stop();
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
  await expect(server({ ...env, SECRETS_KEY: other })).rejects.toEqual(refused);
  expect(await password()).toBe(sealed);

  const keys = `${other},${key}`;
  await (await server({ ...env, SECRETS_KEY: keys })).stop();
  const renewed = await password();
  expect(new Secrets(parseKeys(other)).open(renewed, ownerOf(1))).toBe('hunter2');

  // The key is declared lost for good, and the server starts.
  const third = newKey();
  await expect(server({ ...env, SECRETS_KEY: third })).rejects.toThrow(SecretsError);
  const forget = (): ReturnType<typeof script> => script('admin', ['forget-secrets'], { ...env, SECRETS_KEY: third });
  expect(await forget()).toMatchObject({ code: 0, out: expect.stringContaining('1 passwords of upstream pools') });
  expect(await forget()).toMatchObject({ code: 0, out: 'None: every secret can be read.\n' });
  running = await server({ ...env, SECRETS_KEY: third });
  const left = await running.stop().then(() => password());
  expect(() => new Secrets(parseKeys(other)).open(left, ownerOf(1))).toThrow(SecretUnreadable);
});
