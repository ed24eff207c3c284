import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { RemoteManifest } from '@pool/shared/contract';
import { createLog } from '../platform/log';
import { RemoteRegistry } from './registry';
import { eventually } from '../testing/eventually';
import { ShellSurface } from './surface';
import { movePointer, readHistory, readPointer } from './pointers';
import { publishBundled } from './bundled';

/** Remotes with a wrong manifest are left out, and the log names the field. */
const folder = mkdtempSync(join(tmpdir(), 'server-registry-'));
afterAll(() => rmSync(folder, { recursive: true }));

const good = (name: string): RemoteManifest => ({
  name,
  version: '1.0.0',
  contract: 1,
  shared: '^1.0.0',
  basePath: `/${name}`,
  nav: [{ path: `/${name}/`, label: `${name}.nav`, icon: 'users', order: 1 }],
  entry: `/remotes/${name}/1.0.0/remoteEntry.js`,
  preload: [],
});

/** Deploys remotes with these manifests (by folder name). */
function deploy(manifests: Record<string, object>) {
  const root = mkdtempSync(join(folder, 'remotes-'));
  for (const [name, manifest] of Object.entries(manifests)) {
    mkdirSync(join(root, name, '1.0.0'), { recursive: true });
    writeFileSync(join(root, name, '1.0.0/manifest.json'), JSON.stringify(manifest));
    writeFileSync(join(root, name, 'current.json'), JSON.stringify({ version: '1.0.0' }));
  }
  const lines: string[] = [];
  const log = createLog('info', { write: (line: string) => void lines.push(line) });
  const errors = () => lines.map((line) => (JSON.parse(line) as { err: { message: string } }).err.message);
  return { root, registry: new RemoteRegistry(root, log), errors };
}

/** The listed ones of these remotes, and the log. */
async function list(manifests: Record<string, object>) {
  const { registry, errors } = deploy(manifests);
  const names = (await registry.listFor(null)).map(({ name }) => name);
  return { names, log: errors() };
}

it('lists remotes with a valid manifest', async () => {
  expect(await list({ workers: good('workers'), map: good('map') })).toEqual({ names: ['map', 'workers'], log: [] });
});

it('lists a remote whose files are at an origin that is allowed, and no other', async () => {
  const at = (origin: string) => `${origin}/remotes/map/1.0.0/remoteEntry.js`;
  const entries = ['https://cdn.example', 'https://cdn.example.org', '//cdn.example', 'https://cdn.example:8'].map(at);
  for (const [index, entry] of entries.entries()) {
    const { root, errors } = deploy({ map: { ...good('map'), entry } });
    const registry = new RemoteRegistry(root, createLog('silent'), new Map(), ['https://cdn.example']);
    expect((await registry.listFor(null)).map((remote) => remote.entry)).toEqual(index === 0 ? [entry] : []);
    expect(errors()).toEqual([]);
  }
});

it.each([
  ['another host, as browsers read it', '/\\host/x.js'],
  ['another remote', '/remotes/workers/1.0.0/remoteEntry.js'],
  ['another folder', '/remotes/map/1.0.0/../../workers/1.0.0/remoteEntry.js'],
])('refuses an entry, or a file to be preloaded, of %s', async (_, url) => {
  expect((await list({ map: { ...good('map'), entry: url } })).names).toEqual([]);
  expect((await list({ map: { ...good('map'), preload: [url] } })).names).toEqual([]);
});

it('refuses a manifest that is too long for every page', async () => {
  const nav = Array.from({ length: 101 }, (__, order) => ({ path: '/map/', label: 'map.nav', icon: 'users', order }));
  const label = `map.${'x'.repeat(200_000)}`;
  for (const many of [nav, [{ ...nav[0], label }]])
    expect((await list({ map: { ...good('map'), nav: many } })).names).toEqual([]);
});

it('moves a pointer over no link', async () => {
  const { root, registry } = deploy({ map: good('map') });
  const other = join(folder, 'other');
  writeFileSync(other, 'kept');
  symlinkSync(other, join(root, 'map/current.json.next'));
  await registry.switchTo(
    'map',
    { who: 'boss', what: 'promote', to: { version: '1.0.0' }, at: new Date() },
    () => true,
  );
  expect(readFileSync(other, 'utf8')).toBe('kept');
  expect(await registry.listFor(null)).toHaveLength(1);
});

