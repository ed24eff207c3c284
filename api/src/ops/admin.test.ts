/** The admin's command line, as processes beside a running server. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../config';
import { openDatabase } from '../db/database';
import { transaction } from '../db/transaction';
import { countBatch } from '../shares/ingest';
import { dayOf, startOfDay } from '../days';
import type { Running } from '../start';
import { USAGE } from './commands';
import { OpsError } from './failed';
import { lateWork } from './late-work';
import { admin } from './standalone';
import { DAY, fill, script, server, signIn } from './testing/product';

let folder: string;
let running: Running | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ops-'));
});
afterEach(async () => {
  await running?.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('admin, while a server runs', () => {
  it('does what it says, writes down that it was the command line, and refuses what is wrong', async () => {
    const data = join(folder, 'data');
    const env = { DATA_DIR: data };
    /** Through the running server, without a process of its own. */
    const ask = (...args: string[]): Promise<string> => admin(readConfig(env), args);
    const database = await openDatabase({ folder: join(data, 'db') });
    await fill(database);
    await database.close();
    running = await server(env);

    expect((await script('admin', ['list-users'], env)).out).toMatch(/^alice +miner +seen never\n$/);
    expect(await script('admin', ['grant-role', 'alice', 'admin'], env)).toMatchObject({
      code: 0,
      out: expect.stringContaining('alice is admin (was miner)'),
    });
    const password = /alice: (\S+)/.exec(await ask('reset-password', 'alice'))?.[1] ?? '';
    expect(await signIn(running.url, 'alice', password)).toBe(200);
    expect(await ask('close-day', DAY)).toMatch(/^1 days, 1 sub-accounts, [1-9]\d* satoshis gross/);
    // What its day did not wait for is named until somebody corrects it.
    expect(await ask('late-work')).toBe('None: every closed day is paid in full.');
    const refused = [
      ['grant-role', 'alice', 'owner'],
      ['grant-role', 'nobody', 'admin'],
      ['reset-password', 'nobody'],
      ['close-day', '2026-02-30'],
      ['close-day', dayOf(Date.now() / 1000)],
      ['close-day', DAY, 'twice'],
      ['reset-password'],
    ];
    for (const args of refused) await expect(ask(...args)).rejects.toThrow(OpsError);
    const { code, out, err } = await script('admin', ['drop-everything'], env);
    expect([code, out, err]).toEqual([1, '', `${USAGE}\n`]);
    await running.stop();
    expect(existsSync(join(data, 'control'))).toBe(false);

    const after = await openDatabase({ folder: join(data, 'db') });
    await transaction(after.pool, (client) =>
      countBatch(client, { proxyId: 'late', sequence: 1 }, [
        {
          subAccountId: 1,
          algorithm: 'SHA256_ASICBOOST',
          worker: 'rig',
          at: startOfDay(DAY),
          span: 3600,
          accepted: 1e9,
          stale: 0,
          rejected: 0,
          shares: 1,
          lastShareAt: null,
        },
      ]),
    );
    const [late, ...others] = await lateWork(after.pool, Date.now() / 1000);
    expect([others, late]).toEqual([
      [],
      {
        day: DAY,
        account: 'alice',
        algorithm: 'SHA256_ASICBOOST',
        grossSat: expect.any(Number),
        rightSat: expect.any(Number),
      },
    ]);
    // Twice the work, twice the gross, but for the fraction of a satoshi that is not paid.
    expect(Math.abs((late?.rightSat ?? 0) - 2 * (late?.grossSat ?? 0))).toBeLessThanOrEqual(1);
    const { rows } = await after.pool.query(
      'select action, subject, before, after, ip, user_id from audit order by id',
    );
    expect(rows).toEqual([
      {
        action: 'user.grant_role',
        subject: 'alice',
        before: { role: 'miner' },
        after: { role: 'admin' },
        ip: 'command line',
        user_id: null,
      },
      {
        action: 'user.reset_password',
        subject: 'alice',
        before: null,
        after: { sessionsEnded: 0 },
        ip: 'command line',
        user_id: null,
      },
      {
        action: 'payments.calculate',
        subject: DAY,
        before: null,
        after: expect.objectContaining({ days: 1 }),
        ip: 'command line',
        user_id: null,
      },
    ]);
    expect(JSON.stringify(rows)).not.toContain(password);
    await after.close();
  }, 240_000);
});
