/** The versions that are served where `REMOTE_KEYS` is set: signed by their team, and unchanged. */
import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { cpSync, linkSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../platform/config';
import { createLog } from '../platform/log';
import { movePointer } from './pointers';
import { RemoteRegistry } from './registry';
import { releaseText } from './release';
import { mapManifest } from './testing/manifest';

const folder = mkdtempSync(join(tmpdir(), 'server-signed-'));
const home = join(folder, 'map');
afterAll(() => rmSync(folder, { recursive: true }));

const [ours, others, strangers] = [1, 2, 3].map(() => generateKeyPairSync('ed25519'));
const publicText = ({ publicKey }: { publicKey: KeyObject }) =>
  publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
const { REMOTE_KEYS: KEYS } = readConfig({ REMOTE_KEYS: `map=${publicText(ours!)}, workers=${publicText(others!)}` });

/** `name`: as it says itself. `without`: a file that is not in the list that is signed. */
function deploy(version: string, key: KeyObject | null, { name = 'map', without = '' } = {}): void {
  const files: Record<string, string> = {
    'manifest.json': JSON.stringify(mapManifest(version)),
    'remoteEntry.js': `// ${version}`,
    'locales/en.json': `{"map.nav":"Map of ${version}"}`,
  };
  const at = join(home, version);
  mkdirSync(join(at, 'locales'), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(at, name), text);
  const hashes = Object.entries(files)
    .filter(([file]) => file !== without)
    .map(([file, text]) => [file, `sha384-${createHash('sha384').update(text).digest('base64')}`]);
  const content = {
    name,
    version,
    commit: 'abc1234',
    files: Object.fromEntries(hashes) as Record<string, string>,
  };
  writeFileSync(join(at, 'release.json'), releaseText(content, key));
}
const serve = (version: string, canary?: string) =>
  movePointer(home, {
    at: new Date(),
    who: 'us',
    what: canary ? 'canary' : 'publish',
    to: { version, ...(canary && { canary: { version: canary, percent: 100 } }) },
  });
const change = (file: string, to = (text: string) => `${text} `) => {
  const at = join(home, '1.1.0', file);
  writeFileSync(at, to(readFileSync(at, 'utf8')));
};

/** What a server that starts now serves, and the errors it logs. */
async function served(keys = KEYS) {
  const lines: string[] = [];
  const log = createLog('info', { write: (line: string) => void lines.push(line) });
  const registry = new RemoteRegistry(folder, log, keys);
  const [remote] = await registry.listFor(null);
  const logged = lines.map((line) => (JSON.parse(line) as { err: { message: string } }).err.message);
  return { version: remote?.version, logged, registry };
}

beforeEach(async () => {
  rmSync(home, { recursive: true, force: true });
  mkdirSync(home, { recursive: true });
  deploy('1.0.0', ours!.privateKey);
  await serve('1.0.0');
  deploy('1.1.0', ours!.privateKey);
  await serve('1.1.0');
});

test('a signed version is served, without keys one that is not signed too', async () => {
  expect(await served()).toMatchObject({ version: '1.1.0', logged: [] });
  deploy('1.1.0', null);
  expect(await served(new Map())).toMatchObject({ version: '1.1.0', logged: [] });
});

test.each<[string, () => void, string | RegExp]>([
  ['without a signature', () => deploy('1.1.0', null), 'it is not signed'],
  ['without the list that is signed', () => rmSync(join(home, '1.1.0/release.json')), 'it is not signed'],
  ["signed with another remote's key", () => deploy('1.1.0', others!.privateKey), /^no key of REMOTE_KEYS for 'map'/],
  ['whose script was changed', () => change('remoteEntry.js'), 'remoteEntry.js is not as it was signed'],
  [
    'whose commit was changed',
    () => change('release.json', (text) => text.replace('abc1234', 'def5678')),
    /^no key of REMOTE_KEYS for 'map'/,
  ],
  [
    'that is an older one under its name',
    () => cpSync(join(home, '1.0.0'), join(home, '1.1.0'), { recursive: true }),
    'what was signed is map 1.0.0',
  ],
  [
    "that is another remote's under its name",
    () => deploy('1.1.0', ours!.privateKey, { name: 'workers' }),
    'what was signed is workers 1.1.0',
  ],
  [
    'whose manifest was not signed',
    () => deploy('1.1.0', ours!.privateKey, { without: 'manifest.json' }),
    'manifest.json was not signed',
  ],
  ['whose list is no list', () => change('release.json', () => '<html>'), /JSON/],
])('a version %s is refused and logged, and the version of before is served', async (_, break_, message) => {
  break_();
  const { version, logged, registry } = await served();
  expect(version).toBe('1.0.0');
  expect(logged).toEqual([expect.stringMatching(message)]);
  expect(await registry.access('map', '1.1.0')).toEqual({ kind: 'nobody' });
  expect(await registry.deployedVersions(null)).toEqual(['map/1.0.0']);
  // Deployed again as it has to be, it is served without a restart.
  deploy('1.1.0', ours!.privateKey);
  expect((await registry.overview())[0]?.pointer.version).toBe('1.1.0');
});

test('each key of a remote will do, and each of all remotes', async () => {
  const keys = [others!, ours!].map(({ publicKey }) => publicKey);
  for (const name of ['map', '*']) expect((await served(new Map([[name, keys]]))).version).toBe('1.1.0');
});

test('a canary that is signed is served beside a version that is', async () => {
  deploy('1.2.0', ours!.privateKey);
  await serve('1.1.0', '1.2.0');
  const { version, registry } = await served();
  expect([version, await registry.hasCanary()]).toEqual(['1.1.0', true]);
  expect(await registry.deployedVersions(null)).toEqual(['map/1.2.0', 'map/1.1.0']);
});

test('a canary that is not signed is nobody’s', async () => {
  deploy('1.2.0', null);
  await serve('1.1.0', '1.2.0');
  const { version, registry } = await served();
  expect(version).toBe('1.1.0');
  expect(await registry.hasCanary()).toBe(false);
});

test('what open pages had to replace is not served in the place of one that is refused', async () => {
  deploy('1.2.0', strangers!.privateKey);
  const to = { version: '1.2.0', withdrawn: ['1.1.0'] };
  await movePointer(home, { at: new Date(), who: 'us', what: 'publish', to });
  expect((await served()).version).toBe('1.0.0');
});

test('where no version is signed the remote is left out', async () => {
  for (const version of ['1.0.0', '1.1.0']) deploy(version, strangers!.privateKey);
  const { version, registry } = await served();
  expect([version, await registry.pointerOf('map')]).toEqual([undefined, { version: '1.1.0' }]);
});

test('a text that changes while the server runs is not read', async () => {
  const { registry } = await served();
  expect(await registry.versions.texts('map', '1.1.0', 'en.json')).toEqual({ 'map.nav': 'Map of 1.1.0' });
  change('locales/en.json');
  expect(await registry.versions.texts('map', '1.1.0', 'en.json')).toBeNull();
  expect(await registry.listFaults()).toEqual([
    { what: 'map/1.1.0/locales/en.json', why: 'locales/en.json is not as it was signed' },
  ]);
});

test('a file that was not signed is not sent, nor a link in the place of one that was', async () => {
  const { registry } = await served();
  const isSent = async (file: string) => {
    const found = await registry.versions.open('map', '1.1.0', file);
    await found?.file.close();
    return found !== null;
  };
  for (const file of ['more.js', 'more.js.br', 'remoteEntry.js.br'])
    writeFileSync(join(home, '1.1.0', file), 'alert(1)');
  expect(await Promise.all(['more.js', 'more.js.br', 'remoteEntry.js', 'remoteEntry.js.br'].map(isSent))).toEqual([
    false,
    false,
    true,
    true,
  ]);
  for (const link of [symlinkSync, linkSync]) {
    rmSync(join(home, '1.1.0/remoteEntry.js'), { force: true });
    link(join(home, '1.0.0/remoteEntry.js'), join(home, '1.1.0/remoteEntry.js'));
    expect(await isSent('remoteEntry.js')).toBe(false);
  }
});

test.each(['workers', 'workers=', 'workers=AAAA', `Workers=${publicText(ours!)}`])('REMOTE_KEYS refuses %s', (list) => {
  expect(() => readConfig({ REMOTE_KEYS: list })).toThrow(
    'REMOTE_KEYS: expected remotes with their public Ed25519 keys',
  );
});
