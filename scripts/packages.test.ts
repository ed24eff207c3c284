/** A remote in a repository of its own, with nothing of this tree but the packages, as `npm pack` makes them. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { team, type Team } from '../e2e/fixtures/team';
import { ROOT } from './build/files';

const run = promisify(execFile);
let folder: string;
let repository: Team;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'pool-packages-'));
  repository = await team('referral', path.join(folder, 'remotes'));
  await run(process.execPath, ['--import', 'tsx', 'scripts/packages.ts', folder], { cwd: ROOT });
  const installed = path.join(repository.folder, 'node_modules/@pool');
  await rm(installed, { recursive: true });
  for (const name of ['shared', 'build', 'testing']) {
    const archive = (await readdir(folder)).find((file) => file.startsWith(`pool-${name}-`)) ?? '';
    await mkdir(path.join(installed, name), { recursive: true });
    const args = ['-xzf', path.join(folder, archive), '--strip-components', '1', '-C', path.join(installed, name)];
    await run('tar', args);
  }
}, 120_000);
afterAll(async () => {
  await repository.leave();
  await rm(folder, { recursive: true });
});

test('types, tests, texts, build and publish', async () => {
  const bin = (name: string, ...args: string[]) =>
    run(process.execPath, [path.join(ROOT, 'node_modules', name), ...args], { cwd: repository.folder });
  await repository.edit('mfe-referral/src/app.ts', 'CONTRACT;', 'CONTRACT + missing;');
  await expect(bin('typescript/bin/tsc', '-p', '.', '--noEmit')).rejects.toMatchObject({
    stdout: expect.stringMatching(/^mfe-referral\/src\/app\.ts\(\d+,\d+\): error TS2304[^\n]*\n$/),
  });
  await repository.edit('mfe-referral/src/app.ts', 'CONTRACT + missing;', 'CONTRACT;');
  const { stderr } = await bin('jest/bin/jest.js', 'referral-page', '-t', 'shows its message');
  expect(stderr).toMatch(/Tests: +(\d+ skipped, )?\d+ passed, \d+ total/);
  const pool = path.join(repository.folder, 'node_modules/@pool/build/pool.mjs');
  const said = await run(pool, ['build', 'referral'], { cwd: repository.folder });
  expect(said.stdout).toContain('build: 1 of 1 units changed');
  const version = await repository.publish();
  const files = await readdir(path.join(folder, 'remotes/referral', version));
  expect(files).toEqual(expect.arrayContaining(['manifest.json', 'release.json', 'uses.txt']));
  expect(existsSync(path.join(repository.folder, 'shared'))).toBe(false);
}, 300_000);
