/** Which version of a remote is served to whom, and who may move its pointer. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { abilityFor, type Rule } from '@pool/shared/ability';
import { createLog } from '../platform/log';
import { eventually } from '../testing/eventually';
import { movePointer, readPointer } from './pointers';
import { RemoteRegistry } from './registry';
import { mapManifest } from './testing/manifest';

let folder: string;
let home: string;
let registry: RemoteRegistry;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'serving-'));
  home = join(folder, 'map');
  for (const version of ['1.0.0', '1.1.0']) deploy(version);
  await serve({ version: '1.0.0' });
  registry = new RemoteRegistry(folder, createLog('silent'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function deploy(version: string, more: object = {}, name = 'map'): void {
  const manifest = JSON.stringify({ ...mapManifest(version), ...more }).replaceAll('map', name);
  mkdirSync(join(folder, name, version), { recursive: true });
  writeFileSync(join(folder, name, version, 'manifest.json'), manifest);
}
type To = Parameters<RemoteRegistry['switchTo']>[1]['to'];
const serve = (to: To, name = 'map', at = new Date()) =>
  movePointer(join(folder, name), { at, who: 'team', what: to.canary ? 'canary' : 'publish', to });
const switchTo = (to: To, expected = true, name = 'map') =>
  registry.switchTo(name, { who: 'boss', what: 'promote', to, at: new Date() }, () => expected);

const ADMINS: Rule = { action: 'manage', subject: 'admin' };
const miner = { user: { id: 1, userName: 'miner' }, ability: abilityFor({ role: 'miner', isLegacyUser: false }) };
const admin = { user: { id: 2, userName: 'boss' }, ability: abilityFor({ role: 'admin', isLegacyUser: false }) };

it('a pointer moves to versions that are there, from the one that is expected, once', async () => {
  const canary = { version: '9.9.9', percent: 10 };
  const others = [{ version: '9.9.9' }, { version: '1.1.0', canary }, { version: '../map/1.1.0' }];
  expect(await Promise.all(others.map((to) => switchTo(to)))).toEqual([null, null, null]);
  expect([await switchTo({ version: '1.1.0' }, false), await switchTo({ version: '1.1.0' }, true, 'none')]).toEqual([
    null,
    null,
  ]);
  expect(await readPointer(home)).toEqual({ version: '1.0.0' });
  expect(await registry.listFor(null)).toMatchObject([{ version: '1.0.0' }]);
  expect(await switchTo({ version: '1.1.0' })).toEqual({ version: '1.0.0' });
  // It is noticed at once where it was moved.
  expect(await registry.listFor(null)).toMatchObject([{ version: '1.1.0' }]);
});

it.each([
  ['map', '1.1.0', true],
  ['map', '1.2.0', false],
  ['map', '../map/1.1.0', false],
  ['../map', '1.1.0', false],
  ['Map', '1.1.0', false],
])('%s %s is there: %s', async (name, version, there) => {
  expect(await registry.isThere(name, version)).toBe(there);
  expect(await registry.access(name, version)).toEqual({ kind: there ? 'everybody' : 'nobody' });
});

it.each([
  ['everybody', undefined, undefined, false],
  ['admins, by its own rule', ADMINS, undefined, true],
  ['admins, by the rule of the version that is served', undefined, ADMINS, true],
])('files of a version are of %s', async (_, own, current, isGated) => {
  deploy('1.2.0', { requires: own });
  deploy('1.3.0', { requires: current });
  await serve({ version: '1.3.0' });
  const access = await registry.access('map', '1.2.0');
  expect(access).toEqual(isGated ? { kind: 'gated', rules: [own, current] } : { kind: 'everybody' });
  const meets = [null, miner, admin].map((me) => RemoteRegistry.meets(me, [own, current]));
  expect(meets).toEqual([false, !isGated, true]);
  // A version that no pointer serves is for the users that its manifest names.
  rmSync(join(home, 'current.json'));
  await eventually(
    async () => (await registry.access('map', '1.2.0')).kind === (own ? 'gated' : 'everybody'),
    'the end of the pointer',
  );
});

it('who is served the canary is told it last, everybody else the current version; it is as old as its move', async () => {
  expect([await registry.hasCanary(), await registry.deployedVersions(miner)]).toEqual([false, ['map/1.0.0']]);
  expect(Math.abs((await registry.canarySince('map')) - Date.now())).toBeLessThan(60_000);
  const began = new Date('2026-11-01T00:00:00Z');
  await serve({ version: '1.0.0', canary: { version: '1.1.0', percent: 100 } }, 'map', began);
  deploy('1.0.0', {}, 'plan');
  await serve({ version: '1.0.0' }, 'plan');
  registry = new RemoteRegistry(folder, createLog('silent'));
  expect(await registry.hasCanary()).toBe(true);
  expect(await registry.deployedVersions(null)).toEqual(['map/1.1.0', 'map/1.0.0', 'plan/1.0.0']);
  expect(await registry.deployedVersions(miner)).toEqual(['map/1.0.0', 'map/1.1.0', 'plan/1.0.0']);
  expect(await registry.canarySince('map')).toBe(began.getTime());
  expect([await registry.pointerOf('plan'), await registry.pointerOf('none')]).toEqual([{ version: '1.0.0' }, null]);
  // A canary whose files are gone is nobody's.
  rmSync(join(home, '1.1.0'), { recursive: true });
  registry = new RemoteRegistry(folder, createLog('silent'));
  expect((await registry.listFor(miner)).map(({ name, version }) => [name, version])).toEqual([
    ['map', '1.0.0'],
    ['plan', '1.0.0'],
  ]);
});

it('remotes are in the order of their navigation, then by name, each for whom may load it', async () => {
  const order = (n: number) => [{ path: '/map', label: 'map.nav', icon: 'workers', order: n }];
  const remotes = [
    ['plan', { nav: order(9) }],
    ['last', { nav: order(10) }],
    ['first', { nav: [] }],
    ['bills', { nav: order(9) }],
    ['office', { nav: order(1), requires: ADMINS }],
  ] as const;
  for (const [name, more] of remotes) {
    deploy('1.0.0', more, name);
    await serve({ version: '1.0.0' }, name);
  }
  const names = async (me: typeof miner | null) => (await registry.listFor(me)).map(({ name }) => name);
  const ofAll = ['first', 'map', 'bills', 'plan', 'last'];
  expect(await names(null)).toEqual(ofAll);
  expect(await names(miner)).toEqual(ofAll);
  expect(await names(admin)).toEqual(['first', 'office', 'map', 'bills', 'plan', 'last']);
});

it('an overview has each version that is there, the newest first, and nothing else of its folder', async () => {
  utimesSync(join(home, '1.1.0'), 1, 1);
  utimesSync(join(home, '1.0.0'), 2, 2);
  mkdirSync(join(home, '.git'));
  writeFileSync(join(home, '1.2.0'), 'no folder');
  deploy('1.1.0', { connect: ['https://rates.example'], budget: { all: 100 } });
  await serve({ version: '1.0.0', canary: { version: '1.1.0', percent: 1 } });
  utimesSync(join(home, '1.1.0'), 1, 1);
  const [map] = await registry.overview();
  // What the canary asks may be granted before everybody has it.
  const connect = [{ origin: 'https://rates.example', allowed: false }];
  expect(map).toMatchObject({ name: 'map', budget: null, places: ['dashboard'], connect, flags: [] });
  expect(map?.versions).toEqual([
    { version: '1.0.0', deployedAt: new Date(2000) },
    { version: '1.1.0', deployedAt: new Date(1000) },
  ]);
  // A clock that is ahead makes no version newer than now.
  utimesSync(join(home, '1.1.0'), 4e9, 4e9);
  expect((await registry.overview())[0]?.versions[0]?.deployedAt.getTime()).toBeLessThanOrEqual(Date.now());
});

it('a part that is switched off stays off in the next version, beside others, until it is switched on', async () => {
  const made = { who: 'boss', at: new Date() };
  const turn = (place: 'dashboard' | 'worker', off: boolean) => registry.switchSlot('map', place, off, made);
  expect(await registry.switchSlot('none', 'dashboard', true, made)).toBe(false);
  expect([await turn('dashboard', false), await turn('dashboard', true), await turn('dashboard', true)]).toEqual([
    false,
    true,
    false,
  ]);
  expect(await registry.listFor(null)).toMatchObject([{ slots: [] }]);
  expect(await turn('worker', true)).toBe(true);
  // Its team takes it away and brings it back.
  await movePointer(home, { ...made, what: 'withdraw', to: { version: '1.0.0' } });
  expect(await readPointer(home)).toBeNull();
  await serve({ version: '1.1.0' });
  expect(await readPointer(home)).toEqual({ version: '1.1.0', slotsOff: ['dashboard', 'worker'] });
  expect([await turn('dashboard', false), await turn('worker', false)]).toEqual([true, true]);
  expect(await readPointer(home)).toEqual({ version: '1.1.0' });
});

it('what a team is told of its canary is written when it changes', async () => {
  const at = join(home, 'canary.txt');
  await registry.tellCanary('map', 'nobody told');
  const { ino } = statSync(at);
  await registry.tellCanary('map', 'nobody told');
  expect(statSync(at).ino).toBe(ino);
  await registry.tellCanary('map', 'all is well');
  expect(readFileSync(at, 'utf8')).toBe('all is well\n');
});

it('what is moved elsewhere is told within a second, once, until nobody listens', async () => {
  const other = mkdtempSync(join(tmpdir(), 'serving-'));
  mkdirSync(join(other, 'map'));
  const told = { map: 0, clock: 0 };
  const end = registry.pointers.watch(() => (told.map += 1));
  const clock = new RemoteRegistry(other, createLog('silent'));
  await clock.listFor(null);
  const endClock = clock.pointers.watch(() => (told.clock += 1));
  /** Both have looked since. */
  const looked = async (): Promise<number> => {
    const next = told.clock + 1;
    await movePointer(join(other, 'map'), {
      at: new Date(),
      who: 'team',
      what: 'publish',
      to: { version: `1.${next}.0` },
    });
    await eventually(() => told.clock === next, 'the other folder');
    return told.map;
  };
  expect(await looked()).toBe(0);
  await serve({ version: '1.1.0' });
  await eventually(() => told.map === 1, 'the move');
  expect(await looked()).toBe(1);
  end();
  await serve({ version: '1.0.0' });
  expect(await looked()).toBe(1);
  endClock();
  rmSync(other, { recursive: true });
});

it('what was withdrawn is told until it is served again, to anybody', async () => {
  // The last ten are told.
  const last = ['1.0.0', ...Array.from({ length: 9 }, (_, minor) => `0.${minor}.0`)];
  await serve({ version: '1.1.0', withdrawn: ['0.0.1', ...last] });
  expect(await registry.listFor(null)).toMatchObject([{ version: '1.1.0', withdrawn: last }]);
  await serve({ version: '1.1.0', canary: { version: '0.8.0', percent: 10 } });
  expect((await readPointer(home))?.withdrawn).toEqual(last.slice(0, -1));
  await serve({ version: '1.0.0' });
  expect(await readPointer(home)).toEqual({ version: '1.0.0', withdrawn: last.slice(1, -1) });
});

it('a folder that no remote may have is none, nor is one that is not there', async () => {
  deploy('1.0.0', {}, 'Map');
  await serve({ version: '1.0.0' }, 'Map');
  expect(await registry.deployedVersions(null)).toEqual(['map/1.0.0']);
  expect(await new RemoteRegistry(join(folder, 'none'), createLog('silent')).listFor(null)).toEqual([]);
});
