/** A remote may ask the origins, and has the flags, that an admin has granted it, and no other's. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { abilityFor } from '@pool/shared/ability';
import { databaseOfFile, emptyTables } from '../platform/db/testing/test-database';
import { createLog } from '../platform/log';
import { Granted } from './granted';
import { movePointer } from './pointers';
import { RemoteRegistry } from './registry';
import { mapManifest } from './testing/manifest';

const [RATES, WEATHER] = ['https://rates.example', 'https://weather.example'];
const BOSS = { actorId: null, ip: '203.0.113.9' };
const database = databaseOfFile();
let folder: string;
let granted: Granted;
const registryWith = (by: Granted) => new RemoteRegistry(folder, createLog('silent'), new Map(), [], null, by);

beforeEach(async () => {
  await emptyTables(database);
  folder = mkdtempSync(join(tmpdir(), 'granted-'));
  await deploy('map', { connect: [RATES, WEATHER], flags: ['map.night', 'map.old'] });
  await deploy('plan', { connect: [RATES], flags: ['plan.night'] });
  await deploy('plain', {});
  granted = new Granted(database.pool, false);
});
afterEach(() => rmSync(folder, { recursive: true }));

async function deploy(name: string, more: object): Promise<void> {
  mkdirSync(join(folder, name, '1.0.0'), { recursive: true });
  const manifest = JSON.stringify(mapManifest('1.0.0')).replaceAll('map', name);
  writeFileSync(join(folder, name, '1.0.0/manifest.json'), JSON.stringify({ ...JSON.parse(manifest), ...more }));
  await movePointer(join(folder, name), { at: new Date(), who: 'team', what: 'publish', to: { version: '1.0.0' } });
}
const user = (userName: string) => ({
  user: { id: 1, userName },
  ability: abilityFor({ role: 'miner', isLegacyUser: false }),
});
/** What each remote has for a user, as `connect` and `flags`. */
async function has(me: ReturnType<typeof user> | null, by = granted): Promise<Record<string, unknown[]>> {
  const remotes = await registryWith(by).listFor(me);
  return Object.fromEntries(remotes.map(({ name, connect, flags }) => [name, [connect, flags]]));
}
const audits = async (action: string) =>
  (await database.pool.query('select subject, before, after from audit where action = $1 order by id', [action])).rows;
const NONE = { map: [[], []], plan: [[], []], plain: [undefined, undefined] };

it('an origin is allowed to one remote, recorded once, until that is taken back', async () => {
  expect(await has(null)).toEqual(NONE);
  for (let time = 0; time < 2; time += 1) await granted.allow('map', RATES, true, BOSS);
  expect(await has(null)).toEqual({ ...NONE, map: [[RATES], []] });
  const registry = registryWith(granted);
  expect((await registry.overview()).map(({ name, connect }) => [name, connect])).toEqual([
    ['map', [RATES, WEATHER].map((origin) => ({ origin, allowed: origin === RATES }))],
    ['plain', []],
    ['plan', [{ origin: RATES, allowed: false }]],
  ]);
  await granted.allow('map', RATES, false, BOSS);
  expect(await has(null)).toEqual(NONE);
  expect(await audits('remote.connect')).toEqual(
    [true, false].map((allowed) => ({
      subject: 'map',
      before: { origin: RATES, allowed: !allowed },
      after: { origin: RATES, allowed },
    })),
  );
});

it('a flag is on for who is named, or for everybody, visitors too; each change is recorded once', async () => {
  const turn = (users: string[] | null) => granted.turnOn('map', 'map.night', users, BOSS);
  const on = async () =>
    (await Promise.all([user('ann'), user('ben'), null].map((me) => has(me)))).map((all) => all.map?.[1]);
  const night = ['map.night'];
  for (let time = 0; time < 2; time += 1) await turn(['ann']);
  expect(await on()).toEqual([night, [], []]);
  await turn(null);
  expect(await on()).toEqual([night, night, night]);
  expect((await has(null)).plan).toEqual([[], []]);
  const overview = await registryWith(granted).overview();
  expect(overview.map(({ flags }) => flags)).toEqual([
    [
      { flag: 'map.night', users: null },
      { flag: 'map.old', users: [] },
    ],
    [],
    [{ flag: 'plan.night', users: [] }],
  ]);
  await turn([]);
  expect(await on()).toEqual([[], [], []]);
  expect((await audits('remote.flag')).map(({ before, after }) => [before.users, after.users])).toEqual([
    [[], ['ann']],
    [['ann'], null],
    [null, []],
  ]);
});

it('a page may ask what its remotes may; a visitor’s what those of every miner may, as it stays open', async () => {
  await deploy('office', { connect: [WEATHER], requires: { action: 'manage', subject: 'admin' } });
  for (const name of ['map', 'plan']) await granted.allow(name, RATES, true, BOSS);
  await granted.allow('office', WEATHER, true, BOSS);
  const registry = registryWith(granted);
  const remotes = await registry.allFor(null);
  expect(await registry.originsFor(null, [])).toEqual([RATES]);
  expect(await registry.originsFor(user('ann'), [])).toEqual([]);
  expect((await registry.originsFor(user('ann'), remotes)).sort()).toEqual([RATES, WEATHER]);
});

it('while the database is away nothing is granted, and the remotes are there', async () => {
  const away = { query: () => Promise.reject(new Error('away')) } as unknown as Pool;
  expect(await has(user('ann'), new Granted(away, false))).toEqual(NONE);
});

it('in development nobody has to be asked', async () => {
  expect(await has(null, new Granted(database.pool, true))).toEqual({
    map: [
      [RATES, WEATHER],
      ['map.night', 'map.old'],
    ],
    plan: [[RATES], ['plan.night']],
    plain: [undefined, undefined],
  });
});
