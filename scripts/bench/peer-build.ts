/**
 * The production build of public-pool-ui, which the dashboard is compared with. Its source is not in this repository:
 * it is the folder in `PEER_SOURCE`, or one commit of its public repository.
 */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { copyCompressed } from '../build/compress';
import { filesBelow, hashOf } from '../build/files';

const REPOSITORY = 'https://github.com/benjamin-wilson/public-pool-ui.git';
const COMMIT = '97f907a5396d00320413ee972960cb5b96344556';
/** Kept between runs. */
const CACHE = path.join(os.tmpdir(), 'bench-peer');
const FETCH_MS = 60_000;
const BUILD_MS = 900_000;

const run = promisify(execFile);

async function clone(): Promise<string> {
  const folder = path.join(CACHE, COMMIT);
  if (existsSync(folder)) return folder;
  await mkdir(CACHE, { recursive: true });
  // Renamed when it is complete: a clone that was interrupted is not taken for the source.
  const part = await mkdtemp(path.join(CACHE, 'part-'));
  const git = (...args: string[]) =>
    run('git', ['-C', part, ...args], { timeout: FETCH_MS, env: { ...process.env, GIT_TERMINAL_PROMPT: '0' } });
  try {
    await git('init', '--quiet');
    await git('fetch', '--quiet', '--depth', '1', REPOSITORY, COMMIT);
    await git('checkout', '--quiet', 'FETCH_HEAD');
    await rename(part, folder);
  } finally {
    await rm(part, { recursive: true, force: true });
  }
  return folder;
}

/** Of what the build reads: the same source is built once, wherever it is. */
function keyOf(source: string): string {
  const top = ['package.json', 'package-lock.json', 'angular.json', 'tsconfig.json', 'tsconfig.app.json'];
  const files = [...top, ...filesBelow(path.join(source, 'src')).map((name) => path.join('src', name))];
  return hashOf(
    files.flatMap((name) => (existsSync(path.join(source, name)) ? [name, readFileSync(path.join(source, name))] : [])),
  );
}

/** The folder with the built files and their compressed forms. */
export async function buildPeer(): Promise<string> {
  const source = process.env.PEER_SOURCE ? path.resolve(process.env.PEER_SOURCE) : await clone();
  if (!existsSync(path.join(source, 'package.json'))) throw new Error(`no package.json in ${source}`);
  const built = path.join(CACHE, `built-${keyOf(source)}`);
  if (existsSync(built)) return built;
  process.stdout.write(`Building the peer from ${source}\n`);
  const options = {
    cwd: source,
    timeout: BUILD_MS,
    maxBuffer: 2 ** 26,
    env: { ...process.env, NG_CLI_ANALYTICS: 'false' },
  };
  // Its build needs no scripts of packages, so none of them runs here.
  await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], options);
  await mkdir(CACHE, { recursive: true });
  const part = await mkdtemp(path.join(CACHE, 'part-'));
  try {
    const [plain, compressed] = [path.join(part, 'plain'), path.join(part, 'compressed')];
    const ng = path.join(source, 'node_modules', '.bin', 'ng');
    await run(ng, ['build', '--configuration', 'production', '--output-path', plain], options);
    await copyCompressed(plain, filesBelow(plain), compressed);
    await rename(compressed, built);
  } finally {
    await rm(part, { recursive: true, force: true });
  }
  return built;
}
