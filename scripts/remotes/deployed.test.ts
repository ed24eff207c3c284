/** Deploying: one at a time, only what fits and is whole, with its history. */
import { createHash, generateKeyPairSync } from 'node:crypto';
import fs from 'node:fs';
import fsPromises from 'node:fs/promises';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readHistory, readPointer } from '../../api/src/remotes/pointers';
import { checkRelease } from '../../api/src/remotes/release';
import { CONTRACT } from '../../shared/src/contract';
import type { RemoteManifest } from '../../shared/src/contract';
import { version as SHARED } from '../../shared/package.json';
import type * as Deployed from './deployed';
import type { Version } from './pack';

const ROOT = path.resolve(__dirname, '../..');
const sha384 = (content: Buffer) => `sha384-${createHash('sha384').update(content).digest('base64')}` as const;
const writeJson = (file: string, value: unknown) => writeFileSync(file, JSON.stringify(value));

const folder = mkdtempSync(path.join(tmpdir(), 'pool-deployed-'));
const remotes = path.join(folder, 'dist/remotes');
const at = path.join(remotes, 'referral');
let deployed: typeof Deployed;

// Not imported above: the folder is read when the module is.
beforeAll(async () => {
  process.env.REMOTES_DIR = remotes;
  deployed = await import('./deployed');
});
beforeEach(() => rmSync(path.join(folder, 'dist'), { recursive: true, force: true }));
afterAll(() => rmSync(folder, { recursive: true }));

const { shared = `^${SHARED}`, ...source } = JSON.parse(
  readFileSync(path.join(ROOT, 'mfe-referral/remote.json'), 'utf8'),
) as RemoteManifest;

/** A built version of the referral remote. */
function built(version: string, changes: Partial<RemoteManifest> = {}): Version {
  const from = path.join(folder, 'packed', version);
  mkdirSync(from, { recursive: true });
  writeFileSync(path.join(from, 'app.js'), `// ${version}`);
  const url = `/remotes/referral/${version}/app.js`;
  const files = { [url]: sha384(readFileSync(path.join(from, 'app.js'))) };
  const manifest = { ...source, shared, version, entry: url, preload: [], files, ...changes };
  writeJson(path.join(from, 'manifest.json'), manifest);
  writeFileSync(path.join(from, 'uses.txt'), '@pool/shared/ui/core · Button\n@pool/shared/ui/core · PageHeader');
  return { name: 'referral', version, folder: from, manifest };
}

/** Deploys a shell beside the remotes, with this surface of `@pool/shared`. */
const deployShell = (surface: string): void => {
  mkdirSync(path.join(folder, 'dist/shell'), { recursive: true });
  writeFileSync(path.join(folder, 'dist/shell/surface.txt'), surface);
};
const surface = (): string => readFileSync(path.join(ROOT, 'shared/surface.txt'), 'utf8');
const moves = async () => (await readHistory(at)).map(({ what, to }) => [what, to.version, to.canary?.version]);

test('a hundred double publishes leave whole versions and a pointer to one of them', async () => {
  const [one, two] = [built('1.0.0'), built('1.0.1')];
  for (let n = 0; n < 100; n += 1)
    await Promise.all([deployed.publish(one, { replace: true }), deployed.publish(two, { replace: true })]);
  expect(['1.0.0', '1.0.1']).toContain((await readPointer(at))?.version);
  for (const { version } of [one, two])
    expect(readFileSync(path.join(at, version, 'app.js'), 'utf8')).toBe(`// ${version}`);
});

/** Calls that change the disk, of both APIs; each is made to fail in turn, after a part of its work where it writes. */
function failAt(n: number): { isReached(): boolean; end(): void } {
  let calls = 0;
  const full = (): Error => Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
  const spies = [
    ...(['writeFileSync', 'renameSync'] as const).map((name) => {
      const real = fs[name] as (...args: unknown[]) => unknown;
      return jest.spyOn(fs, name).mockImplementation(((file: string, ...rest: unknown[]) => {
        if ((calls += 1) !== n) return real(file, ...rest);
        if (name === 'writeFileSync') real(file, String(rest[0]).slice(0, 3));
        throw full();
      }) as never);
    }),
    ...(['writeFile', 'rename'] as const).map((name) => {
      const real = fsPromises[name] as (...args: unknown[]) => Promise<unknown>;
      return jest.spyOn(fsPromises, name).mockImplementation((async (file: string, ...rest: unknown[]) => {
        if ((calls += 1) !== n) return real(file, ...rest);
        if (name === 'writeFile') await real(file, String(rest[0]).slice(0, 3));
        throw full();
      }) as never);
    }),
  ];
  return { isReached: () => calls >= n, end: () => spies.forEach((spy) => spy.mockRestore()) };
}

