/** The admins' overview and system page, and switching the version of a remote. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testApp, type Answer, type Person, type TestApp } from '../../testing/test-app';

const manifest = (version: string) => ({
  name: 'map',
  contract: 1,
  basePath: '/map',
  nav: [{ path: '/map', label: 'map.nav', icon: 'workers', order: 5 }],
  version,
  entry: `/remotes/map/${version}/remoteEntry.js`,
  preload: [],
  files: {},
});

describe('the system', () => {
  let test: TestApp;
  let admin: Person;
  let miner: Person;
  const folder = mkdtempSync(join(tmpdir(), 'remotes-'));
  const current = () => JSON.parse(readFileSync(join(folder, 'map/current.json'), 'utf8')) as object;

  beforeAll(async () => {
    for (const version of ['1.0.0', '1.1.0']) {
      mkdirSync(join(folder, 'map', version), { recursive: true });
      writeFileSync(join(folder, 'map', version, 'manifest.json'), JSON.stringify(manifest(version)));
    }
    writeFileSync(join(folder, 'map/current.json'), '{"version":"1.0.0"}');
    test = await testApp({
      env: { REMOTES_DIR: folder },
      uncounted: async () => [{ day: '2026-11-18', why: 'refused', lines: 7, paths: ['x'] }],
    });
    admin = await test.person('boss', { role: 'admin' });
    miner = await test.person('miner');
    await test.database.pool.query(
      `insert into payment (sub_account_id, period_from, period_to, amount_sat)
       select id, '2026-11-18', '2026-11-18', 700 from sub_account where name = 'miner'`,
    );
    await test.visitor.call('/api/requestBonus?email=a@example.com', { method: 'POST' });
  });
  afterAll(async () => {
    await test.close();
    rmSync(folder, { recursive: true });
  });

  const put = (name: string, body: unknown, who = admin): Promise<Answer> =>
    who.call(`/api/admin/remotes/${name}`, { method: 'PUT', body });

  it('says what needs a person, and nothing else', async () => {
    expect((await admin.call('/api/admin/overview')).body).toMatchObject({
      users: 2,
      unpaidSat: 0,
      payments: [{ status: 'pending', count: 1, totalSat: 700 }],
      oldestPendingAt: expect.any(String),
      tasks: [
        { task: 'payments_pending', count: 1 },
        { task: 'shares_refused', count: 7 },
        { task: 'bonus_new', count: 1 },
        { task: 'price_stale', count: 1 },
      ],
    });
    expect((await miner.call('/api/admin/overview')).status).toBe(403);
  });

  it('switches a remote to another version, to a share of the users, and back; with who did it', async () => {
    const system = async () =>
      (await admin.call('/api/admin/system')).body as { remotes: { name: string; history: unknown[] }[] };
    expect(await system()).toMatchObject({
      proxy: { connections: 0, sharesPerSecond: 0 },
      uncounted: [{ day: '2026-11-18', why: 'refused', shares: 7 }],
      database: { migrations: expect.any(Number), bytes: expect.any(Number) },
      job: null,
      remotes: [{ name: 'map', version: '1.0.0', canary: null, history: [] }],
    });
    const was = { version: '1.0.0', canary: null };
    const canary = { version: '1.0.0', canary: { version: '1.1.0', percent: 10 } };
    expect((await put('map', { ...canary, expected: was })).body).toEqual(canary);
    expect(current()).toEqual(canary);
    // Another admin has read the pointer of before.
    expect((await put('map', { version: '1.1.0', canary: null, expected: was })).code).toBe('changed_meanwhile');
    expect((await put('map', { version: '1.1.0', canary: null, expected: canary })).status).toBe(200);
    expect(current()).toEqual({ version: '1.1.0' });
    expect(((await miner.call('/api/remotes')).body as { version: string }[]).map(({ version }) => version)).toEqual([
      '1.1.0',
    ]);
    const now = { version: '1.1.0', canary: null };
    for (const version of ['9.9.9', '..'])
      expect([400, 409]).toContain((await put('map', { version, canary: null, expected: now })).status);
    expect((await put('nothing', { ...was, expected: now })).status).toBe(404);
    expect((await put('map', { ...was, expected: now }, miner)).status).toBe(403);
    expect((await put('map', { ...was, expected: now })).body).toEqual(was);
    const moves = ['rollback', 'promote', 'canary'].map((what) => ({ who: 'boss', what }));
    expect((await system()).remotes[0]?.history).toMatchObject(moves);
  });
});
