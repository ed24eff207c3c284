/** The same sources are the same version, whoever builds them, where, and with or without a cache. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { team, type Team } from '../../e2e/fixtures/team';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'pool-same-'));
});
afterAll(() => rm(folder, { recursive: true }));

const versionIn = (said: string): string | undefined => /referral (\d+\.\d+\.\d+-[0-9a-f]{8}) /.exec(said)?.[1];

it('two people in two folders, one of them with the cache of another build: one version', async () => {
  const checkout = async (at: string, env: Record<string, string>): Promise<Team> => {
    const below = path.join(folder, at);
    await mkdir(below, { recursive: true });
    return team('referral', path.join(folder, 'remotes'), { below, env });
  };
  const ann = await checkout('one', { USER: 'ann', HOME: '/nowhere/ann', TZ: 'UTC', LANG: 'C' });
  const version = versionIn(await ann.build());
  expect(version).toBeDefined();
  const ben = await checkout('further/down', {
    USER: 'ben',
    HOME: '/nowhere/ben',
    TZ: 'Asia/Tokyo',
    LANG: 'fr_FR.UTF-8',
  });
  const back = await ben.edit('mfe-referral/src/app.ts', 'import', 'console.log(1);\nimport');
  expect(versionIn(await ben.build())).not.toBe(version);
  // webpack takes from its cache what did not change between the two.
  await back();
  expect(versionIn(await ben.build())).toBe(version);
});
