/** The admin's command line, as processes beside a running server. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../db/database';
import { transaction } from '../db/transaction';
import { countBatch } from '../pool/ingest';
import { dayOf, startOfDay } from '../pool/prices';
import type { Running } from '../start';
import { lateWork } from './late-work';
import { DAY, fill, script, server, signIn } from './testing';

let folder: string;
let running: Running | undefined;
beforeEach(() => { folder = mkdtempSync(join(tmpdir(), 'ops-')); });
afterEach(async () => {
  await running?.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('admin, while a server runs', () => {
  it('does what it says, writes down that it was the command line, and refuses what is wrong', async () => {
    const data = join(folder, 'data');
    const env = { DATA_DIR: data };
    const admin = (...args: string[]) => script('admin', args, env);
    const database = await openDatabase({ folder: join(data, 'db') });
    await fill(database);
    await database.close();
    running = await server(env);

    expect((await admin('list-users')).out).toMatch(/^alice +miner +seen never\n$/);
    expect(await admin('grant-role', 'alice', 'admin')).toMatchObject({ code: 0, out: expect.stringContaining('alice is admin (was miner)') });
    const password = /alice: (\S+)/.exec((await admin('reset-password', 'alice')).out)?.[1] ?? '';
    expect(await signIn(running.url, 'alice', password)).toBe(200);
    expect((await admin('close-day', DAY)).out).toMatch(/^1 days, 1 sub-accounts, [1-9]\d* satoshis gross/);
    // What its day did not wait for is named until somebody corrects it.
    expect((await admin('late-work')).out).toBe('None: every closed day is paid in full.\n');
    const refused = [['grant-role', 'alice', 'owner'], ['grant-role', 'nobody', 'admin'], ['reset-password', 'nobody'], ['close-day', '2026-02-30'], ['close-day', dayOf(Date.now() / 1000)], ['close-day', DAY, 'twice'], ['reset-password'], ['drop-everything']];
    for (const args of refused) {
      const { code, out, err } = await admin(...args);
      expect([args, code, out]).toEqual([args, 1, '']);
      expect(err).not.toMatch(/ at .*\.ts/);
    }
    await running.stop();
    expect(existsSync(join(data, 'control'))).toBe(false);

    const after = await openDatabase({ folder: join(data, 'db') });
    await transaction(after.pool, (client) => countBatch(client, { proxyId: 'late', sequence: 1 }, [{ subAccountId: 1, algorithm: 'SHA256_ASICBOOST', worker: 'rig', at: startOfDay(DAY), span: 3600, accepted: 1e9, stale: 0, rejected: 0, shares: 1, lastShareAt: null }]));
    const [late, ...others] = await lateWork(after.pool, Date.now() / 1000);
    expect([others, late]).toEqual([[], { day: DAY, account: 'alice', algorithm: 'SHA256_ASICBOOST', grossSat: expect.any(Number), rightSat: expect.any(Number) }]);
    // Twice the work, twice the gross, but for the fraction of a satoshi that is not paid.
    expect(Math.abs((late?.rightSat ?? 0) - 2 * (late?.grossSat ?? 0))).toBeLessThanOrEqual(1);
    const { rows } = await after.pool.query("select action, subject, before, after, ip, user_id from audit order by id");
    expect(rows).toEqual([
      { action: 'user.grant_role', subject: 'alice', before: { role: 'miner' }, after: { role: 'admin' }, ip: 'command line', user_id: null },
      { action: 'user.reset_password', subject: 'alice', before: null, after: { sessionsEnded: 0 }, ip: 'command line', user_id: null },
      { action: 'payments.calculate', subject: DAY, before: null, after: expect.objectContaining({ days: 1 }), ip: 'command line', user_id: null },
    ]);
    expect(JSON.stringify(rows)).not.toContain(password);
    await after.close();
  }, 120_000);
});
