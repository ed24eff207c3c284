/** The server decides about a canary by what browsers report. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testApp, type Person, type TestApp } from '../http/testing/test-app';
import { eventually } from '../testing/eventually';
import { LEAST_MOUNTS } from './canary';
import type { ClientReport } from './figures';
import { movePointer, readHistory, readPointer } from './pointers';
import { mapManifest } from './testing/manifest';

const folder = mkdtempSync(join(tmpdir(), 'remotes-'));
const home = join(folder, 'map');
const OTHERS = ['farm', 'lab', 'power'];
/** What everybody has. */
const GOOD = '1.0.0';

let test: TestApp;
let admin: Person;
let miners: Person[];

function deploy(name: string, versions: readonly string[]): void {
  for (const version of versions) {
    mkdirSync(join(folder, name, version), { recursive: true });
    const manifest = JSON.stringify(mapManifest(version)).replaceAll('map', name);
    writeFileSync(join(folder, name, version, 'manifest.json'), manifest);
  }
  writeFileSync(join(folder, name, 'current.json'), JSON.stringify({ version: GOOD }));
}

beforeAll(async () => {
  deploy('map', [GOOD, '1.1.0', '1.2.0', '1.3.0', '1.4.0', '1.5.0']);
  for (const name of OTHERS) deploy(name, [GOOD]);
  test = await testApp({ env: { REMOTES_DIR: folder } });
  admin = await test.person('boss', { role: 'admin' });
  miners = await Promise.all(Array.from({ length: 16 }, (_, n) => test.person(`miner-${n}`)));
});
afterAll(async () => {
  await test.close();
  rmSync(folder, { recursive: true });
});

type Listed = { name: string; version: string; withdrawn?: string[] };
const listOf = async (who: Person) => (await who.call('/api/remotes')).body as Listed[];
const mapOf = async (who: Person) => (await listOf(who)).find(({ name }) => name === 'map')!;
const othersOf = async (who: Person) => (await listOf(who)).filter(({ name }) => name !== 'map');

/** How mounts of a version end: their time, and what is reported of each. */
type Mounts = { ms: number | null; kind?: ClientReport['errors'][number]['kind'] };

/**
 * Each miner opens the page ten times, in the version that the pool gives. Returns the mounts of the canary and of the
 * other version that were reported before those with which the pointer moved; null: it did not move.
 */
async function open(canary: string, how: Mounts): Promise<[number, number] | null> {
  const mounts: [number, number] = [0, 0];
  const began = JSON.stringify(await readPointer(home));
  for (const miner of miners) {
    const { version } = await mapOf(miner);
    const { ms, kind }: Mounts = version === canary ? how : { ms: 300 };
    const about = { remote: 'map', version };
    // A slow mount is no faulty one (shell/src/client-errors/reporter.ts).
    const error = { kind, ...about, message: 'x', stack: '', count: 10, faultyMounts: kind === 'slow' ? 0 : 10 };
    const body = {
      shell: '',
      mounts: Array.from({ length: 10 }, () => ({ ...about, ms })),
      errors: kind ? [error] : [],
    };
    expect((await miner.call('/api/client-errors', { method: 'POST', body })).status).toBe(200);
    if (JSON.stringify(await readPointer(home)) !== began) return mounts;
    mounts[version === canary ? 0 : 1] += 10;
  }
  return null;
}

it.each<[string, string, Mounts, RegExp]>([
  ['crashes', '1.1.0', { ms: 300, kind: 'crash' }, /^errors in 100 % of \d+ mounts; 1\.0\.0: 0 % of \d+$/],
  ['rejects', '1.2.0', { ms: 300, kind: 'rejection' }, /^errors in 100 % of \d+ mounts/],
  ['hangs', '1.3.0', { ms: null, kind: 'unfinished' }, /^errors in 100 % of \d+ mounts/],
  ['is slow', '1.4.0', { ms: 4_000, kind: 'slow' }, /^95 % mounted within 4000 ms of \d+ mounts; 1\.0\.0: 300 ms/],
])(
  'takes back a canary that %s, with the report that is enough, and tells the admins',
  async (_, version, how, why) => {
    const others = await Promise.all(miners.map(othersOf));
    const body = { version: GOOD, canary: { version, percent: 50 }, expected: { version: GOOD, canary: null } };
    expect((await admin.call('/api/admin/remotes/map', { method: 'PUT', body })).status).toBe(200);

    // The answer to the report comes after the move: nothing waits for a clock.
    expect(Math.min(...(await open(version, how))!)).toBe(LEAST_MOUNTS - 10);
    expect(await readPointer(home)).toEqual({ version: GOOD, withdrawn: [version] });
    const reason: unknown = expect.stringMatching(why);
    expect((await readHistory(home)).at(-1)).toMatchObject({ who: 'pool', what: 'rollback', why: reason });
    expect(await mapOf(admin)).toMatchObject({ version: GOOD, withdrawn: [version] });
    const { notifications } = (await admin.call('/api/notifications')).body as { notifications: object[] };
    expect(notifications[0]).toMatchObject({
      kind: 'canary_rollback',
      values: { remote: 'map', version, why: reason },
    });
    // Users of the other remotes notice nothing.
    expect(others[0]).toHaveLength(OTHERS.length);
    expect(await Promise.all(miners.map(othersOf))).toEqual(others);
  },
);

it('promotes a canary that is as good after its time, if that was asked for', async () => {
  const to = { version: GOOD, canary: { version: '1.5.0', percent: 50, auto: 60 } };
  const at = new Date(Date.now() - 61 * 60_000);
  await movePointer(home, { at, who: 'team', what: 'canary', to });
  await eventually(
    async () => (await Promise.all(miners.map(mapOf))).some(({ version }) => version === '1.5.0'),
    'the canary is served',
  );
  expect(Math.min(...(await open('1.5.0', { ms: 310 }))!)).toBe(LEAST_MOUNTS - 10);
  expect(await readPointer(home)).toEqual({ version: '1.5.0' });
  const why: unknown = expect.stringMatching(/^as good as 1\.0\.0 after 60 min and \d+ mounts$/);
  expect((await readHistory(home)).at(-1)).toMatchObject({ who: 'pool', what: 'promote', why });
  expect((await mapOf(admin)).version).toBe('1.5.0');
});
