/** The server decides about a canary by what browsers report. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testApp, type Person, type TestApp } from '../http/testing/test-app';
import { eventually } from '../testing/eventually';
import { LEAST_USERS } from './canary';
import type { ClientReport } from './figures';
import { movePointer, readHistory, readPointer } from './pointers';
import { mapManifest } from './testing/manifest';
import { versionFor, type Caller } from './version-for';

const folder = mkdtempSync(join(tmpdir(), 'remotes-'));
const home = join(folder, 'map');
const OTHERS = ['farm', 'lab', 'power'];
/** What everybody has. */
const GOOD = '1.0.0';

const NAMES = ['boss', ...Array.from({ length: 19 }, (_, n) => `miner-${n}`)];
/** Canaries that half of the users get. */
const CANARIES = Array.from({ length: 200 }, (_, n) => `1.${n + 1}.0`).filter((version) => {
  const pointer = { version: GOOD, canary: { version, percent: 50 } };
  const users = NAMES.map((userName) => ({ user: { userName } }) as Caller);
  return users.filter((me) => versionFor(me, pointer) === version).length === NAMES.length / 2;
});
let next = 0;
const nextCanary = (): string => CANARIES[(next += 1)] ?? '';

let test: TestApp;
let admin: Person;
let users: Person[];

function deploy(name: string, versions: readonly string[]): void {
  for (const version of versions) {
    mkdirSync(join(folder, name, version), { recursive: true });
    const manifest = JSON.stringify(mapManifest(version)).replaceAll('map', name);
    writeFileSync(join(folder, name, version, 'manifest.json'), manifest);
  }
  writeFileSync(join(folder, name, 'current.json'), JSON.stringify({ version: GOOD }));
}

beforeAll(async () => {
  deploy('map', [GOOD, ...CANARIES]);
  for (const name of OTHERS) deploy(name, [GOOD]);
  test = await testApp({ env: { REMOTES_DIR: folder } });
  admin = await test.person('boss', { role: 'admin' });
  users = [admin, ...(await Promise.all(NAMES.slice(1).map((name) => test.person(name))))];
});
afterAll(async () => {
  await test.close();
  rmSync(folder, { recursive: true });
});

type Listed = { name: string; version: string; withdrawn?: string[] };
const listOf = async (who: Person) => (await who.call('/api/remotes')).body as Listed[];
const mapOf = async (who: Person) => (await listOf(who)).find(({ name }) => name === 'map')!;
const othersOf = async (who: Person) => (await listOf(who)).filter(({ name }) => name !== 'map');

/** How mounts of a version end: their time, and what is reported of each; `late`: in a report of its own, after theirs. */
type Mounts = { ms: number | null; kind?: ClientReport['errors'][number]['kind']; late?: boolean };

/**
 * Each user opens the page three times, in the version that the pool gives. Returns the users of the canary and of the
 * other version who told of it before the pointer moved; null: it did not move. `addressOf`: the address of the user
 * with this number.
 */
async function open(
  canary: string,
  how: Mounts,
  addressOf = (user: number) => `10.0.${user}.1`,
): Promise<[number, number] | null> {
  const told: [number, number] = [0, 0];
  const began = JSON.stringify(await readPointer(home));
  for (const [index, user] of users.entries()) {
    const { version } = await mapOf(user);
    const { ms, kind, late }: Mounts = version === canary ? how : { ms: 300 };
    const about = { remote: 'map', version };
    // A slow mount is no faulty one (shell/src/client-errors/reporter.ts).
    const error = { kind, ...about, message: 'x', stack: '', count: 3, faultyMounts: kind === 'slow' ? 0 : 3 };
    const mounts = Array.from({ length: 3 }, () => ({ ...about, ms }));
    const errors = kind ? [error] : [];
    for (const part of late ? [{ mounts }, { errors }] : [{ mounts, errors }]) {
      const body = { shell: '', mounts: [], errors: [], ...part };
      expect((await user.call('/api/client-errors', { method: 'POST', body, address: addressOf(index) })).status).toBe(
        200,
      );
    }
    if (JSON.stringify(await readPointer(home)) !== began) return told;
    told[version === canary ? 0 : 1] += 1;
  }
  return null;
}

it.each<[string, Mounts, RegExp]>([
  ['crashes', { ms: 300, kind: 'crash' }, /^errors in 100 % of \d+ mounts, at 100 % of \d+ users; 1\.0\.0: in 0 %/],
])('takes back a canary that %s, with the report that is enough, and tells the admins', async (_, how, why) => {
  const version = nextCanary();
  const others = await Promise.all(users.map(othersOf));
  const body = { version: GOOD, canary: { version, percent: 50 }, expected: { version: GOOD, canary: null } };
  expect((await admin.put('/api/admin/remotes/map', body)).status).toBe(200);

  // The answer to the report comes after the move: nothing waits for a clock.
  expect(Math.min(...(await open(version, how))!)).toBe(LEAST_USERS - 1);
  const withdrawn: unknown = expect.arrayContaining([version]);
  expect(await readPointer(home)).toEqual({ version: GOOD, withdrawn });
  const reason: unknown = expect.stringMatching(why);
  expect((await readHistory(home)).at(-1)).toMatchObject({ who: 'pool', what: 'rollback', why: reason });
  expect(await mapOf(admin)).toMatchObject({ version: GOOD, withdrawn });
  const { notifications } = (await admin.call('/api/notifications')).body as { notifications: object[] };
  expect(notifications[0]).toMatchObject({
    kind: 'canary_rollback',
    values: { remote: 'map', version, why: reason },
  });
  // Users of the other remotes notice nothing.
  expect(others[0]).toHaveLength(OTHERS.length);
  expect(await Promise.all(users.map(othersOf))).toEqual(others);
});

/** A team's canary for half of the users, since so many minutes. */
async function begin(version: string, more: { auto?: number } = {}, minutes = 0): Promise<void> {
  const to = { version: GOOD, canary: { version, percent: 50, ...more } };
  await movePointer(home, { at: new Date(Date.now() - minutes * 60_000), who: 'team', what: 'canary', to });
  await eventually(
    async () => (await Promise.all(users.map(mapOf))).some((map) => map.version === version),
    'the canary is served',
  );
}

it('twenty accounts at one site decide nothing', async () => {
  const version = nextCanary();
  await begin(version);
  expect(await open(version, { ms: 300, kind: 'crash' }, (user) => `10.0.0.${user}`)).toBeNull();
});

it('promotes a canary that is as good after its time, if that was asked for', async () => {
  const version = nextCanary();
  await begin(version, { auto: 60 }, 61);
  expect(Math.min(...(await open(version, { ms: 310 }))!)).toBe(LEAST_USERS - 1);
  expect(await readPointer(home)).toMatchObject({ version });
  const why: unknown = expect.stringMatching(/^as good as 1\.0\.0 after 60 min: errors in 0 % of \d+ mounts/);
  expect((await readHistory(home)).at(-1)).toMatchObject({ who: 'pool', what: 'promote', why });
  expect((await mapOf(admin)).version).toBe(version);
});