it('names what a version uses and the deployed shell does not have, until that shell is replaced', async () => {
  const { root, errors } = deploy({ workers: good('workers'), map: good('map') });
  const uses = (name: string, ...names: string[]) =>
    writeFileSync(join(root, name, '1.0.0/uses.txt'), names.join('\n'));
  uses('workers', '@pool/shared · Button', '@pool/shared/ui/core · Button', 'Texts · ui.new');
  const surface = join(root, 'surface.txt');
  const shell = (...lines: string[]) => writeFileSync(surface, lines.join('\n'));
  shell('@pool/shared 2.0.0-next.0a: ...', '', '## @pool/shared/ui/core', 'Button: () => void');
  const lines: string[] = [];
  const log = createLog('info', { write: (line: string) => void lines.push(line) });
  const registry = new RemoteRegistry(root, log, new Map(), [], new ShellSurface(surface));
  const lacks = async () => (await registry.listFor(null)).map((remote) => [remote.name, remote.lacks]);
  expect(await lacks()).toEqual([
    ['map', undefined],
    ['workers', ['Button', 'ui.new']],
  ]);
  expect(lines.join()).toContain("the shell's @pool/shared lacks Button, ui.new");
  expect(errors()).toEqual([]);
  shell(
    '@pool/shared 2.0.0-next.0b: ...',
    '## @pool/shared',
    'Button: x',
    '## @pool/shared/ui/core',
    'Button: y',
    '## Texts',
    'ui.new',
  );
  utimesSync(surface, 1, 1);
  const hasAll = async () => (await lacks()).every(([, names]) => names === undefined);
  await eventually(hasAll, 'the surface is read again');
});

it.each<[string, object, RegExp]>([
  ['no contract', { contract: undefined }, /^manifest\.json: contract: /],
  ["another's name", { name: 'worker' }, /^manifest\.json: name: is not the name of its folder, 'workers'$/],
])('leaves out a remote with %s', async (_, over, message) => {
  const { names, log } = await list({ workers: { ...good('workers'), ...over }, map: good('map') });
  expect(names).toEqual(['map']);
  expect(log).toEqual([expect.stringMatching(message)]);
});

it("leaves out a remote that takes another's base path", async () => {
  const taker = { ...good('a'), basePath: '/workers', nav: [] };
  const { names, log } = await list({ a: taker, workers: good('workers') });
  expect(names).toEqual(['workers']);
  expect(log).toEqual(["basePath: /workers is taken by 'workers'"]);
});

it('keeps a remote whose pointer is half written, and leaves it out when the pointer is gone', async () => {
  const { root, registry, errors } = deploy({ workers: good('workers') });
  const file = join(root, 'workers/current.json');
  const names = async () => (await registry.overview()).map(({ name }) => name);
  expect(await names()).toEqual(['workers']);
  writeFileSync(file, '{ "version": "1.');
  expect(await names()).toEqual(['workers']);
  expect(errors()).toEqual([expect.stringMatching(/JSON/)]);
  rmSync(file);
  symlinkSync(join(root, 'workers/1.0.0/manifest.json'), file);
  expect(await names()).toEqual(['workers']);
  rmSync(file);
  expect(await names()).toEqual([]);
  // Nothing is known of one whose folder was gone.
  writeFileSync(file, '{"version":"1.0.0"}');
  expect(await names()).toEqual(['workers']);
  rmSync(join(root, 'workers'), { recursive: true });
  expect(await names()).toEqual([]);
  mkdirSync(join(root, 'workers'));
  writeFileSync(file, '{ "version": "1.');
  expect(await names()).toEqual([]);
});

