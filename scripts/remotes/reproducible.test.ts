/** The same sources are the same version, whoever builds them, where, and with or without a cache. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { team } from '../../e2e/fixtures/team';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'pool-same-'));
});
afterAll(() => rm(folder, { recursive: true }));

const versionIn = (said: string): string | undefined => /referral (\d+\.\d+\.\d+-[0-9a-f]{8}) /.exec(said)?.[1];

it('two people in two folders, one of them again with a cache: one version', async () => {
  const build = async (at: string, who: Record<string, string>) => {
    const below = path.join(folder, at);
    await mkdir(below, { recursive: true });
    const checkout = await team('referral', path.join(folder, 'remotes'), { below, env: who });
    return { checkout, version: versionIn(await checkout.build()) };
  };
  const ann = await build('one', { USER: 'ann', HOME: '/nowhere/ann', TZ: 'UTC', LANG: 'C' });
  const ben = await build('further/down', {
    USER: 'ben',
    HOME: '/nowhere/ben',
    TZ: 'Asia/Tokyo',
    LANG: 'fr_FR.UTF-8',
  });
  expect(ann.version).toBeDefined();
  expect(ben.version).toBe(ann.version);
  // Warm: webpack takes from its cache what did not change between the two.
  const back = await ben.checkout.edit('mfe-referral/src/app.ts', 'import', 'console.log(1);\nimport');
  expect(versionIn(await ben.checkout.build())).not.toBe(ann.version);
  await back();
  expect(versionIn(await ben.checkout.build())).toBe(ann.version);
});
