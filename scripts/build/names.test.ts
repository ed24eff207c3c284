/** Every command accepts the same names of units and refuses others; a unit is rebuilt only when its sources change. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { team, type Team } from '../../e2e/fixtures/team';
import { ROOT } from './files';
import { REMOTES, UNITS, unitsNamed } from './names';

test('remotes are found by their folders', () => {
  expect(REMOTES).toEqual(expect.arrayContaining(['dashboard', 'workers']));
  expect(UNITS).toEqual(['shell', 'landing', 'service-worker', ...REMOTES.map((name) => `mfe-${name}`)]);
});

test('a remote can be named by its folder, or without mfe-', () => {
  expect(unitsNamed(['workers', 'mfe-admin', 'shell', 'mfe-workers'])).toEqual(['shell', 'mfe-admin', 'mfe-workers']);
  expect(unitsNamed([])).toEqual(UNITS);
  expect(() => unitsNamed(['mfe-worker'])).toThrow(`no unit is called 'mfe-worker'. There are: ${UNITS.join(', ')}`);
});

test('npm test takes no names', async () => {
  await expect(
    promisify(execFile)(process.execPath, ['scripts/test.mjs', 'workers'], { cwd: ROOT }),
  ).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('one unit: npm run check -- <unit>'),
  });
});

describe('commands', () => {
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
      ['webpack.base.cjs', '/**', '/**\n *'],
    ] as const) {
      const back = await checkout.edit(file, from, to);
      await expect(size()).rejects.toMatchObject(stale);
      await back();
    }
    // The page's own code gets it from the shell; types leave nothing in a bundle.
    await checkout.edit('shared/src/ability.ts', '/**', '/** Changed. */\n/**');
    await checkout.edit('package.json', '"scripts": {', '"scripts": { "x": "y",');
    expect(await checkout.build()).toContain('build: nothing changed');
  });
});
