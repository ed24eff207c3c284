/** Serves the pool, and shows edits and type errors in the open page. Nothing that is deployed changes. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT } from './build/files';
import { publishTexts } from './build/locales';
import { UNITS, unitsNamed } from './build/names';
import { publishShell } from './build/pages';
import { copyClerk } from './build/vendor';
import { runCommand } from './command-line.mjs';
import { copyDeployed, deployRemote, DEV_DIST, freePort, startPool } from './dev/deploy';
import { Front } from './dev/front';
import { devManifest, OwnRemote } from './dev/own-remote';
import { Watcher, watchFolder } from './dev/watch';

const sayReady = (port: number, started: number): void =>
  console.log(`dev: http://localhost:${port} is ready after ${((Date.now() - started) / 1000).toFixed(1)} s`);

/** Templates, inline script and skeletons of the shell's pages (build/pages.ts), by folder. */
const PAGE_SOURCES = [
  ['shell/src', /^(app\.html|boot-inline\.ts)$/],
  ['shell/src/landing', /^landing\.html$/],
  ['shell/src/skeleton', /\.css$/],
  ['shared/src/page-start', /\.ts$/],
] as const;

const { PORT: port = '', HOST = '127.0.0.1' } = process.env;
const PORT = Number(port || 3000);

/** Time until the pool's server knows of new pages and remotes (api/src/pages/templates.ts, remotes/registry.ts). */
const PAGES_MS = 1_000;

async function dev(named: readonly string[]): Promise<void> {
  const started = Date.now();
  // No service worker: it would keep what changes all the time.
  const units = UNITS.filter((unit) => unit !== 'service-worker' && (named.includes(unit) || !unit.startsWith('mfe-')));
  const remotes = units.filter((unit) => unit.startsWith('mfe-')).map((unit) => unit.slice('mfe-'.length));
  const poolPort = await freePort();
  const front = new Front(units, new URL(`http://127.0.0.1:${poolPort}`));

  const watcher = new Watcher(front);
  const publish = (unit: string): Promise<void> =>
    watcher.attempt(`${unit}: remote.json, texts`, () => deployRemote(unit.slice('mfe-'.length)));

  const publishPages = (): Promise<void> => watcher.attempt('pages', () => publishShell({ dist: DEV_DIST, dev: true }));

  await front.listen(PORT, HOST);
  copyDeployed(remotes);
  await copyClerk({ dist: DEV_DIST, compressed: false });
  publishTexts(DEV_DIST);
  startPool(poolPort, PORT);
  await Promise.all(
    units.map((unit) => watcher.unit(unit, async () => (unit.startsWith('mfe-') ? publish(unit) : undefined))),
  );
  await publishPages();
  const checked =
    named.length < UNITS.length ? named : ['shared/src', 'shell/src', ...remotes.map((name) => `mfe-${name}/src`)];
  watcher.types(checked);
  for (const name of remotes) watcher.besideTheCode(`mfe-${name}`, () => publish(`mfe-${name}`));
  for (const unit of ['shared', 'shell'])
    watchFolder(path.join(ROOT, unit, 'locales'), /./, async () => {
      await watcher.attempt(`${unit}: texts`, () => publishTexts(DEV_DIST));
      front.tell({ texts: true });
      await publishPages();
    });
  // What the server's pages are made of: no module of the page's scripts.
  for (const [folder, files] of PAGE_SOURCES)
    watchFolder(path.join(ROOT, folder), files, async () => {
      await publishPages();
      await sleep(PAGES_MS);
      front.tell({ reload: true });
    });
  while (!(await fetch(`http://127.0.0.1:${poolPort}/ready`).catch(() => null))?.ok) await sleep(100);
  await sleep(PAGES_MS);
  sayReady(PORT, started);
}

async function devAgainst(name: string, url: string): Promise<void> {
  const pool = new URL(url);
  if (pool.pathname !== '/' || !/^https?:$/.test(pool.protocol))
    throw new Error(`--against takes the address of a pool: https://pool.example, not '${url}'`);
  const answer = await fetch(new URL('/ready', pool)).catch((error: unknown) => {
    throw new Error(`${url} does not answer: ${String((error as Error).cause ?? error)}`);
  });
  await answer.body?.cancel();
  const unit = `mfe-${name}`;
  const own = new OwnRemote(name, pool);
  const front = new Front([unit], pool, own);
  const watcher = new Watcher(front, true);
  const read = (): Promise<void> =>
    watcher.attempt(`${unit}: remote.json, texts`, () => {
      own.manifest = devManifest(name);
      front.tellRemotes();
    });
  await watcher.unit(unit, read);
  watcher.besideTheCode(unit, read);
  watcher.types([unit]);
  await front.listen(PORT, HOST);
}

void runCommand(
  {
    name: 'dev',
    takes: '[remotes...]',
    what: 'Serves the pool and shows what is edited in the open page; with names only these remotes and the shell.',
    options: {
      against: { type: 'string', what: 'the pages and data of the pool at this address, with this one remote of here' },
    },
  },
  async ({ values: { against }, positionals }) => {
    const named = unitsNamed(positionals);
    if (against === undefined) {
      if (!existsSync(path.join(ROOT, 'shell')))
        throw new Error('there is no shell here: --against <the address of a pool> shows a remote in its pages');
      return dev(named);
    }
    const [unit = '', ...more] = named;
    if (more.length > 0 || !unit.startsWith('mfe-')) throw new Error('--against takes one remote');
    const started = Date.now();
    await devAgainst(unit.slice('mfe-'.length), against);
    sayReady(PORT, started);
  },
);
