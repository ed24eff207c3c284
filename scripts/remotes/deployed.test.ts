/** Deploying: one at a time, only what fits and is whole, with its history. */
import { createHash, generateKeyPairSync } from 'node:crypto';
import fs from 'node:fs';
import fsPromises from 'node:fs/promises';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import os, { tmpdir } from 'node:os';
import path from 'node:path';
import { movePointer, readHistory, readPointer } from '../../api/src/remotes/pointers';
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
  process.env.DIST_DIR = path.join(folder, 'dist');
  // The state of this tree is asked for where a test is about it: git takes a tenth of a second.
  process.env.GIT_DIR = '/nowhere';
  deployed = await import('./deployed');
});
beforeEach(() => {
  rmSync(path.join(folder, 'dist'), { recursive: true, force: true });
  deployShell(surface());
});
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

test('double publishes leave whole versions and a pointer to one of them', async () => {
  const [one, two] = [built('1.0.0'), built('1.0.1')];
  for (let n = 0; n < (process.env.HEAVY ? 10 : 2); n += 1)
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
    // Half a version is nothing that anybody would see.
    const whole = readdirSync(at).filter((name) => existsSync(path.join(at, name, 'manifest.json')));
    expect(readdirSync(at).filter((name) => /^\d/.test(name))).toEqual(whole);
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

test('each rollback goes further back, never to what was taken back; what the pool took back stays away too', async () => {
  for (const version of ['1.0.0', '1.0.1', '1.0.2', '1.0.3']) await deployed.publish(built(version));
  expect(await deployed.rollback('referral')).toBe('1.0.2');
  expect(await deployed.rollback('referral')).toBe('1.0.1');
  await deployed.publish(built('1.0.4'), { canary: 10 });
  const canary = { version: '1.0.4', percent: 10 };
  expect(await readPointer(at)).toEqual({ version: '1.0.1', canary });
  await movePointer(at, {
    at: new Date(),
    who: 'pool',
    what: 'rollback',
    to: { version: '1.0.1', withdrawn: ['1.0.4'] },
  });
  expect(await deployed.rollback('referral', { urgent: true })).toBe('1.0.0');
  // A page that was asleep learns of both.
  expect(await readPointer(at)).toEqual({ version: '1.0.0', withdrawn: ['1.0.4', '1.0.1'] });
  await expect(deployed.rollback('referral')).rejects.toThrow('referral has no earlier version that everybody had');
  // A version is taken back until it is served again.
  await deployed.publish(built('1.0.4'));
  expect(await readPointer(at)).toEqual({ version: '1.0.4', withdrawn: ['1.0.1'] });
  await deployed.publish(built('1.0.5'));
  expect(await deployed.rollback('referral', { to: '1.0.0' })).toBe('1.0.0');
  await expect(deployed.rollback('referral')).rejects.toThrow('no earlier version');
});

test('the first version is nobody’s canary, and what everybody has is told as theirs', async () => {
  await expect(deployed.publish(built('1.0.0'), { canary: 10 })).rejects.toThrow('everybody gets the first version');
  expect(await deployed.publish(built('1.0.0'))).toEqual({ version: '1.0.0' });
  expect(await deployed.publish(built('1.0.0'), { canary: 10 })).toEqual({ version: '1.0.0' });
});

test('where no shell is known, and where the pool does not have the version, nothing is published', async () => {
  await deployed.publish(built('1.0.0'));
  const isServed = async () => false;
  await expect(deployed.publish(built('1.0.1'), { isServed })).rejects.toThrow('does not have referral 1.0.1');
  expect(deployed.versionsOf('referral')).toEqual(['1.0.0']);
  rmSync(path.join(folder, 'dist/shell'), { recursive: true });
  await expect(deployed.publish(built('1.0.1'))).rejects.toThrow('no shell is known that would run referral');
  expect(await readPointer(at)).toEqual({ version: '1.0.0' });
});

test('what is too large to be fetched is refused, with the file that is to blame', async () => {
  const large = built('1.0.0');
  writeFileSync(path.join(large.folder, 'maps.js'), Buffer.alloc(1_200_000));
  await expect(deployed.publish(large)).rejects.toThrow(
    'referral 1.0.0 is too large: 1.2 MB compressed, at most 1.0 MB; maps.js has 1.2 MB',
  );
  rmSync(path.join(large.folder, 'maps.js'));
});

test('a base path that another deployed remote has is refused', async () => {
  const other = path.join(remotes, 'friends');
  mkdirSync(path.join(other, '1.0.0'), { recursive: true });
  writeJson(path.join(other, 'current.json'), { version: '1.0.0' });
  writeJson(path.join(other, '1.0.0/manifest.json'), { name: 'friends', basePath: '/referral/all' });
  await expect(deployed.publish(built('1.0.0'))).rejects.toThrow(
    "remote.json: basePath: /referral is taken by 'friends' (/referral/all)",
  );
});

test('an urgent rollback withdraws what was served, the canary too', async () => {
  await deployed.publish(built('1.0.0'));
  await deployed.publish(built('1.0.1'));
  await deployed.publish(built('1.0.2'), { canary: 10, auto: 60 });
  expect((await readPointer(at))?.canary).toEqual({ version: '1.0.2', percent: 10, auto: 60 });
  await deployed.rollback('referral', { urgent: true });
  expect(await readPointer(at)).toEqual({ version: '1.0.0', withdrawn: ['1.0.1', '1.0.2'] });
  // What an admin has replaced at once is not what a rollback leads to.
  for (const version of ['1.0.3', '1.0.4']) await deployed.publish(built(version));
  const urgent = { version: '1.0.4', withdrawn: ['1.0.3'] };
  await movePointer(at, { at: new Date(), who: 'boss', what: 'publish', to: urgent });
  expect(await deployed.rollback('referral')).toBe('1.0.0');
});

test('a version names its commit and every file, signed with the key in REMOTE_SIGNING_KEY', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  process.env.REMOTE_SIGNING_KEY = path.join(folder, 'key.pem');
  delete process.env.GIT_DIR;
  writeFileSync(process.env.REMOTE_SIGNING_KEY, privateKey.export({ format: 'pem', type: 'pkcs8' }));
  await deployed.publish(built('1.0.0'));
  delete process.env.REMOTE_SIGNING_KEY;
  process.env.GIT_DIR = '/nowhere';
  const release = await checkRelease(
    (file) => fsPromises.readFile(path.join(at, '1.0.0', file)),
    built('1.0.0'),
    new Map([['referral', [publicKey]]]),
  );
  expect(release).toMatchObject({ version: '1.0.0', commit: expect.stringMatching(/^[0-9a-f]+\+?$/) });
  expect(Object.keys(release.files)).toEqual(['app.js', 'manifest.json', 'uses.txt']);
});

test('what another team has published nobody promotes, rolls back, withdraws or prunes, until that is asked for', async () => {
  await deployed.publish(built('1.0.0'));
  await deployed.publish(built('1.0.1'));
  await deployed.publish(built('1.0.2'), { canary: 10 });
  const history = path.join(at, 'history.json');
  writeJson(
    history,
    (await readHistory(at)).map((move) => ({ ...move, team: 'account power-team' })),
  );
  const before = await readPointer(at);
  for (const change of [
    () => deployed.promote('referral'),
    () => deployed.rollback('referral'),
    () => deployed.rollback('referral', { to: '1.0.1', urgent: true }),
    () => deployed.withdraw('referral'),
    () => deployed.prune('referral', 0),
  ])
    await expect(change()).rejects.toThrow(
      'referral is published by another team, which runs a canary, 1.0.2 for 10 %',
    );
  expect([await readPointer(at), deployed.versionsOf('referral')]).toEqual([before, ['1.0.0', '1.0.1', '1.0.2']]);
  expect(await deployed.rollback('referral', { replace: true })).toBe('1.0.0');
});

test('what is withdrawn nobody has, until it is rolled back to or published again', async () => {
  await deployed.publish(built('1.0.0'));
  await deployed.publish(built('1.0.1'));
  await deployed.withdraw('referral', { why: 'the API is gone' });
  expect([await readPointer(at), deployed.deployedNames()]).toEqual([null, ['referral']]);
  expect((await readHistory(at)).at(-1)).toMatchObject({ what: 'withdraw', why: 'the API is gone' });
  await expect(deployed.withdraw('referral')).rejects.toThrow('referral is not deployed');
  expect(await deployed.rollback('referral')).toBe('1.0.1');
  await deployed.withdraw('referral');
  await deployed.publish(built('1.0.2'));
  expect(await readPointer(at)).toEqual({ version: '1.0.2' });
});

test('nothing is left of a remote that is refused', async () => {
  const isServed = async () => false;
  await expect(deployed.publish(built('1.0.0'), { isServed })).rejects.toThrow('does not have referral 1.0.0');
  expect(existsSync(at)).toBe(false);
});

test('a canary of somebody else ends only when that is asked for', async () => {
  await deployed.publish(built('1.0.0'));
  await deployed.publish(built('1.0.1'), { canary: 10 });
  const history = path.join(at, 'history.json');
  writeJson(
    history,
    (await readHistory(at)).map((move) => ({ ...move, who: 'ann@elsewhere' })),
  );
  await expect(deployed.publish(built('1.0.2'), { canary: 5 })).rejects.toThrow(
    'ann@elsewhere runs a canary, 1.0.1 for 10 % of referral. --replace ends it',
  );
  await deployed.publish(built('1.0.2'), { replace: true });
  expect(await readPointer(at)).toEqual({ version: '1.0.2' });
});

const keyFile = (name: string): string => {
  const file = path.join(folder, name);
  const { privateKey } = generateKeyPairSync('ed25519');
  writeFileSync(file, privateKey.export({ format: 'pem', type: 'pkcs8' }));
  return file;
};
type Identity = Partial<Record<'REMOTE_SIGNING_KEY' | 'POOL_USER', string>>;

/** Publishes as somebody does who has these settings, whatever this machine is called. */
async function publishAs({ host, ...env }: Identity & { host: string }, ...args: Parameters<typeof deployed.publish>) {
  const spy = jest.spyOn(os, 'hostname').mockReturnValue(host);
  Object.assign(process.env, env);
  try {
    return await deployed.publish(...args);
  } finally {
    spy.mockRestore();
    delete process.env.REMOTE_SIGNING_KEY;
    delete process.env.POOL_USER;
  }
}

describe('names of remotes', () => {
  const keys = { ours: '', theirs: '' };
  beforeAll(() => Object.assign(keys, { ours: keyFile('ours.pem'), theirs: keyFile('theirs.pem') }));
  const ours = (): Identity => ({ REMOTE_SIGNING_KEY: keys.ours });
  const theirs = (): Identity => ({ REMOTE_SIGNING_KEY: keys.theirs });

  test.each<[string, () => Identity, () => Identity, boolean]>([
    ['no key, the same account', () => ({ POOL_USER: 'power' }), () => ({ POOL_USER: 'power' }), true],
    ['no key, another account', () => ({ POOL_USER: 'power' }), () => ({ POOL_USER: 'map' }), false],
    [
      'the same key, another account',
      () => ({ ...ours(), POOL_USER: 'a' }),
      () => ({ ...ours(), POOL_USER: 'b' }),
      true,
    ],
    ['another key', ours, theirs, false],
    ['a team after the pool’s own tree', () => ({}), ours, true],
  ])('%s: from a laptop, then from CI', async (_, first, second, isTheirs) => {
    await publishAs({ host: 'laptop', ...first() }, built('1.0.0'));
    await publishAs({ host: 'ci-1', ...first() }, built('1.0.1'), { canary: 10 });
    const again = (replace: boolean) =>
      publishAs({ host: 'ci-2', ...second() }, built('1.0.2'), { canary: 20, replace });
    if (!isTheirs) {
      await expect(again(false)).rejects.toThrow(
        /referral is published by another team, which runs a canary, 1\.0\.1 for 10 %: (key|account) /,
      );
      expect((await readPointer(at))?.canary?.version).toBe('1.0.1');
    }
    await again(!isTheirs || Object.keys(first()).length === 0);
    expect((await readPointer(at))?.canary?.version).toBe('1.0.2');
    // Taken over.
    await publishAs({ host: 'ci-2', ...second() }, built('1.0.3'));
  });
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

test.each<[string, Partial<RemoteManifest>, () => string, string | RegExp]>([
  ['another contract', { contract: CONTRACT + 1 }, surface, `contract ${CONTRACT + 1}, the shell has ${CONTRACT}`],
  ['a newer shared', { shared: '^1.999.0' }, surface, `@pool/shared ^1.999.0, the shell has ${SHARED}`],
  [
    'an export the shell lacks',
    {},
    () => surface().replace(/^PageHeader: .*\n/m, ''),
    /its @pool\/shared \d\S+ lacks PageHeader\. Deploy the shell first/,
  ],
])('what needs %s is refused, also by a rollback, and the pointer stays', async (_, changes, shell, message) => {
  // Surface of the shell that ran it.
  const before = surface()
    .replace(/^(CONTRACT: CONTRACT = )\d+/m, `$1${changes.contract ?? CONTRACT}`)
    .replace(/^(@pool\/shared )[^:\s]+/, `$1${changes.shared?.slice(1) ?? SHARED}`);
  await deployed.publish(built('0.9.0', changes), { surface: before });
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

test('symbolic links of a build are found, which are not published', async () => {
  const from = path.join(folder, 'linked');
  mkdirSync(path.join(from, 'assets'), { recursive: true });
  symlinkSync('/etc/hostname', path.join(from, 'assets/words.txt'));
  const { linksBelow } = await import('../build/files');
  expect(linksBelow(from)).toEqual(['assets/words.txt']);
});

test('prune removes what cut-off work has left', async () => {
  await deployed.publish(built('1.0.0'));
  for (const name of ['1.0.1', '.removed-0.9.0']) {
    mkdirSync(path.join(at, name), { recursive: true });
    writeFileSync(path.join(at, name, 'app.js'), '');
  }
  writeJson(path.join(at, '.removed-0.9.0/manifest.json'), {});
  expect(deployed.versionsOf('referral')).toEqual(['1.0.0']);
  expect((await deployed.prune('referral', 14)).sort()).toEqual(['.removed-0.9.0', '1.0.1']);
});

test('prune by a clock that is a month ahead, or behind, keeps what was served lately', async () => {
  const versions = ['1.0.0', '1.0.1', '1.0.2', '1.0.3', '1.0.4', '1.0.5'];
  for (const version of versions) await deployed.publish(built(version));
  const real = Date.now();
  for (const days of [30, -30]) {
    const clock = jest.spyOn(Date, 'now').mockReturnValue(real + days * 86_400_000);
    expect(await deployed.prune('referral', 14)).toEqual([]);
    clock.mockRestore();
  }
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
