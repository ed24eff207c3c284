/** A team's commands: units that are stale or the same version, what is not published. */
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { team, type Team } from '../../e2e/fixtures/team';

let checkout: Team;
let folder: string;
let remotes: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'pool-remotes-'));
  remotes = path.join(folder, 'remotes');
  checkout = await team('referral', remotes);
});
afterAll(async () => {
  await checkout.leave();
  await rm(folder, { recursive: true });
});

const versionIn = (said: string): string | undefined => /referral (\d+\.\d+\.\d+-[0-9a-f]{8}) /.exec(said)?.[1];
let version: string | undefined;

it('a unit is stale when a file it is made of changes, and only then', async () => {
  const size = () => checkout.command('size', ['mfe-referral']);
  const stale = { stderr: expect.stringContaining('no build of mfe-referral as the sources are now: npm run build') };
  const said = await checkout.build();
  expect(said).toContain('build: 1 of 1 units changed');
  version = versionIn(said);
  for (const [file, from, to] of [
    ['mfe-referral/locales/en.json', '{', '{ '],
    ['node_modules/@pool/build/build/federation.cjs', '/**', '/**\n *'],
  ] as const) {
    const back = await checkout.edit(file, from, to);
    await expect(size()).rejects.toMatchObject(stale);
    await back();
  }
  // The page's own code gets it from the shell; types leave nothing in a bundle.
  await checkout.edit('node_modules/@pool/shared/src/contract/ability.ts', '/**', '/** Changed. */\n/**');
  await checkout.edit('package.json', '"scripts": {', '"scripts": { "x": "y",');
  expect(await checkout.build()).toContain('build: nothing changed');
});

/** Three builds of fifteen seconds: before a release. */
const heavy = process.env.HEAVY ? it : it.skip;

heavy('somebody else in another folder, with the cache of another build, makes the same version', async () => {
  const below = path.join(folder, 'further/down');
  await mkdir(below, { recursive: true });
  const env = { USER: 'ben', HOME: '/nowhere/ben', TZ: 'Asia/Tokyo', LANG: 'fr_FR.UTF-8' };
  const ben = await team('referral', remotes, { below, env });
  const back = await ben.edit('mfe-referral/src/app.ts', 'import', 'console.log(1);\nimport');
  expect(versionIn(await ben.build())).not.toBe(version);
  // webpack takes from its cache what did not change between the two.
  await back();
  expect(versionIn(await ben.build())).toBe(version);
});

const messageOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'no fault',
    (error: { stderr: string }) => error.stderr,
  );

it('publish refuses a build with symbolic links', async () => {
  await checkout.link('mfe-referral/dist/assets/words.txt', '/etc/hostname');
  expect(await messageOf(checkout.publish())).toContain(
    'mfe-referral/dist has symbolic links, which are not published: assets/words.txt',
  );
});

it('a remote of JavaScript is built, with what it uses, the values it names and the size it allows itself', async () => {
  await checkout.command('new-remote', ['power']);
  const src = path.join(checkout.folder, 'mfe-power/src');
  for (const [from, to] of [
    ['app.ts', 'app.js'],
    ['routes.tsx', 'routes.jsx'],
    ['pages/power/power-page.tsx', 'pages/power/power-page.jsx'],
  ] as const)
    await rename(path.join(src, from), path.join(src, to));
  const page = 'mfe-power/src/pages/power/power-page.jsx';
  await checkout.edit('mfe-power/remote.json', '"contract"', '"budget": { "all": 0.1 },\n  "contract"');
  const back = await checkout.edit(page, "t('power.title')", 'process.env.POOL_PASSWORD');
  expect(await messageOf(checkout.command('build', ['power']))).toContain('everybody may read, REMOTE_PUBLIC_…, not');
  await back();
  await checkout.edit(page, "t('power.title')", "t('power.title') + process.env.REMOTE_PUBLIC_MAP");
  expect(await messageOf(checkout.command('build', ['power']))).toContain('REMOTE_PUBLIC_MAP is not set');
  const values = { REMOTE_PUBLIC_MAP: 'https://map.example' };
  expect(await checkout.command('build', ['power'], values)).toMatch(/power 1\.0\.0-/);
  const size = (map: string) => messageOf(checkout.command('size', ['power'], { REMOTE_PUBLIC_MAP: map }));
  expect(await size('https://map.example')).toContain('1 over budget');
  expect(await size('https://other.example')).toContain('no build of mfe-power as the sources are now');
  const packed = path.join(checkout.folder, '.cache/packed/power');
  const [made = ''] = await readdir(packed);
  const files = (await readdir(path.join(packed, made))).filter((file) => file.endsWith('.js'));
  const code = await Promise.all(files.map((file) => readFile(path.join(packed, made, file), 'utf8')));
  expect(code.join()).toContain('https://map.example');
  expect(await readFile(path.join(packed, made, 'uses.txt'), 'utf8')).toContain('@pool/shared/ui/core · PageHeader');
  expect(await checkout.command('i18n-check', ['power'])).toContain('no fault');
});
