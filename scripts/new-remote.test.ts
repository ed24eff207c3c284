/** A remote made by `npm run new:remote` is built, measured and has its texts, without an edit. */
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

test('its build, size and texts in four languages pass', async () => {
  await checkout.command('build', ['farm-map']);
  // A build deploys nothing.
  expect(existsSync(path.join(checkout.folder, 'dist/remotes'))).toBe(false);
  await checkout.command('remote', ['publish', 'farm-map']);
  expect(await readdir(path.join(remotes, 'farm-map'))).toContain('current.json');
  expect(await checkout.command('size', ['farm-map'])).toContain('farm-map: all its pages');
  expect(await checkout.command('i18n-check', ['farm-map'])).toContain('no fault');
  expect(await checkout.command('surface', [])).toMatch(/^surface: \d/);
}, 240_000);

test.each([
  [['farm-map'], 'mfe-farm-map is there already'],
  [['Farm'], "a remote cannot be called 'Farm'"],
  [[], 'npm run new:remote -- <name>'],
])('refuses %j', async (words, message) => {
  await expect(checkout.command('new-remote', words)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining(message),
  });
});
