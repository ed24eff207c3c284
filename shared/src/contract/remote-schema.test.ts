import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { abilityFor, createAbility, pagesOf, withSubjects } from './ability';
import type { RemoteManifest } from '.';
import { faultsOf, remoteManifestOf, remoteSource } from './remote-schema';

const ADMIN = { action: 'manage', subject: 'admin' } as const;
const WORKERS = { action: 'read', subject: 'workers' } as const;
const limits = (action: string) => ({ action, subject: 'power.limits' });
const source = (over: object = {}) => ({
  name: 'power',
  contract: 1,
  basePath: '/power',
  subjects: { 'power.limits': { read: WORKERS, manage: ADMIN } },
  nav: [],
  ...over,
});
const faults = (over: object) => {
  const { error } = remoteSource('power').safeParse(source(over));
  return error ? faultsOf(error) : [];
};
const slot = { place: 'dashboard', part: 'card', label: 'power.card' };
const isNone = 'is no subject of the pool, and `subjects` does not say who has this action of it';

test('a remote is not called as texts of the shell begin', () => {
  const folders = ['shell', 'shared'].map((unit) => path.join(__dirname, '../../..', unit, 'locales'));
  const files = folders.flatMap((folder) => readdirSync(folder).map((name) => path.join(folder, name)));
  const keys = files.flatMap((file) => Object.keys(JSON.parse(readFileSync(file, 'utf8')) as object));
  const names = new Set(keys.map((key) => key.split('.')[0] ?? '').filter((name) => /^[a-z0-9-]+$/.test(name)));
  expect(names.size).toBeGreaterThan(20);
  for (const name of names) {
    const { error } = remoteSource(name).safeParse(source({ name, subjects: {} }));
    expect(error && faultsOf(error)).toEqual([`name: '${name}' is a name of the pool's own texts`]);
  }
});

test('a rule on a subject of the remote’s own is the pool’s that it names, wherever it stands', () => {
  const nav = { path: '/power/', label: 'power.nav', icon: 'workers', order: 1, requires: limits('read') };
  const commands = [{ path: '/power/', label: 'power.nav', requires: limits('manage') }];
  expect(remoteSource('power').parse(source({ requires: limits('read'), nav: [nav], commands }))).toMatchObject({
    requires: WORKERS,
    nav: [{ requires: WORKERS }],
    commands: [{ requires: ADMIN }],
    subjects: { 'power.limits': { read: WORKERS, manage: ADMIN } },
  });
});

test.each<[object, string]>([
  [{ requires: { action: 'read', subject: 'power.reports' } }, `requires.subject: ${isNone}`],
  [{ requires: limits('manage'), subjects: { 'power.limits': { read: WORKERS } } }, `requires.subject: ${isNone}`],
  [{ subjects: { admin: { read: WORKERS } } }, "subjects.admin: is not a subject of this remote: 'power.…'"],
  [{ subjects: { 'map.page': { read: WORKERS } } }, 'is not a subject of this remote'],
  [{ subjects: { 'power.limits': { read: limits('read') } } }, isNone],
  [{ slots: [{ ...slot, label: 'map.title' }] }, "slots[0].label: 'map.title' is not a text of this remote"],
  [{ slots: [slot, { ...slot, part: 'other' }] }, 'slots: a remote brings one part to a place'],
  [{ slots: [{ ...slot, place: 'everywhere' }] }, 'slots[0].place'],
  [{ slots: [{ ...slot, part: '../card' }] }, 'slots[0].part: the name of a part is small letters'],
  ...[
    ...['http://api.example', 'https://api.example/', 'https://Api.example', 'https://api.example:443', 'api.example'],
    ...[
      "https://a; script-src 'unsafe-inline'",
      'https://a;b',
      'https://*.example',
      'https://u@a',
      'http://localhost.a',
    ],
  ].map((origin): [object, string] => [{ connect: [origin] }, 'connect[0]: an origin is like https://api.example.com']),
])('refuses %j', (over, message) => {
  expect(faults(over).join('\n')).toContain(message);
});

test('the server knows the pool’s subjects only', () => {
  const built = { version: '1', shared: '^1.0.0', entry: '/x.js', preload: [] };
  const read = (requires: object) => remoteManifestOf('power').safeParse({ ...source(), ...built, requires });
  expect(read(WORKERS).error).toBeUndefined();
  expect(faultsOf(read(limits('read')).error!)).toEqual([`requires.subject: ${isNone}`]);
});

test('who has a subject of a remote’s own has nothing more of the pool’s', () => {
  const { subjects } = remoteSource('power').parse(source());
  const [miner, admin] = (['miner', 'admin'] as const).map((role) => abilityFor({ role, isLegacyUser: false }));
  const of = (before = miner!) => withSubjects(before, { subjects });
  expect([of().can('read', 'power.limits'), of().can('manage', 'power.limits')]).toEqual([true, false]);
  expect(of(admin).can('manage', 'power.limits')).toBe(true);
  expect([of().can('read', 'admin'), of().can('read', 'map.page')]).toEqual([false, false]);
  expect(of(createAbility()).can('read', 'power.limits')).toBe(false);
  expect([miner!.can('read', 'power.limits'), withSubjects(miner!, {})]).toEqual([false, miner]);
});

test('others link to the pages of a remote that the user may have, by id', () => {
  const built = { version: '1', shared: '^1.0.0', entry: '/x.js', preload: [], nav: [], contract: 1 };
  const remote = (name: string, more: Partial<RemoteManifest>): RemoteManifest => ({
    ...built,
    name,
    basePath: `/${name}`,
    ...more,
  });
  const remotes = [
    remote('workers', {
      links: { list: '/workers/', pools: '/workers/pools' },
      requires: WORKERS,
      commands: [{ path: '/workers/pools/', label: 'workers.pools', requires: { action: 'read', subject: 'pools' } }],
    }),
    remote('admin', { links: { users: '/admin/users' }, requires: ADMIN }),
    remote('map', {}),
  ];
  expect(pagesOf(remotes, abilityFor({ role: 'miner', isLegacyUser: false }))).toEqual({
    'workers.list': '/workers/',
    'workers.pools': '/workers/pools',
  });
  const member = { role: 'accountant', money: false, limited: false } as const;
  expect(pagesOf(remotes, abilityFor({ role: 'miner', isLegacyUser: false, member }))).toEqual({
    'workers.list': '/workers/',
  });
  expect(faults({ links: { list: '/workers/' } }).join()).toContain('is not below the base path, /power');
});
