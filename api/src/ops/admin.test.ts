/** The admin's command line, run as processes beside a running server, and the key that encrypts secrets. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { adjustEarning } from '../money/accounting/adjust';
import type { Database } from '../platform/db/database';
import { postgresDatabase } from '../platform/db/testing/postgres';
import { transaction } from '../platform/db/transaction';
import { countWork } from '../mining/shares/testing/count-work';
import { encodeShare } from '../mining/shares/journal/share-line';
import { dayOf, startOfDay } from '../platform/days';
import type { Running } from '../app/start';
import { USAGE } from './commands';
import { OperatorError } from '../platform/operator-error';
import { lateWork } from './late-work';
import { DAY, adminText, fill, script, server, signIn } from './testing/product';
import { randomBytes } from 'node:crypto';
import pino from 'pino';
import { SecretUnreadable, Secrets, SecretsError, parseKeys } from '../platform/secrets';
import { ownerOf } from '../mining/upstreams/pool-configs';
import { openSecrets } from './sealed-secrets';
import { newFolder } from '../testing/folder';

describe('the command line', () => {
  const data = newFolder();
  let database: Database & { url: string };
  let running: Running | undefined;
  beforeAll(async () => {
    database = await postgresDatabase();
    await fill(database);
  });
  afterAll(async () => {
    await running?.stop();
    await database.close();
  });

  it('beside a server, runs its commands, records them as the command line, and refuses invalid ones', async () => {
    const env = { DATA_DIR: data, DATABASE_URL: database.url };
    /** Runs a command in the running server, without a new process. */
    const ask = (...args: string[]): Promise<string> => adminText(env, ...args);
    running = await server(env);

    expect(await ask('list-users')).toMatch(/^alice +miner +seen never$/);
    expect(await ask('grant-role', 'alice', 'admin')).toContain('alice is admin (was miner)');
    const password = /alice: (\S+)/.exec(await ask('reset-password', 'alice'))?.[1] ?? '';
    expect(await signIn(running.url, 'alice', password)).toBe(200);
    expect(await ask('close-day', DAY)).toMatch(/^1 days, 1 sub-accounts, [1-9]\d* satoshis gross/);
    // Late work is listed until it is corrected.
    expect(await ask('late-work')).toBe('None: every closed day is paid in full.');

    // Shares that were set aside are named, and counted once somebody asks for it.
    expect(await ask('uncounted')).toBe('All shares are counted.');
    const setAside = join(data, 'journal', 'refused');
    mkdirSync(setAside, { recursive: true });
    const share = { subAccountId: 1, algorithm: 'SCRYPT', worker: 'rig', difficulty: 7, outcome: 'accepted' } as const;
    const lineAt = (at: number): string => `${encodeShare({ ...share, at })}\n`;
    const today = dayOf(Date.now() / 1000);
    writeFileSync(join(setAside, `${today}-00112233445566ff-0000000001.jsonl`), lineAt(Date.now()));
    expect(await ask('uncounted')).toContain(`1 shares of ${today} are refused (`);
    expect(await ask('uncounted', 'retry')).toBe('1 files are tried once more.\nAll shares are counted.');
    const refused = [
      ['uncounted', 'again'],
      ['grant-role', 'alice', 'owner'],
      ['grant-role', 'nobody', 'admin'],
      ['reset-password', 'nobody'],
      ['close-day', '2026-02-30'],
      ['close-day', dayOf(Date.now() / 1000)],
      ['close-day', DAY, 'twice'],
      ['reset-password'],
      ['verify-audit', 'abc'],
    ];
    for (const args of refused) await expect(ask(...args)).rejects.toThrow(OperatorError);
    // A mail server pipes it so, and takes an exit code above 0 for a failure.
    expect(await script('admin', ['bounce'], env, 'Subject: I am on holiday\n\nUntil Monday.\n')).toEqual({
      code: 0,
      out: 'Not a bounce of a mail of this pool. Nothing is done.\n',
      err: '',
    });
    await expect(ask('drop-everything')).rejects.toThrow(USAGE);
    // The chain of the audit log: checked, exported, compared with a noted hash.
    const head = (await ask('verify-audit')).slice(0, 64);
    expect(await ask('verify-audit')).toBe(
      `${head}  4 entries, none changed or missing. Keep this hash elsewhere: it is what shows a removed end.`,
    );
    const entries = (await ask('export-audit')).split('\n');
    expect(entries).toHaveLength(4);
    expect(JSON.parse(entries[3] ?? '')).toMatchObject({ seq: 4, hash: head });
    await expect(ask('verify-audit', 'f'.repeat(64))).rejects.toThrow('No entry has the hash ffff');
    await running.stop();
    expect(existsSync(join(data, 'control'))).toBe(false);
    expect(await ask('verify-audit', head)).toContain('4 entries');

    // The journal of a stopped server may contain shares of the day: then the day is not closed again.
    const segment = join(data, 'journal', '00112233445566ff-0000000001.jsonl');
    writeFileSync(segment, lineAt(startOfDay(DAY) * 1000));
    await expect(ask('close-day', DAY)).rejects.toThrow(`1 shares of ${DAY} wait to be counted (${segment})`);
    rmSync(segment);

    const { rows } = await database.pool.query(
      'select action, subject, before, after, ip, user_id from audit order by id',
    );
    const byHand = { ip: 'command line', user_id: null };
    expect(rows).toEqual([
      {
        ...byHand,
        action: 'user.grant_role',
        subject: 'alice',
        before: { role: 'miner' },
        after: { role: 'admin' },
      },
      { ...byHand, action: 'user.reset_password', subject: 'alice', before: null, after: { sessionsEnded: 0 } },
      {
        ...byHand,
        action: 'payments.calculate',
        subject: DAY,
        before: null,
        after: expect.objectContaining({ days: 1 }),
      },
      { ...byHand, action: 'shares.retry_refused', subject: null, before: null, after: { files: 1 } },
    ]);
    expect(JSON.stringify(rows)).not.toContain(password);
  });

  it('late work stays late until a correction says that it pays it', async () => {
    const { pool } = database;
    const countLate = () => countWork(pool, [{ at: startOfDay(DAY), accepted: 1e9 }]);
    await countLate();
    const [late, ...others] = await lateWork(pool);
    expect([others, late]).toEqual([
      [],
      {
        day: DAY,
        account: 'alice',
        algorithm: 'SHA256_ASICBOOST',
        grossSat: expect.any(Number),
        rightSat: expect.any(Number),
        work: 2e9,
      },
    ]);
    // Twice the work, twice the gross, apart from the fraction of a satoshi that is not paid.
    expect(Math.abs((late?.rightSat ?? 0) - 2 * (late?.grossSat ?? 0))).toBeLessThanOrEqual(1);
    // A correction for another reason leaves late work late, with the same amount missing.
    const grossSat = late?.grossSat ?? 0;
    const correction = {
      account: 'alice',
      algorithm: 'SHA256_ASICBOOST',
      day: DAY,
      note: 'as agreed',
      userId: 1,
    } as const;
    const correct = (amounts: { expectedGrossSat: number; grossSat: number; paidWork?: number }) =>
      transaction(pool, (client) => adjustEarning(client, { ...correction, ...amounts }, startOfDay(DAY) + 90_000));
    const rest = (late?.rightSat ?? 0) - grossSat;
    await correct({ expectedGrossSat: grossSat, grossSat: grossSat + 7 });
    expect(await lateWork(pool)).toMatchObject([{ grossSat: grossSat + 7, rightSat: grossSat + 7 + rest }]);
    // One that pays it says which work; what came after the list was read stays late.
    const corrected = grossSat + 7 + rest;
    const [listed] = await lateWork(pool);
    const pays = { expectedGrossSat: grossSat + 7, grossSat: corrected, paidWork: listed?.work };
    await correct(pays);
    expect(await lateWork(pool)).toEqual([]);
    // Its reversal takes the payment back.
    await correct({ expectedGrossSat: corrected, grossSat: grossSat + 7 });
    expect(await lateWork(pool)).toMatchObject([{ rightSat: corrected, work: 2e9 }]);
    await countLate();
    await correct(pays);
    const [again] = await lateWork(pool, DAY);
    expect(again).toMatchObject({ account: 'alice', grossSat: corrected });
    expect(Math.abs((again?.rightSat ?? 0) - corrected - grossSat)).toBeLessThanOrEqual(2);
  });
});

describe('sealed secrets', () => {
  let folder: string;
  let database: Database & { url: string };
  beforeEach(async () => {
    folder = newFolder();
    database = await postgresDatabase();
  });
  afterEach(() => database.close());

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
});
