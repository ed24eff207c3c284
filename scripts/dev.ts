/**
 * Serves the pool and shows what is edited in the open page, without a reload where React can take the change. Type
 * errors are shown here and in the page. Requests are logged with LOG_REQUESTS=1. Nothing that is deployed changes.
 */
import { existsSync, rmSync, watch } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import webpack from 'webpack';
import { ROOT } from './build/files';
import { publishTexts } from './build/locales';
import { UNITS, unitsNamed } from './build/names';
import { publishShell } from './build/pages';
import { configOf, outputOf, record } from './build/units';
import { copyClerk } from './build/vendor';
import { runCommand } from './command-line.mjs';
import { copyDeployed, deployRemote, DEV_DIST } from './dev/deploy';
import { Front } from './dev/front';
import { freePort, startPool } from './dev/pool';
import { watchTypes } from './dev/types';

const say = (text: string): void => console.log(`dev: ${text}`);
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Templates, inline script and skeletons of the shell's pages (build/pages.ts), by folder. */
const PAGE_SOURCES = [
  ['shell/src', /^(app\.html|boot-inline\.ts)$/],
  ['shell/src/landing', /^landing\.html$/],
  ['shell/src/skeleton', /\.css$/],
  ['shared/src/page-start', /\.ts$/],
] as const;

/** After so long the pool's server knows of new pages (api/src/web/templates.ts). */
const PAGES_MS = 1_000;

/** Calls `changed` a moment after a file in the folder has changed: editors write in steps. */
function watchFolder(folder: string, files: RegExp, changed: () => unknown): void {
  let timer: NodeJS.Timeout | undefined;
  if (!existsSync(folder)) return;
  watch(folder, (_event, file) => {
    if (file !== null && !files.test(file)) return;
    clearTimeout(timer);
    timer = setTimeout(changed, 50);
  });
}

async function dev(named: readonly string[]): Promise<void> {
  const started = Date.now();
  // No service worker: it would keep what changes all the time.
  const units = UNITS.filter((unit) => unit !== 'service-worker' && (named.includes(unit) || !unit.startsWith('mfe-')));
  const remotes = units.filter((unit) => unit.startsWith('mfe-')).map((unit) => unit.slice('mfe-'.length));
  const port = Number(process.env.PORT || 3000);
  const poolPort = await freePort();
  const front = new Front(units, poolPort);

  /** Runs `work`; what it throws are the problems of `source`, here and in the page. */
  const attempt = async (source: string, work: () => unknown): Promise<void> => {
    let problems: string[] = [];
    try {
      await work();
    } catch (error) {
      problems = [messageOf(error)];
      console.error(`dev: ${source}\n${problems[0]}`);
    }
    front.tell({ source, problems });
  };
  const publish = (unit: string): Promise<void> =>
    attempt(`${unit}: remote.json, texts`, () => deployRemote(unit.slice('mfe-'.length)));

  const publishPages = (): Promise<void> => attempt('pages', () => publishShell({ dist: DEV_DIST, dev: true }));

  const watchUnit = (unit: string): Promise<void> =>
    new Promise((firstBuild) => {
      rmSync(path.join(outputOf(unit, true), 'hot'), { recursive: true, force: true });
      webpack(configOf(unit, true)).watch({ aggregateTimeout: 20 }, (error, stats) => {
        void attempt(unit, () => {
          if (error) throw error;
          if (stats?.hasErrors()) throw new Error(stats.toString({ all: false, errors: true, colors: false }));
        })
          .then(async () => {
            if (!stats || error || stats.hasErrors()) return;
            record(unit, stats, true);
            front.tell({ unit, hash: stats.hash ?? '' });
            if (unit.startsWith('mfe-')) await publish(unit);
          })
          .then(firstBuild);
      });
    });

  await front.listen(port, process.env.HOST || '127.0.0.1');
  copyDeployed(remotes);
  await copyClerk(DEV_DIST);
  publishTexts(DEV_DIST);
  startPool(poolPort, port);
  await Promise.all(units.map(watchUnit));
  await publishPages();
  const checked =
    named.length < UNITS.length ? named : ['shared/src', 'shell/src', ...remotes.map((name) => `mfe-${name}/src`)];
  watchTypes(checked, (errors) => {
    if (errors.length > 0) console.error(`dev: types\n${errors.join('\n')}`);
    front.tell({ source: 'types', problems: errors });
  });
  for (const name of remotes) {
    const unit = `mfe-${name}`;
    watchFolder(path.join(ROOT, unit), /^remote\.json$/, () => publish(unit));
    watchFolder(path.join(ROOT, unit, 'locales'), /./, () => publish(unit));
  }
  for (const unit of ['shared', 'shell'])
    watchFolder(path.join(ROOT, unit, 'locales'), /./, async () => {
      await attempt(`${unit}: texts`, () => publishTexts(DEV_DIST));
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
  say(`http://localhost:${port} is ready after ${((Date.now() - started) / 1000).toFixed(1)} s`);
}

void runCommand(
  {
    name: 'dev',
    takes: '[remotes...]',
    what: 'Serves the pool and shows what is edited in the open page; with names only these remotes and the shell.',
  },
  ({ positionals }) => dev(unitsNamed(positionals)),
);