test('a publish that ends at any of its steps, as on a full disk, leaves the version before or the new one, whole', async () => {
  const [one, two] = [built('1.0.0'), built('1.0.1')];
  let steps = 0;
  for (let isReached = true; isReached; steps += 1) {
    rmSync(at, { recursive: true, force: true });
    await deployed.publish(one);
    const failure = failAt(steps + 1);
    await deployed.publish(two).catch(() => undefined);
    isReached = failure.isReached();
    failure.end();
    const served = (await readPointer(at))?.version ?? '';
    expect(isReached ? ['1.0.0', '1.0.1'] : ['1.0.1']).toContain(served);
    expect(readFileSync(path.join(at, served, 'app.js'), 'utf8')).toBe(`// ${served}`);
    expect((await readHistory(at)).length).toBeGreaterThan(0);
    await deployed.publish(two);
    expect((await readPointer(at))?.version).toBe('1.0.1');
    expect(readFileSync(path.join(at, '1.0.1/app.js'), 'utf8')).toBe('// 1.0.1');
  }
  expect(steps).toBeGreaterThan(6);
});

test('from a canary to everybody and back, with its history', async () => {
  await deployed.publish(built('1.0.0'));
  await deployed.publish(built('1.0.1'), { canary: 10, why: 'try it' });
  expect(await readPointer(at)).toEqual({ version: '1.0.0', canary: { version: '1.0.1', percent: 10 } });
  expect(await deployed.promote('referral')).toBe('1.0.1');
  await expect(deployed.promote('referral')).rejects.toThrow('referral has no canary');
  expect(await deployed.rollback('referral')).toBe('1.0.0');
  expect(await readPointer(at)).toEqual({ version: '1.0.0' });
  expect(await moves()).toEqual([
    ['publish', '1.0.0', undefined],
    ['canary', '1.0.0', '1.0.1'],
    ['promote', '1.0.1', undefined],
    ['rollback', '1.0.0', undefined],
  ]);
  expect((await readHistory(at))[1]).toMatchObject({ why: 'try it', who: expect.stringContaining('@') });
});

test('an urgent rollback withdraws what was served, the canary too; the next move ends that', async () => {
  await deployed.publish(built('1.0.0'));
  await deployed.publish(built('1.0.1'));
  await deployed.publish(built('1.0.2'), { canary: 10, auto: 60 });
  expect((await readPointer(at))?.canary).toEqual({ version: '1.0.2', percent: 10, auto: 60 });
  await deployed.rollback('referral', { urgent: true });
  expect(await readPointer(at)).toEqual({ version: '1.0.0', withdrawn: ['1.0.1', '1.0.2'] });
  await deployed.publish(built('1.0.3'));
  expect(await readPointer(at)).toEqual({ version: '1.0.3' });
});

test('a version names its commit and every file, signed with the key in REMOTE_SIGNING_KEY', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  process.env.REMOTE_SIGNING_KEY = path.join(folder, 'key.pem');
  writeFileSync(process.env.REMOTE_SIGNING_KEY, privateKey.export({ format: 'pem', type: 'pkcs8' }));
  await deployed.publish(built('1.0.0')).finally(() => delete process.env.REMOTE_SIGNING_KEY);
  const release = await checkRelease(
    (file) => fsPromises.readFile(path.join(at, '1.0.0', file)),
    built('1.0.0'),
    new Map([['referral', [publicKey]]]),
  );
  expect(release).toMatchObject({ version: '1.0.0', commit: expect.stringMatching(/^[0-9a-f]+\+?$/) });
  expect(Object.keys(release.files)).toEqual(['app.js', 'manifest.json', 'uses.txt']);
});

