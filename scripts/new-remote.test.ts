/**
 * A remote made by `npm run new:remote` passes its check without an edit: here, in the whole tree, that of its texts,
 * and with HEAVY=1 all of it, as teams.test.ts has it in a team's repository.
 */
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { team, type Team } from '../e2e/fixtures/team';

let checkout: Team;
let remotes: string;
beforeAll(async () => {
  remotes = await mkdtemp(path.join(tmpdir(), 'pool-remotes-'));
  checkout = await team('referral', remotes, { whole: true });
  await checkout.command('new-remote', ['farm-map']);
}, 240_000);
afterAll(async () => {
  await checkout.leave();
  await rm(remotes, { recursive: true });
});

test('its texts pass their check', async () => {
  expect(await checkout.command('i18n-check', ['farm-map'])).toMatch(/^\d+ texts in 4 languages: no fault/);
});

(process.env.HEAVY ? test : test.skip)(
  'it passes its check, which deploys nothing',
  async () => {
    const said = await checkout.command('check', ['farm-map']);
    expect(said.match(/^ok {3}.*(?= · )/gm)?.sort()).toEqual(
      ['format', 'size', 'tests', 'texts', 'types and lint'].map((step) => `ok   ${step}`),
    );
    expect(existsSync(path.join(checkout.folder, 'dist/remotes'))).toBe(false);
    expect(await readdir(remotes)).toEqual([]);
    expect(await checkout.command('surface', [])).toMatch(/^surface: \d/);
  },
  240_000,
);

test.each([
  [['farm-map'], 'mfe-farm-map is there already'],
  [['account'], "a remote cannot be called 'account': basePath: this path is one of the pool itself"],
])('refuses %j', async (words, message) => {
  await expect(checkout.command('new-remote', words)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining(message),
  });
});