describe('what is no file of the remote itself is not read', () => {
  const secret = mkdtempSync(join(folder, 'secret-'));
  for (const file of ['current.json', 'manifest.json', 'uses.txt', 'en.json'])
    writeFileSync(join(secret, file), JSON.stringify({ ...good('leak'), 'leak.key': 'hidden' }));

  it.each([
    ['a link to a file', 'uses.txt', join(secret, 'uses.txt')],
    ['a file behind a linked folder', 'locales', secret],
    ['a device', 'uses.txt', '/dev/zero'],
    ['a folder', 'uses.txt', secret],
  ])('%s', async (_, name, target) => {
    const { root, registry } = deploy({ leak: good('leak') });
    symlinkSync(target, join(root, 'leak/1.0.0', name));
    const file = name === 'locales' ? 'locales/en.json' : name;
    expect(await registry.versions.open('leak', '1.0.0', file)).toBeNull();
    expect((await registry.listFaults()).map(({ why }) => why)).toEqual([expect.stringMatching(/link|no file/)]);
  });

  it.each(['lock', 'current.json.next', 'history.json', 'history.json.next'])(
    'a pipe or a folder as %s keeps nobody from another version',
    async (name) => {
      const { root, registry } = deploy({ map: good('map') });
      const at = join(root, 'map', name);
      const to = { version: '1.0.0' };
      const move = () => registry.switchTo('map', { who: 'boss', what: 'promote', to, at: new Date() }, () => true);
      execFileSync('mkfifo', [at]);
      // Nobody is at the other end of the pipe.
      if (name === 'lock') await expect(move()).rejects.toThrow('map/lock is no file');
      else expect(await move()).toEqual(to);
      rmSync(at, { force: true });
      if (name === 'lock') return;
      mkdirSync(join(at, 'full'), { recursive: true });
      expect(await move()).toEqual(to);
    },
  );

  it.each(['current.json', '1.0.0/manifest.json', '1.0.0'])('a linked %s', async (name) => {
    const { root, registry } = deploy({ leak: good('leak') });
    rmSync(join(root, 'leak', name), { recursive: true });
    symlinkSync(name === '1.0.0' ? secret : join(secret, basename(name)), join(root, 'leak', name));
    expect(await registry.listFor(null)).toEqual([]);
  });

  it('one that is too large', async () => {
    const { root, registry } = deploy({ leak: good('leak') });
    truncateSync(join(root, 'leak/1.0.0/manifest.json'), 1e9);
    expect(await registry.listFor(null)).toEqual([]);
  });

  it('what a remote lacks names no line that is none of the build', async () => {
    const { root } = deploy({ leak: good('leak') });
    writeFileSync(join(root, 'surface.txt'), '@pool/shared 1.0.0\n## @pool/shared\nButton: x\n');
    writeFileSync(join(root, 'leak/1.0.0/uses.txt'), 'PASSWORD=hidden\n@pool/shared · Gone\n');
    const shell = new ShellSurface(join(root, 'surface.txt'));
    const registry = new RemoteRegistry(root, createLog('silent'), new Map(), [], shell);
    expect((await registry.listFor(null))[0]?.lacks).toEqual(['?', 'Gone']);
  });
});

describe('what an image brings', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'bundled-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** An image whose remote `workers` has this version. */
  async function imageOf(version: string): Promise<string> {
    const bundled = join(folder, `image-${version}`);
    mkdirSync(join(bundled, 'workers', version), { recursive: true });
    writeFileSync(join(bundled, 'workers', version, 'manifest.json'), JSON.stringify({ version }));
    await movePointer(join(bundled, 'workers'), { at: new Date(), who: 'build', what: 'publish', to: { version } });
    return bundled;
  }

  test('a newer image publishes what it brought, once, and leaves what was rolled back', async () => {
    const remotes = join(folder, 'remotes');
    const [older, newer] = [await imageOf('1.0.0-a'), await imageOf('1.1.0-b')];
    expect(await publishBundled(older, remotes)).toEqual(['workers 1.0.0-a']);
    // Two processes of the new image start at once on one volume.
    const both = await Promise.all([publishBundled(newer, remotes), publishBundled(newer, remotes)]);
    expect(both.flat()).toEqual(['workers 1.1.0-b']);
    expect(readFileSync(join(remotes, 'workers/1.1.0-b/manifest.json'), 'utf8')).toContain('1.1.0-b');
    expect((await readHistory(join(remotes, 'workers'))).map(({ who, to }) => [who, to.version])).toEqual([
      ['image', '1.0.0-a'],
      ['image', '1.1.0-b'],
    ]);
    const back = { at: new Date(), who: 'team', what: 'rollback', to: { version: '1.0.0-a' } } as const;
    await movePointer(join(remotes, 'workers'), back);
    expect(await publishBundled(newer, remotes)).toEqual([]);
    expect(await readPointer(join(remotes, 'workers'))).toEqual({ version: '1.0.0-a' });
  });
});