test('a canary of somebody else ends only when that is asked for', async () => {
  await deployed.publish(built('1.0.0'));
  await deployed.publish(built('1.0.1'), { canary: 10 });
  const history = path.join(at, 'history.json');
  writeJson(
    history,
    (await readHistory(at)).map((move) => ({ ...move, who: 'team-b@elsewhere' })),
  );
  await expect(deployed.publish(built('1.0.2'), { canary: 5 })).rejects.toThrow(
    'team-b@elsewhere runs a canary of referral: 1.0.1 for 10 %. --replace ends it',
  );
  await deployed.publish(built('1.0.2'), { replace: true });
  expect(await readPointer(at)).toEqual({ version: '1.0.2' });
});

test('a damaged version is not rolled back to, and is repaired by publishing it again', async () => {
  await deployed.publish(built('1.0.0'));
  await deployed.publish(built('1.0.1'));
  writeFileSync(path.join(at, '1.0.0/app.js'), '// changed');
  await expect(deployed.rollback('referral')).rejects.toThrow('referral 1.0.0 is damaged: app.js');
  await deployed.publish(built('1.0.0'));
  expect(readFileSync(path.join(at, '1.0.0/app.js'), 'utf8')).toBe('// 1.0.0');
  await expect(deployed.rollback('referral', { to: '9.9.9' })).rejects.toThrow('There are: 1.0.0, 1.0.1');
});

test.each([
  ['another contract', { contract: CONTRACT + 1 }, surface, `contract ${CONTRACT + 1}, the shell has ${CONTRACT}`],
  ['a newer shared', { shared: '^1.999.0' }, surface, `@pool/shared ^1.999.0, the shell has ${SHARED}`],
  [
    'an export the shell lacks',
    {},
    () => surface().replace(/^PageHeader: .*\n/m, ''),
    /its @pool\/shared \d\S+ lacks PageHeader\. Deploy the shell first/,
  ],
])('what needs %s is refused, also by a rollback, and the pointer stays', async (_, changes, shell, message) => {
  await deployed.publish(built('0.9.0', changes));
  await deployed.publish(built('1.0.0'));
  deployShell(shell());
  await expect(deployed.publish(built('1.0.1', changes))).rejects.toThrow(message);
  await expect(deployed.rollback('referral')).rejects.toThrow(message);
  expect(await readPointer(at)).toEqual({ version: '1.0.0' });
});

test('what has changed in a surface, and what mentions it', async () => {
  const { changedNames } = await import('./checks');
  const lines = (...more: string[]) =>
    [
      '@pool/shared 1.0.0',
      '',
      '## @pool/shared/ui/core',
      'Button: (props: ButtonProps) => JSX.Element',
      'Icon: (props: {}) => null',
      'plain: Plain',
      ...more,
    ].join('\n');
  const before = lines(
    '## What they mention beside',
    'type ButtonProps = Sized & { kind: 1 };',
    'type Plain = 1;',
    'type Sized = { size: 1 };',
    '## Calls of the API',
    'GET /one: 1',
    'GET /two: 2',
  );
  const now = before
    .replace('size: 1', 'size: 2')
    .replace('GET /two: 2', 'GET /two: 3')
    .replace(/^Icon.*\n/m, '');
  expect([...changedNames(before, now)].filter((name) => !name.startsWith('What they')).sort()).toEqual([
    '@pool/shared/ui/core · Button',
    '@pool/shared/ui/core · Icon',
    'Calls of the API · GET /two',
  ]);
  expect(changedNames(before, `${before}\nGET /three: 3`)).toEqual(new Set());
});

test('prune keeps what is served, the last three, and what was served lately', async () => {
  const versions = ['1.0.0', '1.0.1', '1.0.2', '1.0.3', '1.0.4', '1.0.5'];
  for (const version of versions) await deployed.publish(built(version));
  const old = new Date(Date.now() - 40 * 86_400_000);
  for (const version of versions) utimesSync(path.join(at, version), old, old);
  expect(await deployed.prune('referral', 14)).toEqual([]);
  const history = (await readHistory(at)).map((move) => ({ ...move, at: old.toISOString() }));
  writeJson(path.join(at, 'history.json'), history);
  await deployed.publish(built('1.0.6'), { canary: 1 });
  expect(await deployed.prune('referral', 14)).toEqual(['1.0.0', '1.0.1', '1.0.2', '1.0.3']);
  expect(deployed.versionsOf('referral')).toEqual(['1.0.4', '1.0.5', '1.0.6']);
});
