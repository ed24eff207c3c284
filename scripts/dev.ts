/**
 * Rebuilds and republishes a unit when its sources change, and restarts the server when its sources change. Reload the
 * page to see it. Not compressed and not minified; `npm start` makes a real build again.
 */
import { spawn } from 'node:child_process';
import { existsSync, watch } from 'node:fs';
import path from 'node:path';
import webpack from 'webpack';
import { ROOT } from './build/files';
import { publishTexts } from './build/locales';
import { publishShell } from './build/pages';
import { REMOTES, UNITS, unitsNamed } from './build/names';
import { configOf, record } from './build/units';
import { copyClerk } from './build/vendor';
import { publish } from './publish-remote';
import { runCommand } from './command-line.mjs';

const say = (text: string): void => console.log(`dev: ${text}`);
const report = (error: unknown): void => console.error('dev:', error instanceof Error ? error.message : error);

const built = new Set<string>();
async function deploy(unit: string): Promise<void> {
  built.add(unit);
  if (unit.startsWith('mfe-')) return say(`${unit.slice(4)} ${await publish(unit.slice(4), { dev: true })}`);
  if (!built.has('shell') || !built.has('landing')) return;
  await publishShell(true);
  say('shell');
}

// One after the other: they write the same manifest, and two at once are not faster on two cores.
let queue = Promise.resolve();
const inTurn = (work: () => Promise<unknown>): void => {
  queue = queue.then(work).then(() => undefined, report);
};

function watchUnit(unit: string): Promise<void> {
  return new Promise((firstBuild) => {
    webpack(configOf(unit, true)).watch({ aggregateTimeout: 100 }, (error, stats) => {
      if (error) report(error);
      else if (stats?.hasErrors()) report(`${unit}\n${stats.toString({ all: false, errors: true, colors: true })}`);
      else if (stats) {
        inTurn(() => {
          record(unit, stats, true);
          return deploy(unit);
        });
      }
      firstBuild();
    });
  });
}

function watchTexts(): void {
  const follow = (unit: string, deployTexts: () => Promise<unknown>) => {
    const folder = path.join(ROOT, unit, 'locales');
    let timer: NodeJS.Timeout | undefined;
    // An editor writes in steps: the file is complete a moment later.
    if (existsSync(folder))
      watch(folder, () => {
        clearTimeout(timer);
        timer = setTimeout(() => inTurn(deployTexts), 100);
      });
  };
  for (const unit of ['shared', 'shell']) follow(unit, async () => publishTexts());
  for (const name of REMOTES) follow(`mfe-${name}`, () => publish(name, { dev: true }));
}

async function dev(named: readonly string[]): Promise<void> {
  // No service worker: it would keep what changes all the time.
  const units = UNITS.filter((unit) => unit !== 'service-worker' && (named.includes(unit) || !unit.startsWith('mfe-')));
  publishTexts();
  await copyClerk();
  for (const unit of units) {
    say(`building ${unit}`);
    await watchUnit(unit);
  }
  await queue;
  watchTexts();
  // Not node's own --watch: its messages to the server's child processes (the embedded database) end them.
  const server = spawn(
    process.execPath,
    [path.join(ROOT, 'node_modules/tsx/dist/cli.mjs'), 'watch', '--clear-screen=false', 'api/src/main.ts'],
    {
      cwd: ROOT,
      stdio: 'inherit',
      env: { NODE_ENV: 'development', ...process.env },
    },
  );
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      server.kill(signal);
    });
  server.on('exit', (code) => process.exit(code ?? 0));
}

void runCommand(
  {
    name: 'dev',
    takes: '[remotes...]',
    what: 'Builds on every change and restarts the server; with names only these remotes and the shell.',
  },
  ({ positionals }) => dev(unitsNamed(positionals)),
);
