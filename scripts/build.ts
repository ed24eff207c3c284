/** Builds what changed: server and shell into `dist/`, remotes ready to be published. Deploys nothing. */
import path from 'node:path';
import { withFolderLock } from '../api/src/remotes/pointers';
import { listDependencies } from './build/dependencies';
import { ROOT } from './build/files';
import { publishTexts } from './build/locales';
import { publishShell } from './build/pages';
import { REMOTES, SHELL_UNITS, UNITS, unitsNamed } from './build/names';
import { bundleServer } from './build/server';
import { build, isFresh } from './build/units';
import { copyClerk } from './build/vendor';
import { runCommand } from './command-line.mjs';
import { packRemote } from './remotes/pack';

const SERVER = 'server';
const WAIT_MS = 600_000;

const seconds = (since: number): string => `${((Date.now() - since) / 1000).toFixed(1)} s`;

async function step<T>(title: string, work: () => Promise<T>): Promise<T> {
  const start = Date.now();
  const result = await work();
  console.log(`  ${title} · ${seconds(start)}`);
  return result;
}

async function buildUnits(chosen: readonly string[], force: boolean, compressed: boolean): Promise<void> {
  const start = Date.now();
  const stale = chosen.filter((unit) => force || !isFresh(unit));
  console.log(stale.length ? `build: ${stale.length} of ${chosen.length} units changed` : 'build: nothing changed');
  for (const [index, unit] of stale.entries()) await step(`[${index + 1}/${stale.length}] ${unit}`, () => build(unit));
  if (SHELL_UNITS.some((unit) => chosen.includes(unit))) {
    await step('pages', () => publishShell({ compressed }));
    await step('sign-in library', () => copyClerk({ compressed }));
    publishTexts();
  }
  for (const name of REMOTES.filter((remote) => stale.includes(`mfe-${remote}`)))
    console.log(`  ${name} ${(await packRemote(name)).version}`);
  console.log(`build: done in ${seconds(start)}`);
}

async function main(words: readonly string[], force: boolean, quick: boolean): Promise<void> {
  const chosen = unitsNamed(words, [...(quick ? [] : [SERVER]), ...UNITS]);
  const work = async (): Promise<void> => {
    if (chosen.includes(SERVER)) await step(SERVER, bundleServer);
    const units = chosen.filter((unit) => unit !== SERVER);
    listDependencies();
    if (units.length > 0) await buildUnits(units, force, !quick);
  };
  // Two builds at once would overwrite each other's output: the second waits.
  await withFolderLock(path.join(ROOT, '.cache/build'), work, WAIT_MS);
}

void runCommand(
  {
    name: 'build',
    takes: '[units...]',
    what: 'Builds what has changed, all or these units: server, shell, landing, workers, ... Deploys no remote.',
    options: {
      force: { type: 'boolean', what: 'builds what has not changed, too' },
      quick: { type: 'boolean', what: 'what a first start waits for: all but the server, not compressed' },
    },
  },
  ({ values: { force = false, quick = false }, positionals }) => main(positionals, force, quick),
);
