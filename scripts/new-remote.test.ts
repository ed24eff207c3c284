/** A remote as `npm run new:remote` makes it passes everything the others do, with no edit. */
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
});
afterAll(async () => {
  await checkout.leave();
  await rm(remotes, { recursive: true });
});

test('types, lint, its test, its texts in four languages, its build and size', async () => {
  const said = await checkout.command('check', ['farm-map']);
  expect(
    said
      .match(/^ok +\w+/gm)
      ?.map((line) => line.slice(2).trim())
      .sort(),
  ).toEqual(['lint', 'size', 'tests', 'texts', 'types']);
  expect(await readdir(path.join(remotes, 'farm-map'))).toContain('current.json');
}, 400_000);

test.each([
  [['farm-map'], 'mfe-farm-map is there already'],
  [['Farm'], 'usage: npm run new:remote -- <name>'],
  [[], 'usage: npm run new:remote -- <name>'],
])('refuses %j', async (words, message) => {
  await expect(checkout.command('new-remote', words)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining(message),
  });
});
