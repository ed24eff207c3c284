/** A team's commands: names that no unit has, units that are stale, a wrong `remote.json`. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { team, type Team } from '../../e2e/fixtures/team';

let checkout: Team;
let remotes: string;
beforeAll(async () => {
  remotes = await mkdtemp(path.join(tmpdir(), 'pool-remotes-'));
  checkout = await team('referral', remotes);
});
afterAll(async () => {
  await checkout.leave();
  await rm(remotes, { recursive: true });
});

it.each(['build', 'size', 'check', 'i18n-check', 'remote publish', 'dev'])(
  '%s refuses a name no unit has',
  async (named) => {
    const [command = '', ...words] = named.split(' ');
    await expect(checkout.command(command, [...words, 'mfe-referal'])).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/no unit is called 'mfe-referal'. There are: .*mfe-referral/),
    });
  },
);

it('a unit is stale when a file it is made of changes, and only then', async () => {
  const size = () => checkout.command('size', ['mfe-referral']);
  const stale = { stderr: expect.stringContaining('no build of mfe-referral as the sources are now: npm run build') };
  await expect(size()).rejects.toMatchObject(stale);
  expect(await checkout.build()).toContain('build: 1 of 1 units changed');
  expect(await size()).toContain('referral: remoteEntry');
  for (const [file, from, to] of [
    ['mfe-referral/src/app.ts', '\n', '\n\n'],
    ['mfe-referral/locales/en.json', '{', '{ '],
    ['node_modules/@pool/build/build/webpack.base.cjs', '/**', '/**\n *'],
  ] as const) {
    const back = await checkout.edit(file, from, to);
    await expect(size()).rejects.toMatchObject(stale);
    await back();
  }
  // The page's own code gets it from the shell; types leave nothing in a bundle.
  await checkout.edit('node_modules/@pool/shared/src/ability.ts', '/**', '/** Changed. */\n/**');
  await checkout.edit('package.json', '"scripts": {', '"scripts": { "x": "y",');
  expect(await checkout.build()).toContain('build: nothing changed');
});

const FILE = 'mfe-referral/remote.json';
const messageOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'no fault',
    (error: { stderr: string }) => error.stderr,
  );

it.each([
  ['"contract": 1,', '', 'remote.json: contract: '],
  ['"contract": 1,', '"contract": 2,', 'remote.json: contract: 2, but the contract of this checkout'],
  ['"name": "referral"', '"name": "referrals"', 'remote.json: name: is not the name of its folder'],
  ['"subject": "referral"', '"subject": "friends"', 'remote.json: requires.subject: '],
  ['"requires"', '"require"', '"require"'],
  ['"icon": "referral"', '"icon": "gift"', 'remote.json: nav[0].icon: '],
  [
    '"order": 4',
    '"order": 4, "badge": { "count": "workers", "label": "referral.nav" }',
    'remote.json: nav[0].badge.count: ',
  ],
  [
    '"order": 4',
    '"order": 4, "badge": { "count": "offline-workers", "label": "nav.offline" }',
    "remote.json: nav[0].badge.label: 'nav.offline' is not a text",
  ],
  [
    '"path": "/referral/"',
    '"path": "/referral/friends"',
    'remote.json: nav[0]: src/routes.tsx has no route for /referral/friends',
  ],
  [
    '"contract": 1,',
    '"contract": 1, "commands": [{ "path": "/referral/friends?tab=2", "label": "referral.nav" }],',
    'remote.json: commands[0]: src/routes.tsx has no route for /referral/friends?tab=2',
  ],
  [
    '"contract": 1,',
    '"contract": 1, "commands": [{ "path": "/referral/", "label": "nav.friends" }],',
    "remote.json: commands[0].label: 'nav.friends' is not a text",
  ],
  [
    '"contract": 1,',
    '"contract": 1, "subjects": { "referral.x": { "read": { "action": "read", "subject": "referral" } } },',
    "locales/ar.json: no text 'referral.x'",
  ],
  [
    '"order": 4',
    '"order": 4, "badge": { "count": { "call": "GET /friends", "field": "total" }, "label": "referral.nav" }',
    "remote.json: nav[0].badge.count.call: the contract has no 'GET /friends'",
  ],
  ['"contract": 1,', '"contract": 1, "groups": { "admin.nav": {} },', 'is not a group of this remote'],
  ['"label": "referral.nav"', '"label": "referral.menu"', "locales/ar.json: no text 'referral.menu'"],
  ['"label": "referral.nav"', '"label": "nav.referral"', "remote.json: nav[0].label: 'nav.referral' is not a text"],
])('build refuses %s changed to %s', async (from, to, message) => {
  const back = await checkout.edit(FILE, from, to);
  const said = await messageOf(checkout.build());
  await back();
  expect(said).toContain(message);
});

it('build refuses a text that is not the remote’s own', async () => {
  const back = await checkout.edit('mfe-referral/locales/fr.json', '{', '{ "workers.title": "Machines",');
  const said = await messageOf(checkout.build());
  await back();
  expect(said).toContain("locales/fr.json: 'workers.title' is not a text of this remote");
});

it('build refuses the path of a page of another remote', async () => {
  await checkout.write('mfe-friends/remote.json', '{ "name": "friends", "basePath": "/friends" }');
  const back = await checkout.edit('mfe-referral/src/app.ts', 'CONTRACT;', "CONTRACT;\nconsole.info('/friends/all');");
  const said = await messageOf(checkout.build());
  await back();
  await rm(path.join(checkout.folder, 'mfe-friends'), { recursive: true });
  expect(said).toContain("mfe-referral/src/app.ts: /friends/all is a page of 'friends': link to it by its id");
});

it('publish refuses a base path that a deployed remote has', async () => {
  await checkout.build();
  const folder = path.join(remotes, 'friends');
  await mkdir(path.join(folder, '1.0.0'), { recursive: true });
  await writeFile(path.join(folder, 'current.json'), JSON.stringify({ version: '1.0.0' }));
  await writeFile(
    path.join(folder, '1.0.0/manifest.json'),
    JSON.stringify({ name: 'friends', basePath: '/referral/all' }),
  );
  expect(await messageOf(checkout.publish())).toContain(
    "remote.json: basePath: /referral is taken by 'friends' (/referral/all)",
  );
});

it('publish refuses a build with symbolic links', async () => {
  await checkout.link('mfe-referral/dist/assets/words.txt', '/etc/hostname');
  expect(await messageOf(checkout.publish())).toContain(
    'mfe-referral/dist has symbolic links, which are not published: assets/words.txt',
  );
});
