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

it('two people in two folders, each without and with a cache: one version', async () => {
  const versions: (string | undefined)[] = [];
  for (const [at, who] of [
    ['one', { USER: 'ann', HOME: '/nowhere/ann', TZ: 'UTC', LANG: 'C' }],
    ['further/down', { USER: 'ben', HOME: '/nowhere/ben', TZ: 'Asia/Tokyo', LANG: 'fr_FR.UTF-8' }],
  ] as const) {
    await mkdir(path.join(folder, at), { recursive: true });
    const checkout = await team('referral', path.join(folder, 'remotes'), { below: path.join(folder, at), env: who });
    versions.push(versionIn(await checkout.build()));
    // Warm: webpack takes from its cache what did not change between the two.
    const back = await checkout.edit('mfe-referral/src/app.ts', 'import', 'console.log(1);\nimport');
    expect(versions).not.toContain(versionIn(await checkout.build()));
    await back();
    versions.push(versionIn(await checkout.build()));
  }
  expect(versions).toEqual(Array(4).fill(versions[0]));
  expect(versions[0]).toBeDefined();
}, 180_000);
