/** Serves the pool, and shows edits and type errors in the open page. Nothing that is deployed changes. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { filesBelow, ROOT } from './build/files';
import { publishTexts } from './build/locales';
import { remotesIn, unitsNamed } from './build/names';
import { publishShell } from './build/pages';
import { besideTheCode } from './build/units';
import { copyClerk } from './build/vendor';
import { runCommand } from './command-line.mjs';
import { built, startBuilds, watchTypes } from './dev/builds';
import { copyDeployed, deployRemote, DEV_DIST, freePort, startPool } from './dev/deploy';
import { Front } from './dev/front';
import { devManifest, OwnRemote } from './dev/own-remote';
import { poolAt, surfaceAt } from './remotes/pool';

const sayReady = (): void =>
  console.log(`dev: http://localhost:${PORT} is ready after ${process.uptime().toFixed(1)} s`);

/** What the shell's pages are made of besides their scripts (build/pages.ts), and texts. */
const pageSources = (): string[] =>
  ['shell/src', 'shared/src/page-start', 'shell/locales', 'shared/locales']
    .flatMap((folder) => filesBelow(path.join(ROOT, folder)).map((file) => path.join(ROOT, folder, file)))
    .filter((file) => /\.(html|json)$|[\\/](skeleton|page-start)[\\/]|boot-inline/.test(file));

const { PORT: port = '', HOST = '127.0.0.1' } = process.env;
const PORT = Number(port || 3000);

/** Time until the pool's server knows of new pages and remotes (api/src/pages/templates.ts, remotes/registry.ts). */
const PAGES_MS = 1_000;

async function dev(named: readonly string[]): Promise<void> {
  const remotes = remotesIn(named);
  const poolPort = await freePort();
  await copyDeployed(remotes);
  const publishPages = async (): Promise<void> => {
    publishTexts(DEV_DIST);
    await publishShell({ dist: DEV_DIST, dev: true });
  };
  const publishChanged = async (changed: readonly string[]): Promise<void> => {
    if (changed.length === 0) return;
    await publishPages();
    if (changed.every((file) => file.endsWith('.json'))) builds.context.hot?.publish({ action: 'texts' });
    else setTimeout(() => builds.context.hot?.publish({ action: 'reload' }), PAGES_MS);
  };
  // No service worker: it would keep what changes all the time.
  const builds = startBuilds([
    { name: 'shell', beside: pageSources(), publish: publishChanged },
    { name: 'landing' },
    ...remotes.map((name) => ({
      name: `mfe-${name}`,
      beside: besideTheCode(`mfe-${name}`),
      publish: () => deployRemote(name),
    })),
  ]);
  await new Front(new URL(`http://127.0.0.1:${poolPort}`), null, builds).listen(PORT, HOST);
  await copyClerk({ dist: DEV_DIST, compressed: false });
  startPool(poolPort, PORT);
  await built(builds);
  await publishPages();
  watchTypes(builds, ['shared/src', 'shell/src', ...remotes.map((name) => `mfe-${name}/src`)]);
  while (!(await fetch(`http://127.0.0.1:${poolPort}/ready`).catch(() => null))?.ok) await sleep(100);
  await sleep(PAGES_MS);
  sayReady();
}

async function devAgainst(name: string, url: string): Promise<void> {
  const pool = poolAt(url);
  // The pool has to answer.
  await surfaceAt(pool);
  const unit = `mfe-${name}`;
  const own = new OwnRemote(name, pool);
  const publish = (): void => {
    own.manifest = devManifest(name);
    front.tellRemotes();
  };
  const builds = startBuilds([{ name: unit, beside: besideTheCode(unit), publish }], true);
  const front = new Front(pool, own, builds);
  await built(builds);
  watchTypes(builds, [unit]);
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
    const [name, ...more] = remotesIn(named);
    if (name === undefined || more.length > 0) throw new Error('--against takes one remote');
    await devAgainst(name, against);
    sayReady();
  },
);
