/** A team's commands: units that are stale or the same version, what is not published. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
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
