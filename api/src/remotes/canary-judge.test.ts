/** The server decides about a canary by what browsers report. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testApp, type Person, type TestApp } from '../http/testing/test-app';
import { readHistory, readPointer } from './pointers';
import { mapManifest } from './testing/manifest';

const folder = mkdtempSync(join(tmpdir(), 'remotes-'));
const home = join(folder, 'map');

let test: TestApp;
let admin: Person;
let miners: Person[];
beforeAll(async () => {
  for (const version of ['1.0.0', '1.1.0']) {
    mkdirSync(join(home, version), { recursive: true });
    writeFileSync(join(home, version, 'manifest.json'), JSON.stringify(mapManifest(version)));
  }
  writeFileSync(join(home, 'current.json'), '{"version":"1.0.0"}');
  test = await testApp({ env: { REMOTES_DIR: folder } });
  admin = await test.person('boss', { role: 'admin' });
  miners = await Promise.all(Array.from({ length: 12 }, (_, n) => test.person(`miner-${n}`)));
});
afterAll(async () => {
  await test.close();
  rmSync(folder, { recursive: true });
});

const listed = async (who: Person) =>
  ((await who.call('/api/remotes')).body as { version: string; withdrawn?: string[] }[])[0];

it('takes a canary back that crashes, tells the admins why, and open pages to replace it', async () => {
  const body = {
    version: '1.0.0',
    canary: { version: '1.1.0', percent: 50 },
    expected: { version: '1.0.0', canary: null },
  };
  expect((await admin.call('/api/admin/remotes/map', { method: 'PUT', body })).status).toBe(200);
  for (const miner of miners) {
    const { version = '' } = (await listed(miner)) ?? {};
    const about = { remote: 'map', version };
    const crash = { kind: 'crash', ...about, message: 'Error: x', stack: '', count: 10, faultyMounts: 10 };
    const report = {
      shell: '',
      mounts: Array.from({ length: 10 }, () => ({ ...about, ms: 300 })),
      errors: version === '1.1.0' ? [crash] : [],
    };
    expect((await miner.call('/api/client-errors', { method: 'POST', body: report })).status).toBe(200);
  }
  expect(await readPointer(home)).toEqual({ version: '1.0.0', withdrawn: ['1.1.0'] });
  const why = expect.stringMatching(/^errors in 100 % of \d+ mounts; 1\.0\.0: 0 % of \d+$/);
  expect((await readHistory(home)).at(-1)).toMatchObject({ who: 'pool', what: 'rollback', why });
  expect(await listed(admin)).toMatchObject({ version: '1.0.0', withdrawn: ['1.1.0'] });
  expect((await admin.call('/api/notifications')).body).toMatchObject({
    notifications: [{ kind: 'canary_rollback', values: { remote: 'map', version: '1.1.0', why } }],
  });
});
