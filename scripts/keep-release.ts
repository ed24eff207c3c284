/** Builds a commit and keeps it for the journeys: remotes of two versions, and all else of the newest. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { filesBelow, readJson, ROOT } from './build/files';
import { DECLARED, fileOf, keep, keptReleases, minorOf, RELEASES, surfaceOf } from './build/release';
import { declared } from './surface/declarations';
import { runCommand } from './command-line.mjs';

const KEPT = 2;

function run(folder: string, command: string, ...args: string[]): void {
  const env = { ...process.env, DIST_DIR: '', REMOTES_DIR: '' };
  execFileSync(command, args, { cwd: folder, env, stdio: 'inherit' });
}

function keepBuild(folder: string): string {
  const { version } = readJson<{ version: string }>(path.join(folder, 'shared/package.json'));
  const dist = path.join(folder, 'dist');
  const below = (part: string) => filesBelow(path.join(dist, part)).map((name) => `${part}/${name}`);
  // The landing page is left out: it mounts no remotes.
  const assets = filesBelow(path.join(folder, 'shell/dist/shell')).map((name) => `shell/assets/${name}`);
  // The manifest last: the server reads the pages again when it changes.
  const shell = [...assets, ...below('locales'), 'shell/app.html', 'shell/manifest.json'];
  // The server can do without the compressed forms, the journeys without the fonts.
  const isText = (name: string) => !/\.(br|gz|woff2)$/.test(name);
  const textsOf = (base: string, names: string[]) =>
    Object.fromEntries(names.filter(isText).map((name) => [name, readFileSync(path.join(base, name), 'utf8')]));
  keep(version, 'remotes', textsOf(dist, below('remotes')));
  keep(version, 'shell', textsOf(dist, shell));
  const sources = filesBelow(folder).filter((name) => /^mfe-\w+\/src\/(?!testing\/).*(?<!\.test)\.tsx?$/.test(name));
  keep(version, 'types', { [DECLARED]: JSON.stringify(declared(folder)), ...textsOf(folder, sources) });
  copyFileSync(path.join(folder, 'shared/surface.txt'), surfaceOf(version));
  return version;
}

/** Keeps `version` alone of its minor version, two minor versions in all, and the shell of the newest. */
function dropOthers(version: string): void {
  const same = (other: string) => other !== version && minorOf(other) === minorOf(version);
  for (const other of keptReleases().filter(same)) rmSync(path.join(RELEASES, other), { recursive: true });
  const kept = keptReleases();
  for (const old of kept.slice(0, -KEPT)) rmSync(path.join(RELEASES, old), { recursive: true });
  for (const older of kept.slice(0, -1))
    for (const file of [fileOf(older, 'shell'), fileOf(older, 'types'), surfaceOf(older)])
      rmSync(file, { force: true });
}

function main(commit: string): void {
  const folder = mkdtempSync(path.join(tmpdir(), 'pool-release-'));
  try {
    run(ROOT, 'git', 'worktree', 'add', '--quiet', '--detach', folder, commit);
    run(folder, 'npm', 'ci', '--prefer-offline');
    run(folder, process.execPath, '--import', 'tsx', 'scripts/build.ts');
    // Builds of earlier commits deployed what they built.
    if (existsSync(path.join(folder, 'scripts/remote.ts')))
      run(folder, process.execPath, '--import', 'tsx', 'scripts/remote.ts', 'publish', '--missing');
    const version = keepBuild(folder);
    dropOthers(version);
    console.log(`@pool/shared ${version} is kept; there are ${keptReleases().join(', ')}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    run(ROOT, 'git', 'worktree', 'prune');
  }
}

void runCommand(
  {
    name: 'keep:release',
    takes: '[commit]',
    what: 'Keeps the remotes and the shell of the last commit, or of another, in e2e/fixtures/releases.',
  },
  ({ positionals: [commit = 'HEAD'] }) => main(commit),
);
